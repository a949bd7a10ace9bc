/** Finds links of Markdown files whose target a patch leaves missing. Pure. */
import { posix } from "node:path";
import type { ChangedFile } from "../code/change.ts";

const inline = /\]\(\s*<?([^)\s>]+)>?[^)\n]*\)/g;
const reference = /^ {0,3}\[[^\]\n]+\]:\s*<?([^\s>]+)>?/gm;
const code = /^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1|`[^`\n]+`/gm;
/** Addresses, anchors, and templates that another program fills in. */
const elsewhere = /^(?:[a-z][a-z0-9+.-]*:|#|\/\/)|[{}$]/i;

export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path);
}

/** Lists the targets in this repository: `guide.md#start` in `docs/index.md` is `docs/guide.md`. */
export function linkedPaths(path: string, text: string): string[] {
  const plain = text.replaceAll(code, "");
  const targets = [inline, reference].flatMap((form) => [...plain.matchAll(form)].map(([, to = ""]) => to));
  return [
    ...new Set(
      targets
        .filter((target) => !elsewhere.test(target))
        .map((target) => target.replace(/[#?].*$/s, "").replaceAll("%20", " "))
        .filter((target) => target !== "")
        .map((target) => posix.join(target.startsWith("/") ? "." : posix.dirname(path), target)),
    ),
  ];
}

/** True if the target is a file or a folder, or if a documentation site would make it from a file. */
function isThere(target: string, paths: ReadonlySet<string>): boolean {
  const bare = target.replace(/\/$/, "").replace(/\.html?$/i, "");
  const made = [
    target,
    bare,
    ...[".md", ".mdx", ".markdown", ".rst", "/index.md", "/README.md"].map((end) => bare + end),
  ];
  return made.some((each) => paths.has(each)) || [...paths].some((each) => each.startsWith(`${bare}/`));
}

export interface LinkedTree {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** The patch's Markdown files, and if it removes a file, also the unchanged ones. */
  readonly files: readonly Pick<ChangedFile, "path" | "before" | "after">[];
}

/**
 * Lists broken links as `docs/index.md: docs/guide.md`. A link counts if the patch adds it, or if the patch removes its
 * target. Links that were broken before do not count.
 */
export function findBrokenLinks({ before, after, files }: LinkedTree): string[] {
  return files.flatMap((file) => {
    if (!isMarkdown(file.path) || file.after === undefined) return [];
    const known = new Set(linkedPaths(file.path, file.before ?? ""));
    return linkedPaths(file.path, file.after)
      .filter((target) => !isThere(target, after) && (!known.has(target) || isThere(target, before)))
      .filter((target) => !target.startsWith("../"))
      .map((target) => `${file.path}: ${target}`);
  });
}
