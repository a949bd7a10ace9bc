/**
 * Which example of a source rustdoc means by a test's name. Where one panics no line tells: newer versions start several as one program,
 * and say a line of that.
 */
import type { Span } from "./test-spans.ts";

const item =
  /^\s*(?:pub(?:\([^)]*\))?\s+)?(?:(?:async|const|unsafe|default|extern(?:\s+"[^"]*")?)\s+)*(?:fn|struct|enum|trait|mod|type|const|static|union|macro_rules!)\s+(\w+)|^\s*(?:pub(?:\([^)]*\))?\s+)?(\w+)\s*(?:[,({:=]|$)/;
const documentation = /^\s*\/\/\//;
const attribute = /^\s*#!?\[/;
/** They have a place in the count of an item's examples, and none among those that are judged. */
const notJudged = /^\s*\/\/\/\s*```\s*(?:ignore|no_run)\b/m;

/** `name`: `src/lib.rs - Deck::take #2`. Undefined where more than one item may be meant. */
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

/** The line, from 0, of what the documentation that goes on there speaks of. */
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
