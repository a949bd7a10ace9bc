/** Widens an edit to all places with the same code: two equal faults need two equal changes. */
import { once } from "../base/once.ts";
import { addedLiterals } from "./added-comparison.ts";
import type { FileContext } from "./file-context.ts";
import { listStrongDoubts } from "./rank-plausible.ts";
import type { TextChange } from "./syntax-check.ts";
import type { Site } from "./template.ts";

/** Minimum length of the repeated code; maximum number of its places, and of characters from the first to the last. */
const shortest = 8;
const most = { places: 4, span: 4000 };

/**
 * Returns the edit at every place of the file with the same code, as one change. Undefined if the code is short, or
 * stands at one place, at more than four, or at places far apart. Also undefined for an edit that removes or
 * neutralises code, or compares with a new literal. The code is the site's node. It is the edit's lines if the edit
 * changes more, or if the node is short or has several lines.
 */
export function atEqualPlaces(site: Site, edit: TextChange): TextChange | undefined {
  const { text } = site.source.tree;
  const isInside = site.node.start <= edit.start && edit.end <= site.node.end;
  const isShort = site.node.end - site.node.start < shortest;
  const isLine = !isInside || isShort || site.node.startLine !== site.node.endLine;
  const unit = isLine ? linesOf(text, edit) : { start: site.node.start, end: site.node.end };
  const code = text.slice(unit.start, unit.end);
  if (edit.replacement.trim() === "" || code.trim().length < shortest) return undefined;
  const starts = placesOf(site.context, code, isLine);
  const [first, last] = [starts[0], starts.at(-1)];
  if (first === undefined || last === undefined || starts.length < 2 || starts.length > most.places)
    return undefined;
  const end = last + code.length;
  if (end - first > most.span || !starts.includes(unit.start)) return undefined;
  if (listStrongDoubts(text, edit).length > 0 || addedLiterals(text, edit).length > 0) return undefined;
  const changed =
    code.slice(0, edit.start - unit.start) + edit.replacement + code.slice(edit.end - unit.start);
  const replacement = starts
    .map((start, at) => changed + text.slice(start + code.length, starts[at + 1] ?? end))
    .join("");
  return { start: first, end, replacement };
}

/** The whole lines that the edit touches, without the last line break. */
function linesOf(text: string, { start, end }: TextChange): { start: number; end: number } {
  const next = text.indexOf("\n", Math.max(start, end - 1));
  return { start: text.lastIndexOf("\n", start - 1) + 1, end: next === -1 ? text.length : next };
}

/** Places by code: a statement has many edits of the same code. */
const knownPlaces = once((_: FileContext) => new Map<string, readonly number[]>());

function placesOf(context: FileContext, code: string, isLine: boolean): readonly number[] {
  const known = knownPlaces(context);
  const key = `${isLine} ${code}`;
  const found = known.get(key) ?? findPlaces(context.source.tree.text, code, isLine);
  known.set(key, found);
  return found;
}

/** The places of the code: whole lines, or code between characters that do not belong to names. */
function findPlaces(text: string, code: string, isLine: boolean): number[] {
  const found: number[] = [];
  for (let at = text.indexOf(code); at >= 0; at = text.indexOf(code, at + code.length)) {
    const [before, after] = [text[at - 1] ?? "\n", text[at + code.length] ?? "\n"];
    const isWhole = isLine
      ? before === "\n" && /[\r\n]/.test(after)
      : !(/[\w$.]/.test(before) && /^[\w$.]/.test(code)) && !(/[\w$]/.test(after) && /[\w$]$/.test(code));
    if (isWhole) found.push(at);
    if (found.length > most.places) break;
  }
  return found;
}
