/** What stands in a file beside the lines that are shown: its definitions, and what it does at its own level, each in a line. Pure. */

export interface Definition {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: string;
  readonly name: string;
  readonly signature: string;
  readonly isTest?: boolean;
}

export interface Lines {
  readonly start: number;
  readonly end: number;
}

const longestEntry = 110;
/** … in a line with others. */
const longestName = 60;

/**
 * In a line, in the order of the file, at most `most`, calls at the file's own level and the nearest to what is shown first; "" where all
 * is shown. Definitions by their names: who needs more looks there.
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
  /** A file's own level calls something there: it may decide what no definition shows. */
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

/** Comments, imports, and what closes something, in the languages of the graph. */
const silent =
  /^(?:\/[/*]|\*|#(?!\[)|--|"""|'''|import\b|from\b|use\b|extern\b|package\b|using\b|require\b|export \*|[\])}>;,'"]|@\w+$|$)/;

/** A statement that is a call: no declaration of a function, and nothing that is only assigned. */
const called = /^[\w$.:]+!?\(.*\)?/;

/** Runs of lines that stand in no definition and say something: calls and assignments at the level of the file. */
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
