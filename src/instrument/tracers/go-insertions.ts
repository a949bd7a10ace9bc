/** Inserts calls of `runtime/go-trace` into the functions of a Go file, and keeps all line numbers. */
import { type Insertion, insertAll } from "../text-insertions.ts";
import type { TracedFunction } from "../tracer.ts";
import type { GoFile, GoFunction, GoResult } from "./go-functions.ts";

export interface ChosenFunction {
  readonly id: number;
  readonly of: GoFunction;
  /** False if the trace records the function only during calls of a requested function. */
  readonly asked: boolean;
  readonly level: TracedFunction["level"];
}

const prefix = "millwright";

/** Inserts calls of the runtime; undefined if there is nothing to insert. `importPath` names the runtime's package. */
export function insertGoCalls(
  file: GoFile,
  functions: readonly ChosenFunction[],
  importPath: string,
): string | undefined {
  const chosen = functions.filter(({ level, of }) => level !== "none" && of.bodyStart !== undefined);
  const asked = new Set(chosen.filter((each) => each.asked).map(({ of }) => of));
  const mains = file.functions.filter((of) => of.isMain && !asked.has(of));
  if (chosen.length === 0 || file.importAt === undefined) return undefined;
  const insertions: Insertion[] = [
    { at: file.importAt, text: `; import ${prefix} ${JSON.stringify(importPath)}`, side: "close", order: 0 },
  ];
  for (const each of chosen) insertions.push(...insertionsOf(each));
  // Recorded or not, its end is the end of the process.
  for (const { bodyStart } of mains) {
    if (bodyStart === undefined) continue;
    insertions.push({ at: bodyStart, text: ` defer ${prefix}.Done();`, side: "open", order: 0 });
  }
  return insertAll(file.text, insertions);
}

function insertionsOf({ id, of, asked, level }: ChosenFunction): Insertion[] {
  const withResults = level !== "calls" && of.results.length > 0;
  const parameters = level === "values" ? of.parameters : [];
  const begin = [
    String(id),
    JSON.stringify(level === "values" ? parameters.join(",") : "-"),
    ...parameters,
  ].join(", ");
  const results = withResults ? of.results.map((result, index) => nameOf(result, index)) : [];
  const end = [`${prefix}Call`, ...results].join(", ");
  const out = withResults && of.fallible ? "OutError" : "Out";
  const text = ` ${prefix}Call := ${prefix}.${asked ? "In" : "Near"}(${begin}); defer func() { ${prefix}.${out}(${end}) }();`;
  const body: Insertion = { at: of.bodyStart ?? 0, text, side: "open", order: id };
  return withResults ? [...nameResults(of, id), body] : [body];
}

function nameOf({ name }: GoResult, index: number): string {
  return name === undefined || name === "_" ? `${name ?? ""}${prefix}${index}` : name;
}

/** Names the results: `int` becomes `(millwright0 int)`, `_ int` becomes `_millwright0 int`. */
function nameResults({ results, bareResult }: GoFunction, order: number): Insertion[] {
  return results.flatMap(({ name, start, end }, index): Insertion[] => {
    if (name === "_") return [{ at: end, text: `${prefix}${index}`, side: "close", order }];
    if (name !== undefined) return [];
    const opening = bareResult ? "(" : "";
    const named: Insertion = { at: start, text: `${opening}${prefix}${index} `, side: "open", order };
    return bareResult ? [named, { at: end, text: ")", side: "close", order }] : [named];
  });
}
