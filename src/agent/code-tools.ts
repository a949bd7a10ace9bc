/** The records of `src/tools/` as tools of a thinking loop, and the one that a model needs beside them: looking at a file. */
import { z } from "zod";
import { formatLine, grep, searchedPaths } from "../graph/retrieval/grep.ts";
import type { CodeTool } from "../tools/contract.ts";
import { codeTools } from "../tools/index.generated.ts";
import type { ThinkTool } from "./think.ts";
import type { TreeView } from "./tree-view.ts";

const reading = ["find", "symbol", "references", "callers", "outline", "map", "related-tests"];

/** What reads; with `edit` what writes too. `definition` is left out: it needs a language server, and a run asks none. */
export function toolsOver(view: TreeView, rights: "read" | "edit"): ThinkTool<never>[] {
  const names = new Set(rights === "edit" ? [...reading, "edit"] : reading);
  const records = (codeTools as readonly unknown[] as readonly CodeTool[]).filter(({ name }) =>
    names.has(name),
  );
  return [viewTool(view), textTool(view), ...records.map((record) => toolOf(record, view))];
}

function toolOf({ name, description, input, run }: CodeTool, { context }: TreeView): ThinkTool<never> {
  return {
    name,
    description,
    input,
    async run(asked) {
      const answer = await run(context, asked as never);
      return answer.ok ? { text: answer.value.text } : { text: answer.message, isError: true };
    },
  };
}

const mostHits = 60;

function textTool({ context }: TreeView): ThinkTool<never> {
  const input = z.object({
    text: z.string().min(1).describe("as it stands in a line; no pattern"),
    folder: z.string().default("").describe("a folder or a file to look in; everything by default"),
  });
  return {
    name: "text-search",
    description: "The lines that have a text, in files of every kind: for what no definition is called.",
    input,
    async run(asked) {
      const { text, folder } = input.parse(asked);
      const paths = searchedPaths(await context.graph(), folder);
      const found = grep({ repository: context.repository, paths, pattern: text, limit: mostHits });
      const lines = found.lines.map(formatLine);
      if (found.stopped !== undefined) lines.push("(there are more: name a folder)");
      return { text: lines.length === 0 ? "No line has it." : lines.join("\n") };
    },
  };
}

const mostLines = 400;

function viewTool({ context }: TreeView): ThinkTool<never> {
  const input = z.object({
    path: z.string().min(1),
    startLine: z.int().min(1).default(1),
    endLine: z.int().min(1).optional().describe(`at most ${mostLines} lines are shown at once`),
  });
  return {
    name: "view",
    description: "Shows lines of a file, with their numbers.",
    input,
    async run(asked) {
      const { path, startLine, endLine } = input.parse(asked);
      const read = await context.files.read(path);
      if (!read.ok) return { text: read.message, isError: true };
      if (read.value === undefined) return { text: `There is no file ${path}.`, isError: true };
      const lines = read.value.split("\n");
      const last = Math.min(endLine ?? lines.length, startLine + mostLines - 1, lines.length);
      const shown = lines.slice(startLine - 1, last).map((line, index) => `${startLine + index}\t${line}`);
      const rest = last < lines.length ? [`(${lines.length - last} more lines)`] : [];
      return { text: [`${path}:${startLine}-${last}`, ...shown, ...rest].join("\n") };
    },
  };
}
