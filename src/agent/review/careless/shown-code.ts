/** Compares the functions of a change with their texts on the base. Includes the functions that they call. Pure. */
import type { ChangedCode, FileCode } from "../texts/code-lines.ts";
import { joinCode } from "../texts/code-lines.ts";
import { formerOf } from "./careless-form.ts";

/** One text of a function, or of the code outside of functions. */
export interface Side {
  /** The lines in the form that the patterns of `protections.ts` match. */
  readonly shown: readonly string[];
  /** The code without comments and contents of strings. */
  readonly code: string;
}

/** A function that both trees have, or the code outside of functions (with the name ""). */
export interface Unit {
  readonly startLine: number;
  readonly name: string;
  readonly is: Side;
  readonly was: Side;
}

/** A function's text. `isNew`: the base lacks this function. */
export interface Helper extends Side {
  readonly isNew: boolean;
}

/** Maps names to functions. */
export type Functions = ReadonlyMap<string, readonly Helper[]>;

/** The file's lines, each with its strings. */
function showLines({ lines }: FileCode): string[] {
  return lines.map(({ code, strings }) =>
    [code, ...strings.map((each) => `‹${each.replaceAll("\n", " ")}›`)].join(""),
  );
}

type Span = Pick<FileCode["functions"][number], "startLine" | "endLine" | "lines">;

const sideOf = (shown: readonly string[], { startLine, endLine, lines }: Span): Side => ({
  shown: shown.slice(startLine - 1, endLine),
  code: joinCode(lines),
});

function sideOutside(file: FileCode): Side {
  const inner = new Set(
    file.functions.flatMap(({ startLine, lines }) => lines.map((_, index) => startLine + index)),
  );
  const keep = (lines: readonly string[]): string[] =>
    lines.map((line, index) => (inner.has(index + 1) ? "" : line));
  return { shown: keep(showLines(file)), code: joinCode(keep(file.lines.map(({ code }) => code))) };
}

/** Returns the functions that both texts have, and the code outside of functions. */
export function compareUnits(code: FileCode, before: FileCode): Unit[] {
  const [is, was] = [showLines(code), showLines(before)];
  const functions = code.functions.flatMap((own): Unit[] => {
    const former = formerOf(before, own);
    const { startLine, name } = own;
    return former === undefined ? [] : [{ startLine, name, is: sideOf(is, own), was: sideOf(was, former) }];
  });
  return [...functions, { startLine: 1, name: "", is: sideOutside(code), was: sideOutside(before) }];
}

/** Returns the whole text of a file. */
export const wholeSide = (file: FileCode): Side => ({
  shown: showLines(file),
  code: joinCode(file.lines.map(({ code }) => code)),
});

/** Indexes the functions of files by name. A function without a text on the base is new. */
export function indexFunctions(files: readonly Pick<ChangedCode, "code" | "before">[]): Functions {
  const found = files.flatMap(({ code, before }) => {
    const shown = showLines(code);
    return code.functions.map((own): [string, Helper] => [
      own.name,
      { ...sideOf(shown, own), isNew: formerOf(before, own) === undefined },
    ]);
  });
  return new Map(
    [...Map.groupBy(found, ([name]) => name)].map(([name, all]) => [name, all.map(([, helper]) => helper)]),
  );
}

export const wordsOf = (code: string): Set<string> =>
  new Set(code.match(/[A-Za-z_$][\w$]*[?!]?(?=\s*\()|[A-Za-z_$][\w$]*/g));

/**
 * Returns the functions that took over work of the unit. These are new or newly named functions, and the functions that
 * they name.
 */
export function helpersOf(functions: Functions, { name: own, is, was }: Unit): Helper[] {
  const old = wordsOf(was.code);
  const first = [...wordsOf(is.code)].flatMap((name) =>
    name === own ? [] : (functions.get(name) ?? []).filter(({ isNew }) => isNew || !old.has(name)),
  );
  const further = first.flatMap(({ code }) =>
    [...wordsOf(code)].flatMap((name) => (name === own ? [] : (functions.get(name) ?? []))),
  );
  return [...new Set([...first, ...further])];
}
