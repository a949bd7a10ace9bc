/**
 * Finds the documentation example to which a rustdoc test name refers. Uses only the name: newer versions of rustdoc
 * run several examples as one program, and report a panic's line in it.
 */
import type { TestRegions } from "./test-regions.ts";
import type { Span } from "./test-spans.ts";

const item =
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|const|unsafe|default|extern(?:\s+"[^"]*")?)\s+)*(?:fn|struct|enum|trait|mod|type|const|static|union|macro_rules!)\s+(\w+)|^\s*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*(?:[,({:=]|$)/;
const documentation = /^\s*\/\/\//;
const attribute = /^\s*#!?\[/;
/** Marks of examples that rustdoc numbers but does not judge. */
const notJudged = /^\s*\/\/\/\s*```\s*(?:ignore|no_run)\b/m;

/**
 * Finds an example by a `name` such as `src/lib.rs - Deck::take #2`. Undefined if no item or several items may have
 * this name. Also undefined if one of the item's examples is marked `ignore` or `no_run`: rustdoc numbers such an
 * example, but `spans` lacks it.
 */
export function findRustExample(text: string, spans: readonly Span[], name: string): Span | undefined {
  const [, path = "", number = "1"] = /^.+? - (.+?)(?: #(\d+))?$/.exec(name) ?? [];
  const wanted = path.split("::").at(-1) ?? "";
  const lines = text.split("\n");
  const blocks = new Map<number, Span[]>();
  for (const span of spans) {
    const at = itemAfter(lines, text.slice(0, span.end).split("\n").length);
    if (at !== undefined && nameOf(lines[at] ?? "") === wanted)
      blocks.set(at, [...(blocks.get(at) ?? []), span]);
  }
  const [found, ...others] = [...blocks];
  if (wanted === "" || found === undefined || others.length > 0) return undefined;
  const [at, own] = found;
  return notJudged.test(docsBefore(lines, at)) ? undefined : own[Number(number) - 1];
}

function nameOf(line: string): string | undefined {
  const found = item.exec(line);
  return found?.[1] ?? found?.[2];
}

/** Returns the line (from 0) of the item that the documentation at this line describes. */
function itemAfter(lines: readonly string[], from: number): number | undefined {
  for (let at = from; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    if (!documentation.test(line) && !attribute.test(line)) return line.trim() === "" ? undefined : at;
  }
  return undefined;
}

function docsBefore(lines: readonly string[], at: number): string {
  let first = at;
  while (first > 0 && (documentation.test(lines[first - 1] ?? "") || attribute.test(lines[first - 1] ?? "")))
    first -= 1;
  return lines.slice(first, at).join("\n");
}

/**
 * Reads the example to which a rustdoc test name refers, and the path of its file. `read`: returns the text of a file.
 * Undefined if `findRustExample` finds no example.
 */
export async function readRustExample(
  name: string,
  read: (path: string) => Promise<string>,
  regions: Pick<TestRegions, "spansIn">,
): Promise<{ readonly path: string; readonly text: string } | undefined> {
  const path = name.split(" - ")[0] ?? "";
  const text = await read(path);
  const span = findRustExample(text, await regions.spansIn(path, text), name);
  return span && { path, text: text.slice(span.start, span.end) };
}

/**
 * Returns the documentation of a file without its marks, line by line. Fences of code and all other lines are empty.
 */
export function programLines(lines: readonly string[]): string[] {
  return lines.map((line) => (marks.test(line) && !fence.test(line) ? unmarked(line) : ""));
}

/** Returns the program of an example, without marks. */
export function programOf(example: string): string {
  return example
    .split("\n")
    .map(unmarked)
    .filter((line) => !line.startsWith("```"))
    .join("\n");
}

export function isDocumentation(line: string): boolean {
  return marks.test(line);
}
const marks = /^\s*\/\/[/!]/;
const fence = /^\s*\/\/[/!]\s*(?:```|~~~)/;

/** Removes Rust's documentation marks, and its marks for hidden lines. */
function unmarked(line: string): string {
  return line.replace(/^\s*\/\/[/!] ?/, "").replace(/^\s*# (?=\S)/, "");
}
