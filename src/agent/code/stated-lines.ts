/**
 * Finds the decisive lines of long functions. A ranked place in a long function is only a part of it. Other lines
 * belong to the place if they contain a name of the statement. So do short constants that the place uses.
 */
import { callableKinds, valueKinds } from "../../domain/code-symbols.ts";
import { codeNamesIn, codeSpansIn } from "../../tools/tests-of-places.ts";
import type { Place } from "../state/task-state.ts";
import type { Definition } from "./skeleton.ts";

/** Limits: examined places, lines of a function, constants per place, and lines of a constant. */
const most = { places: 3, lines: 8, constants: 2, constant: 12 };
const callables: ReadonlySet<string> = new Set(callableKinds);
const constants: ReadonlySet<string> = new Set(valueKinds);

export interface FileReader {
  readonly outline: (file: string) => readonly Definition[];
  readonly linesOf: (file: string) => readonly string[] | undefined;
}

/** Adds further lines after each of the first places. */
export function withStatedLines(reader: FileReader, places: readonly Place[], statement: string): Place[] {
  const names = statedNames(statement);
  return places.flatMap((place, at) =>
    at < most.places && names.size > 0 ? [place, ...linesBeside(reader, place, names)] : [place],
  );
}

function linesBeside(
  { outline, linesOf }: FileReader,
  { file, startLine, endLine }: Place,
  names: ReadonlySet<string>,
): Place[] {
  const definitions = outline(file);
  const lines = linesOf(file) ?? [];
  const around = definitions
    .filter(({ kind }) => callables.has(kind))
    .filter((each) => each.startLine <= startLine && endLine <= each.endLine)
    .toSorted((one, other) => sizeOf(one) - sizeOf(other))[0];
  if (around === undefined || sizeOf(around) === endLine - startLine) return [];
  const isOwn = (line: number): boolean => startLine <= line && line <= endLine;
  const numbers = lines.flatMap((_, at) =>
    around.startLine <= at + 1 && at + 1 <= around.endLine && !isOwn(at + 1) ? [at + 1] : [],
  );
  const stated = numbers.filter((line) => wordsIn(lines[line - 1] ?? "").some((word) => names.has(word)));
  const taken = stated.length > most.lines ? [] : stated;
  const text = [...lines.slice(startLine - 1, endLine), ...taken.map((line) => lines[line - 1] ?? "")];
  const used = new Set(text.join("\n").match(/[A-Za-z_$][\w$]*/g));
  const isInside = (one: Definition): boolean =>
    definitions.some(
      (each) => each !== one && each.startLine <= one.startLine && one.endLine <= each.endLine,
    );
  const short = definitions
    .filter(({ kind, name }) => constants.has(kind) && used.has(name))
    .filter((each) => sizeOf(each) > 0 && sizeOf(each) < most.constant && !isInside(each))
    .slice(0, most.constants);
  return [
    ...taken.map((line) => ({ file, startLine: line, endLine: line, why: "" })),
    ...short.map((each) => ({ file, startLine: each.startLine, endLine: each.endLine, why: "" })),
  ];
}

function sizeOf({ startLine, endLine }: Pick<Definition, "startLine" | "endLine">): number {
  return endLine - startLine;
}

/** Names written as code, and hyphenated names in code spans (`content-encoding`), in lower case. */
function statedNames(statement: string): ReadonlySet<string> {
  const hyphenated = codeSpansIn(statement)
    .flatMap(wordsIn)
    .filter((word) => word.includes("-"));
  return new Set([...hyphenated, ...codeNamesIn(statement).map((name) => name.toLowerCase())]);
}

function wordsIn(text: string): string[] {
  return (text.match(/[A-Za-z_$][\w$]*(?:-[\w$]+)*/g) ?? []).map((word) => word.toLowerCase());
}
