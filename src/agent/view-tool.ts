/** Looking at a file: of the repository, or of a dependency that is installed for it. */
import { z } from "zod";
import { relativePath } from "../tools/indexed-file.ts";
import { readDependency } from "../workspace/dependency-files.ts";
import type { ShownLines } from "./shown-lines.ts";
import type { ThinkTool } from "./think.ts";
import type { TreeView } from "./tree-view.ts";

const mostLines = 400;

export function viewTool({ context, home }: TreeView, shown: ShownLines): ThinkTool<never> {
  const input = z.object({
    path: z.string().min(1),
    startLine: z.int().min(1).default(1),
    endLine: z.int().min(1).optional().describe(`at most ${mostLines} lines are shown at once`),
  });
  return {
    name: "view",
    description:
      "Lines of a file, with their numbers: of the repository, or of an installed dependency (node_modules/…, site-packages/…, or an absolute path that a tool named). Of a dependency's folder the names in it.",
    input,
    async run(asked) {
      const { path: written, startLine, endLine } = input.parse(asked);
      const path = relativePath(context.repository, written);
      // What git ignores lies in the folder too, keys among it: only what belongs to the repository is shown.
      const read = await context.files.read(path);
      const isListed = read.ok && read.value !== undefined && (await context.files.list()).includes(path);
      const own = isListed ? read.value : undefined;
      const other = own === undefined ? readDependency(home, path) : undefined;
      if (own === undefined && other === undefined)
        return { text: read.ok ? absent(path) : read.message, isError: true };
      if (other?.kind === "folder") return { text: [`${path}:`, ...other.names].join("\n") };
      const text = own ?? other?.text ?? "";
      const lines = text.split("\n");
      const last = Math.min(endLine ?? lines.length, startLine + mostLines - 1, lines.length);
      const chosen = lines.slice(startLine - 1, last);
      shown.note(path, startLine, chosen);
      const numbered = chosen.map((line, index) => `${startLine + index}\t${line}`);
      const rest = last < lines.length ? [`(${lines.length - last} more lines)`] : [];
      const note = own === undefined ? "  (a dependency: it is not changed)" : "";
      return { text: [`${path}:${startLine}-${last}${note}`, ...numbered, ...rest].join("\n") };
    },
  };
}

function absent(path: string): string {
  return `There is no file ${path} in the repository's tree: git ignores it, or it does not exist. Installed dependencies can be seen by their paths below node_modules or site-packages.`;
}
