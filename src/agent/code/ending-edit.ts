/** Lets an edit end the work in the same call, which saves a request to the model. */
import { z } from "zod";
import type { ThinkTool, ToolReply } from "../think/think.ts";

/** The state that the wrapped tools share. */
interface Desk {
  /** True if the last edit was refused and `done` has not yet warned the author. */
  lacksEdit: boolean;
}

/**
 * Adds two ways to end the work: the tool `done`, and a summary in the field `done` of `edit`. `also`: further input
 * fields of `edit`, which it passes on to `done`. A refused edit does not end the work, and the next call of `done`
 * fails once. The author may then call it again, or set `cannot` if no change is possible.
 */
export function withEnding<T>(
  tools: readonly ThinkTool<T>[],
  done: ThinkTool<T>,
  also: z.ZodRawShape = {},
): readonly ThinkTool<T>[] {
  const desk: Desk = { lacksEdit: false };
  return [
    ...tools.map((tool) => (tool.name === "edit" ? endingEdit(tool, done, desk, also) : tool)),
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
  "The last edit was refused, so the file lacks it. Write the edit again, or repeat `done` if nothing is missing.";

/** With `cannot`, the author says that no change is possible. `done` then gives no warning. */
const ending = z.looseObject({ cannot: z.boolean().optional() });
const edits = z.looseObject({ done: z.string().optional() });

function endingEdit<T>(
  edit: ThinkTool<T>,
  done: ThinkTool<T>,
  desk: Desk,
  also: z.ZodRawShape,
): ThinkTool<T> {
  const { input } = edit;
  const summary = z
    .string()
    .optional()
    .describe("a summary of the change; if present, the work ends after these edits");
  return {
    ...edit,
    input: input.extend({ done: summary, ...also }),
    async run(asked): Promise<ToolReply<T>> {
      const { done: said, ...rest } = edits.parse(asked);
      const reply = await edit.run(input.parse(rest));
      desk.lacksEdit = reply.isError === true;
      if (reply.isError === true || said === undefined || said.trim() === "") return reply;
      const more = Object.entries(rest).filter(([name]) => name in also);
      const ended = await done.run({ summary: said, ...Object.fromEntries(more) });
      return ended.end === undefined ? { ...ended, text: `${reply.text}\n\n${ended.text}` } : ended;
    },
  };
}
