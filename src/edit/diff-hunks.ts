/**
 * Reads unified diffs, and tolerates the mistakes of models. Line numbers and counts may be wrong or missing, and blank
 * context lines may lack their space. Names may lack `a/` and `b/`, or have the form `*** Update File:`. Finds the
 * place only by the lines' text.
 */
import type { BlockReading } from "./conflict-blocks.ts";
import type { Edit } from "./contract.ts";

interface Section {
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly edits: Edit[];
}

const fileHeader =
  /^(?:diff --git |index [0-9a-f]+\.\.|(?:new|deleted) file mode|(?:old|new) mode|similarity index|rename (?:from|to) |\*\*\* )/;

const bareHeader = /^(?:index [0-9a-f]+\.\.|(?:new|deleted) file mode|(?:old|new) mode)/;

export function readDiffs(lines: readonly string[]): BlockReading {
  const edits: Edit[] = [];
  const problems: string[] = [];
  let section: Section = { from: undefined, to: undefined, edits: [] };
  let index = 0;
  while (index < lines.length) {
    const line = lines[index] ?? "";
    const opened = openSection(lines, index);
    const binary = /^(?:GIT binary patch|Binary files .* differ)$/.test(line);
    if (binary) problems.push("A part of the diff is binary and cannot be applied.");
    if (opened !== undefined) {
      section = opened.section;
      edits.push(...section.edits);
      index = opened.next;
    } else if (/^@@/.test(line) && !isDeletion(section)) {
      const hunk = readHunk(lines, index + 1);
      edits.push(...hunkEdits(section, hunk.lines, lineNumberOf(line)));
      index = hunk.next;
    } else index++;
  }
  return { edits, problems };
}

/** True if the section deletes the whole file. */
function isDeletion({ from, to }: Section): boolean {
  return from !== undefined && to === undefined;
}

/** Begins a file's section at a header of any form. */
function openSection(
  lines: readonly string[],
  index: number,
): { section: Section; next: number } | undefined {
  const line = lines[index] ?? "";
  const next = lines[index + 1] ?? "";
  if (line.startsWith("--- ") && next.startsWith("+++ ")) {
    const from = nameIn(line.slice(4));
    const to = nameIn(next.slice(4));
    const edits: Edit[] = to === undefined && from !== undefined ? [{ kind: "delete", path: from }] : [];
    return { section: { from, to, edits }, next: index + 2 };
  }
  const rename = /^rename from (.+)$/.exec(line)?.[1];
  const to = /^rename to (.+)$/.exec(next)?.[1];
  if (rename !== undefined && to !== undefined)
    return { section: { from: rename, to, edits: [{ kind: "rename", path: rename, to }] }, next: index + 2 };
  return openBareHeader(lines, index) ?? openPatchFile(lines, index);
}

/**
 * Begins a file's section at a header without `---` and `+++` lines. Git omits these for empty files, and models forget
 * them.
 */
function openBareHeader(
  lines: readonly string[],
  index: number,
): { section: Section; next: number } | undefined {
  const path = /^diff --git a\/(.+) b\/\1$/.exec(lines[index] ?? "")?.[1];
  if (path === undefined) return undefined;
  const header = takeWhile(lines, index + 1, (line) => bareHeader.test(line));
  const { next } = header;
  const follows = lines[next] ?? "";
  if (/^(?:--- |GIT binary|Binary files|rename |similarity )/.test(follows)) return undefined;
  const what = /^(new|deleted) file mode/.exec(header.lines[0] ?? "")?.[1];
  if (what === "deleted")
    return { section: { from: path, to: undefined, edits: [{ kind: "delete", path }] }, next };
  const hasHunks = follows.startsWith("@@");
  const empty: Edit[] = what === "new" && !hasHunks ? [{ kind: "create", path, text: "" }] : [];
  return { section: { from: what === "new" ? undefined : path, to: path, edits: empty }, next };
}

/**
 * Begins a file's section at `*** Update File: a.py`, `*** Add File: c.py` or `*** Delete File: d.py`. Also reads
 * `*** Move to: b.py`.
 */
function openPatchFile(
  lines: readonly string[],
  index: number,
): { section: Section; next: number } | undefined {
  const [, action, path] = /^\*\*\* (Update|Add|Delete) File:\s*(.+?)\s*$/.exec(lines[index] ?? "") ?? [];
  if (path === undefined) return undefined;
  if (action === "Delete")
    return { section: { from: path, to: undefined, edits: [{ kind: "delete", path }] }, next: index + 1 };
  if (action === "Add") {
    const body = takeWhile(lines, index + 1, (line) => line.startsWith("+"));
    const text = body.lines.map((line) => `${line.slice(1)}\n`).join("");
    return {
      section: { from: undefined, to: path, edits: [{ kind: "create", path, text }] },
      next: body.next,
    };
  }
  const to = /^\*\*\* Move to:\s*(.+?)\s*$/.exec(lines[index + 1] ?? "")?.[1];
  if (to === undefined) return { section: { from: path, to: path, edits: [] }, next: index + 1 };
  return { section: { from: path, to, edits: [{ kind: "rename", path, to }] }, next: index + 2 };
}

/** The name of a `---` or `+++` line; undefined for /dev/null. */
function nameIn(text: string): string | undefined {
  const name = text
    .replace(/\t.*$/, "")
    .trim()
    .replace(/^"(.*)"$/, "$1");
  if (name === "/dev/null") return undefined;
  return name.replace(/^[ab]\//, "");
}

function lineNumberOf(heading: string): number | undefined {
  const number = /^@@+ -(\d+)/.exec(heading)?.[1];
  return number === undefined ? undefined : Number(number);
}

function readHunk(lines: readonly string[], start: number): { lines: readonly string[]; next: number } {
  const body = takeWhile(lines, start, (line, index) => {
    if (/^@@/.test(line) || fileHeader.test(line) || /^(?:`{3,}|~{3,})/.test(line)) return false;
    return !(line.startsWith("--- ") && lines[index + 1]?.startsWith("+++ "));
  });
  let end = body.lines.length;
  // Blank lines at its end belong to the text around the diff.
  while (end > 0 && body.lines[end - 1] === "") end--;
  return { lines: body.lines.slice(0, end), next: body.next };
}

function takeWhile(
  lines: readonly string[],
  start: number,
  belongs: (line: string, index: number) => boolean,
): { lines: readonly string[]; next: number } {
  let next = start;
  while (next < lines.length && belongs(lines[next] ?? "", next)) next++;
  return { lines: lines.slice(start, next), next };
}

function hunkEdits({ from, to }: Section, lines: readonly string[], line: number | undefined): Edit[] {
  const body = lines.filter((text) => !text.startsWith("\\"));
  const content = (text: string): string => `${/^[ +-]/.test(text) ? text.slice(1) : text}\n`;
  const original = body
    .filter((text) => !text.startsWith("+"))
    .map(content)
    .join("");
  const replacement = body
    .filter((text) => !text.startsWith("-"))
    .map(content)
    .join("");
  if (from === undefined && to !== undefined) return [{ kind: "create", path: to, text: replacement }];
  if (original === replacement) return [];
  return [{ kind: "replace", path: to, original, replacement, ...(line === undefined ? {} : { line }) }];
}
