/** The records of `src/tools/` as tools of a thinking loop, and two that a model needs beside them: looking at a file, and at lines. */
import { z } from "zod";
import type { CodeContext, CodeTool } from "../tools/contract.ts";
import { codeTools } from "../tools/index.generated.ts";
import { createShownLines, type ShownLines } from "./shown-lines.ts";
import { textTool } from "./text-tool.ts";
import type { ThinkTool } from "./think.ts";
import type { TreeView } from "./tree-view.ts";
import { viewTool } from "./view-tool.ts";

const reading = ["find", "symbol", "definition", "references", "callers", "outline", "map", "related-tests"];

/** Of their input, what a run decides by itself. */
const decided = ["server", "minConfidence", "check", "dryRun"];

/** What reads; with `edit` what writes too. They share what the loop has in front of it, so take them anew for each loop. */
export function toolsOver(view: TreeView, rights: "read" | "edit"): ThinkTool<never>[] {
  const names = new Set(rights === "edit" ? [...reading, "edit"] : reading);
  const shown = createShownLines();
  const records = (codeTools as readonly unknown[] as readonly CodeTool[]).filter(({ name }) =>
    names.has(name),
  );
  return [viewTool(view, shown), textTool(view), ...records.map((record) => toolOf(record, view, shown))];
}

function toolOf(
  { name, description, input, run }: CodeTool,
  { context }: TreeView,
  shown: ShownLines,
): ThinkTool<never> {
  const hidden = decided.filter((key) => key in input.shape);
  return {
    name,
    description,
    input: z.object(Object.fromEntries(Object.entries(input.shape).filter(([key]) => !hidden.includes(key)))),
    async run(asked) {
      const answer = await run(withShown(context, shown), input.parse(asked) as never);
      return answer.ok ? { text: answer.value.text } : { text: answer.message, isError: true };
    },
    onForgotten: shown.forget,
  };
}

/** The same context; its files are those of the tree that is laid when they are asked for. */
function withShown(context: CodeContext, shown: ShownLines): CodeContext {
  return Object.create(context, { shown: { value: shown } }) as CodeContext;
}
