/**
 * Shows a file of the repository or of an installed dependency. Also shows a stored reply that was too long to show
 * whole.
 */

import { z } from "zod";
import { relativePath } from "../../tools/indexed-file.ts";
import { readDependency } from "../../workspace/dependency-files.ts";
import { windowOf } from "../record/line-window.ts";
import { handlePrefix, type Outputs, showOutput } from "../record/outputs.ts";
import type { ShownLines } from "../think/shown-lines.ts";
import type { ThinkTool } from "../think/think.ts";
import type { TreeView } from "../views.ts";

/**
 * Maximum lines of an answer; the default for a longer file is lower, because each later request repeats these lines.
 */
const mostLines = 400;
const usualLines = 200;

export function viewTool(
  { context, home }: TreeView,
  shown: ShownLines,
  outputs?: Outputs,
): ThinkTool<never> {
  const input = z.object({
    path: z.string().min(1),
    startLine: z.int().min(1).default(1),
    endLine: z
      .int()
      .min(1)
      .optional()
      .describe(
        `the last line to show; a reply has at most ${mostLines} lines; default: the end of the file, or the next ${usualLines} lines if more than ${mostLines} are left`,
      ),
  });
  return {
    name: "view",
    description:
      "Shows numbered lines of a file of the repository or of an installed dependency (node_modules/…, site-packages/…). Also lists a folder, or shows an `output:…` that a reply named.",
    input,
    showsOutputs: outputs !== undefined,
    async run(asked) {
      const { path: written, startLine, endLine } = input.parse(asked);
      if (outputs !== undefined && written.startsWith(handlePrefix))
        return showOutput(outputs, { handle: written, startLine, endLine });
      const path = relativePath(context.repository, written);
      // Shows only files of the repository: ignored files in the folder may contain keys.
      const read = await context.files.read(path);
      const listed = await context.files.list();
      const isListed = read.ok && read.value !== undefined && listed.includes(path);
      const own = isListed ? read.value : undefined;
      const other = own === undefined ? readDependency(home, path) : undefined;
      const names = other === undefined ? namesBelow(path, listed) : [];
      if (own === undefined && names.length > 0) return { text: [`${path}:`, ...names].join("\n") };
      if (own === undefined && other === undefined)
        return { text: read.ok ? absent(path) : read.message, isError: true };
      if (other?.kind === "folder") return { text: [`${path}:`, ...other.names].join("\n") };
      const text = own ?? other?.text ?? "";
      const lines = text.split("\n");
      const isLong = lines.length - startLine >= mostLines;
      const most = endLine === undefined && isLong ? usualLines : mostLines;
      const { last, rest } = windowOf(lines, { startLine, endLine }, most);
      const chosen = lines.slice(startLine - 1, last);
      shown.note(path, startLine, chosen);
      const numbered = chosen.map((line, index) => `${startLine + index}\t${line}`);
      const note = own === undefined ? "  (a dependency: do not change it)" : "";
      return { text: [`${path}:${startLine}-${last}${note}`, ...numbered, ...rest].join("\n") };
    },
  };
}

/** Maximum names in a folder's list. */
const mostNames = 200;

/** Lists the folder's own entries; a folder's name ends with a slash. Empty if no file is below this path. */
function namesBelow(path: string, listed: readonly string[]): readonly string[] {
  const prefix = path === "" || path === "." ? "" : `${path.replace(/\/+$/, "")}/`;
  const below = listed.filter((each) => each.startsWith(prefix)).map((each) => each.slice(prefix.length));
  const names = [...new Set(below.map((each) => each.replace(/\/.*$/s, "/")))];
  const more = names.length - mostNames;
  return [...names.slice(0, mostNames), ...(more > 0 ? [`… and ${more} more`] : [])];
}

function absent(path: string): string {
  return `There is no file ${path} in the repository's tree: it does not exist, or git ignores it. To view installed dependencies, use paths below node_modules or site-packages.`;
}
