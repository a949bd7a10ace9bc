/** Edits that end the work in the same call: an answer less, where the change is complete with them. */
import { z } from "zod";
import type { ThinkTool, ToolReply } from "../think/think.ts";

/** What the wrapped tools have said since the work began. */
interface Desk {
  /** The last edit was refused, and nobody has been told at the end that it is missing. */
  lacksEdit: boolean;
}

/**
 * The tools, with `done` as an input of `edit` where `isShort` says that nothing more than a summary ends the work, and as a tool of its
 * own. It is taken only where the edits are, and after a refused edit only when it is said twice.
 */
export function withEnding<T>(
  tools: readonly ThinkTool<T>[],
  done: ThinkTool<T>,
  isShort: boolean,
): readonly ThinkTool<T>[] {
  const desk: Desk = { lacksEdit: false };
  return [
    ...tools.map((tool) => (tool.name === "edit" ? endingEdit(tool, done, { desk, isShort }) : tool)),
    {
      ...done,
      async run(input) {
        const { cannot } = ending.parse(input);
        if (!desk.lacksEdit || cannot === true) return done.run(input);
        desk.lacksEdit = false;
        return { text: lacking, isError: true };
      },
    },
  ];
}

const lacking =
  "The last edit was refused, so it is not in place. Write it again, or repeat `done` if nothing is missing.";

/** Who says that nothing can be changed is asked nothing more. */
const ending = z.looseObject({ cannot: z.boolean().optional() });
const edits = z.looseObject({ done: z.string().optional() });

function endingEdit<T>(
  edit: ThinkTool<T>,
  done: ThinkTool<T>,
  { desk, isShort }: { readonly desk: Desk; readonly isShort: boolean },
): ThinkTool<T> {
  const { input } = edit;
  const summary = z.string().optional().describe("with the last edits: what was changed; ends the work");
  return {
    ...edit,
    input: isShort ? input.extend({ done: summary }) : input,
    async run(asked): Promise<ToolReply<T>> {
      const { done: said, ...rest } = edits.parse(asked);
      const reply = await edit.run(input.parse(rest));
      desk.lacksEdit = reply.isError === true;
      if (reply.isError === true || said === undefined || said.trim() === "") return reply;
      const ended = await done.run({ summary: said });
      return ended.end === undefined ? { ...ended, text: `${reply.text}\n\n${ended.text}` } : ended;
    },
  };
}
