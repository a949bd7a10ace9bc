/**
 * Turns the records of `src/tools/` into tools of a thinking loop. Adds two tools that a model needs: viewing a file,
 * and searching lines.
 */

import { z } from "zod";
import { isRecord } from "../../base/fields.ts";
import type { CodeContext, CodeTool } from "../../tools/contract.ts";
import { codeTools } from "../../tools/index.generated.ts";
import type { Recorder } from "../record/recorder.ts";
import { createShownLines, type ShownLines } from "../think/shown-lines.ts";
import type { ThinkTool } from "../think/think.ts";
import type { TreeView } from "../views.ts";
import { textTool } from "./text-tool.ts";
import { type ToolRole, toolsOfRole } from "./tool-roles.ts";
import { viewTool } from "./view-tool.ts";

/** Inputs hidden from models. The run sets them itself, or they never improved an answer. */
const decided = ["server", "minConfidence", "check", "dryRun", "limit", "kinds"];

export interface ToolsContext {
  readonly view: TreeView;
  readonly recorder?: Pick<Recorder, "outputs">;
}

/**
 * Makes the tools of a role, or the tools with these names. The tools share a record of the lines that they have shown,
 * so make new tools for each loop. Throws for an unknown name.
 */
export function toolsOver(context: ToolsContext, asked: ToolRole | readonly string[]): ThinkTool<never>[] {
  const { view, recorder } = context;
  const names = typeof asked === "string" ? toolsOfRole[asked] : asked;
  const shown = createShownLines();
  const named = (name: string): ThinkTool<never> => {
    if (name === "view") return viewTool(view, shown, recorder?.outputs);
    if (name === "text-search") return textTool(view);
    const record = codeTools.find((each) => each.name === name);
    if (record === undefined) throw new Error(`there is no tool ${name}`);
    return toolOf(record, view, shown);
  };
  return names.map((name) => takePaths(named(name), view.root));
}

/** Names of inputs that contain a path. */
const pathKeys = ["path", "folder"];

/** Makes a tool accept absolute paths of the repository, because failures and shells show them. */
function takePaths(tool: ThinkTool<never>, root: string): ThinkTool<never> {
  const inside = ([key, value]: [string, unknown]): [string, unknown] => {
    const isOurs = typeof value === "string" && (value === root || value.startsWith(`${root}/`));
    return [key, isOurs && pathKeys.includes(key) ? value.slice(root.length + 1) : value];
  };
  return {
    ...tool,
    run: (asked) => tool.run(isRecord(asked) ? Object.fromEntries(Object.entries(asked).map(inside)) : asked),
  };
}

function toolOf(
  { name, description, input, run }: CodeTool,
  { context }: TreeView,
  shown: ShownLines,
): ThinkTool<never> {
  const offered = Object.entries(input.shape).filter(([key]) => !decided.includes(key));
  return {
    name,
    description,
    input: z.object(Object.fromEntries(offered)),
    async run(asked) {
      const answer = await run(withShown(context, shown), asked);
      return answer.ok ? { text: answer.value.text } : { text: answer.message, isError: true };
    },
    onForgotten: shown.forget,
  };
}

/** Returns the context with the record of shown lines. Its files are those of the checkout at the time of the call. */
function withShown(context: CodeContext, shown: ShownLines): CodeContext {
  return {
    ...context,
    shown,
    get files() {
      return context.files;
    },
  };
}
