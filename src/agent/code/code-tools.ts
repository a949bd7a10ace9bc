/** The records of `src/tools/` as tools of a thinking loop, and two that a model needs beside them: looking at a file, and at lines. */

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

/** Of their input, what a run decides by itself, or what never made an answer better. */
const decided = ["server", "minConfidence", "check", "dryRun", "limit", "kinds"];

export interface ToolsContext {
  readonly view: TreeView;
  readonly recorder?: Pick<Recorder, "outputs">;
}

/** Those of a role, or those that are named. They share what the loop has in front of it, so take them anew for each loop. */
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

/** Parts of an input that are paths. */
const pathKeys = ["path", "folder"];

/** Failures and shells show paths below the repository's own: a tool takes them as well. */
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

/** The same context; its files are those of the tree that is laid when they are asked for. */
function withShown(context: CodeContext, shown: ShownLines): CodeContext {
  return {
    ...context,
    shown,
    get files() {
      return context.files;
    },
  };
}
