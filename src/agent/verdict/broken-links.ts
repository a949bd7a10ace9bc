/** Finds links of Markdown files whose target a patch leaves missing. Pure, in linear time. */
import { posix } from "node:path";
import type { ChangedFile } from "../code/change.ts";

/** Quantifiers have bounds, and longer lines do not count: a hostile page must not delay the verdict. */
const longestLine = 2_000;
const largestPage = 1024 * 1024;
const forms = [
  /\]\(<([^<>\n]{1,300})>/g,
  /\]\(([^()\s<>]{1,300}(?:\([^()\s]{0,100}\)[^()\s<>]{0,300})?)(?:[ \t]+["'][^"'\n]{0,300}["'])?\)/g,
  /^ {0,3}\[(?!\^)[^\]\n]{1,200}\]:[ \t]*<?([^\s<>]{1,300})>?[ \t]*(?:"[^"\n]{0,300}"[ \t]*)?$/g,
];
const fence = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}|~{3,})(.*)$/;
const codeSpan = /(`+)(?!`)[^\n]*?[^`]\1(?!`)/g;
/** Addresses, anchors, aliases of sites, and templates that another program fills in. */
const elsewhere = /^(?:[a-z][a-z0-9+.-]*:|[#@~]|\/\/)|[{}$]/i;
/** Files that a page links directly. Sites make other targets (`../setup/`, `api.html`) themselves. */
const linkable = /\.(?:md|mdx|markdown|rst|txt|png|jpe?g|gif|svg|webp|pdf)$/i;

export function isMarkdown(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path);
}

/** Lists the targets in this repository: `guide.md#start` in `docs/index.md` is `docs/guide.md`. */
export function linkedPaths(path: string, text: string): string[] {
  const targets = proseLines(text).flatMap((line) =>
    forms.flatMap((form) => [...line.matchAll(form)].map(([, to = ""]) => to)),
  );
  return [
    ...new Set(
      targets
        .filter((target) => !elsewhere.test(target))
        .map((target) => decode(target.replace(/[#?].*$/s, "")))
        .filter((target) => target !== "")
        .map((target) => posix.join(target.startsWith("/") ? "." : posix.dirname(path), target)),
    ),
  ];
}

/** Returns the lines without code blocks, code spans and comments. */
function proseLines(text: string): string[] {
  if (text.length > largestPage) return [];
  let opening = "";
  let isComment = false;
  return text.split("\n").flatMap((line) => {
    const [, mark = "", info = ""] = fence.exec(line) ?? [];
    if (opening !== "") {
      if (mark.startsWith(opening) && info.trim() === "") opening = "";
      return [];
    }
    const wasComment = isComment;
    if (line.includes("<!--")) isComment = true;
    if (line.includes("-->")) isComment = false;
    if (wasComment || isComment || line.includes("<!--")) return [];
    if (mark !== "" && !info.includes("`")) {
      opening = mark;
      return [];
    }
    return line.length <= longestLine && !/^(?: {4}|\t)/.test(line) ? [line.replaceAll(codeSpan, "")] : [];
  });
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

export interface LinkedTree {
  readonly before: ReadonlySet<string>;
  readonly after: ReadonlySet<string>;
  /** The patch's Markdown files, and if it removes a file, also the unchanged ones. */
  readonly files: readonly Pick<ChangedFile, "path" | "before" | "after">[];
}

/**
 * Lists broken links as `docs/index.md: docs/guide.md`. A link counts if the patch removes its target, or adds a link to
 * a page or picture that does not exist. Links that were broken before do not count.
 */
export function findBrokenLinks({ before, after, files }: LinkedTree): string[] {
  const [wasThere, isThere] = [finder(before), finder(after)];
  return files.flatMap((file) => {
    if (!isMarkdown(file.path) || file.after === undefined) return [];
    const known = new Set(linkedPaths(file.path, file.before ?? ""));
    return linkedPaths(file.path, file.after)
      .filter((target) => !target.startsWith("../") && !isThere(target))
      .filter((target) => wasThere(target) || (!known.has(target) && linkable.test(target)))
      .map((target) => `${file.path}: ${target}`);
  });
}

/** Returns a function that is true for a file, a folder, and a page that a site would make from a file. */
function finder(paths: ReadonlySet<string>): (target: string) => boolean {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = posix.dirname(path); !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder);
  return (target) => {
    const bare = target.replace(/\/$/, "").replace(/\.html?$/i, "");
    const ends = [".md", ".mdx", ".markdown", ".rst", "/index.md", "/README.md"];
    return [target, bare, ...ends.map((end) => bare + end)].some(
      (each) => paths.has(each) || folders.has(each),
    );
  };
}
