/** Describes the hidden parts of a file in one-line entries: definitions and top-level statements. Pure. */

/** A definition of a file. Its lines count from 1, and both ends belong to it. */
export interface Definition {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly name: string;
  readonly signature: string;
  readonly isTest?: boolean;
}

/** A range of lines, which count from 1. Both ends belong to it. */
export interface Lines {
  readonly start: number;
  readonly end: number;
}

const longestEntry = 110;
/** Characters of an entry that shares its line with others. */
const longestName = 60;

/**
 * Renders at most `most` of the entries outside the shown lines, in file order. Top-level calls have priority, then the
 * entries nearest to the shown lines. A definition appears only with its lines and its name. "" if nothing is hidden.
 */
export function renderSkeleton(
  text: string,
  definitions: readonly Definition[],
  shown: readonly Lines[],
  most: number,
): string {
  const lines = text.split("\n");
  const isShown = ({ startLine }: Pick<Definition, "startLine">): boolean =>
    shown.some(({ start, end }) => start <= startLine && startLine <= end);
  const named = definitions.map(({ startLine, endLine, name }) => ({ startLine, endLine, text: name }));
  const entries: Entry[] = [...named, ...looseEntries(lines, definitions)].filter((entry) => !isShown(entry));
  const distance = ({ startLine, acts = false }: Entry): number =>
    acts
      ? 0
      : Math.min(
          ...shown.map(({ start, end }) => Math.max(start - startLine, startLine - end)),
          lines.length,
        );
  const kept = [...entries].sort((one, other) => distance(one) - distance(other)).slice(0, most);
  const more = entries.length - kept.length;
  return [
    ...kept
      .sort((one, other) => one.startLine - other.startLine)
      .map((entry) => renderWithin(entry, longestName)),
    ...(more > 0 ? [`${more} more`] : []),
  ].join(", ");
}

interface Entry {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** True for a top-level call, because it may decide behaviour that no definition shows. */
  readonly acts?: boolean;
}

export function entryOf({ startLine, endLine, kind, name, signature }: Definition): Entry {
  return { startLine, endLine, text: signature === "" ? `${kind} ${name}` : signature };
}

export function renderEntry(entry: Entry): string {
  return renderWithin(entry, longestEntry);
}

function renderWithin({ startLine, endLine, text }: Entry, longest: number): string {
  const range = startLine === endLine ? String(startLine) : `${startLine}-${endLine}`;
  const line = text.replaceAll(/\s+/g, " ").trim();
  return `${range} ${line.length > longest ? `${line.slice(0, longest)}…` : line}`;
}

/** Matches comments, attributes, imports, and closing lines, in the languages of the graph. */
const silent =
  /^(?:\/[/*]|\*|#|--|"""|'''|import\b|from\b|use\b|extern\b|package\b|using\b|require\b|export \*|[\])}>;,'"]|@\w+$|$)/;

/** Matches a statement that is a call, but not a function declaration or a mere assignment. */
const called = /^[\w$.:]+!?\(.*\)?/;

/** Makes one entry for each group of consecutive top-level lines outside definitions, such as calls and assignments. */
export function looseEntries(
  lines: readonly string[],
  definitions: readonly Pick<Definition, "startLine" | "endLine">[],
): Entry[] {
  const inside = new Set<number>();
  for (const { startLine, endLine } of definitions)
    for (let line = startLine; line <= endLine; line += 1) inside.add(line);
  const entries: Entry[] = [];
  let last: { startLine: number; endLine: number; text: string; acts: boolean } | undefined;
  for (const [index, text] of lines.entries()) {
    const line = index + 1;
    const isLoose = !inside.has(line) && /^\S/.test(text) && !silent.test(text);
    if (!isLoose) continue;
    if (last !== undefined && line === last.endLine + 1) {
      last.endLine = line;
      last.text += ` ${text}`;
      last.acts ||= called.test(text);
    } else {
      last = { startLine: line, endLine: line, text, acts: called.test(text) };
      entries.push(last);
    }
  }
  return entries;
}
