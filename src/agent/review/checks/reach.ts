import { isCodeFile } from "../../../languages/source-files.ts";
import type { ChangedFile } from "../../code/change.ts";
import { formatSpan, overlap, type Span } from "../../code/diff-spans.ts";
import { symbolsOf } from "../../code/symbols-of.ts";
import type { TaskState } from "../../state/task-state.ts";
import { defineReviewCheck } from "../contract.ts";

const mostNamed = 5;

export default defineReviewCheck({
  name: "reach",
  description:
    "Names changes that the statement, the located places and a failing test's stack frames do not mention.",
  async read({ change, task }, state, { kind }) {
    const elsewhere = kind === "code" ? await findElsewhere(change.files, task.statement, state) : [];
    if (elsewhere.length > 0)
      return [
        {
          weight: "doubt",
          text: `The patch changes ${list(elsewhere.map(formatSpan))}, outside of all located places (${list(state.codePlaces.map(formatSpan))}). Neither the statement nor a failing test names this code.`,
        },
      ];
    const strangers = findStrangers(
      change.files.map(({ path }) => path),
      task.statement,
      state,
    );
    if (strangers.length === 0) return [];
    return [
      {
        weight: "note",
        text: `The patch changes files outside of the located places. Neither the statement nor a failing test names them: ${list(strangers)}.`,
      },
    ];
  },
});

function list(items: readonly string[]): string {
  return `${items.slice(0, mostNamed).join(", ")}${items.length > mostNamed ? " …" : ""}`;
}

type Known = Pick<TaskState, "codePlaces" | "testPlaces" | "fault">;

/**
 * Finds changed source files that the found places, the failing frames and the statement do not name. Returns an empty
 * list if the run has found no place in the code yet.
 */
export function findStrangers(
  paths: readonly string[],
  statement: string,
  { codePlaces, testPlaces, fault }: Known,
): string[] {
  if (codePlaces.length === 0) return [];
  const known = new Set([...codePlaces, ...testPlaces, ...framesOf(fault)].map(({ file }) => file));
  return paths.filter((path) => {
    const name = path.slice(path.lastIndexOf("/") + 1);
    // A change log or a documentation page, which nothing runs.
    return isCodeFile(path) && !known.has(path) && !statement.includes(name);
  });
}

/**
 * Returns the change's places on the base if all of them lie outside the known places; otherwise an empty list. The
 * known places are the found places, the definitions around them, and definitions in the statement or a failing frame.
 * Also returns an empty list if the run has found no place yet, or if a file is new.
 */
export async function findElsewhere(
  files: readonly ChangedFile[],
  statement: string,
  { codePlaces, fault }: Known,
): Promise<Span[]> {
  const sources = files.filter(({ path }) => isCodeFile(path));
  if (codePlaces.length === 0 || sources.some(({ before }) => before === undefined)) return [];
  const frames = framesOf(fault).map(({ file, line }) => ({ file, startLine: line, endLine: line }));
  const known: readonly Span[] = [...codePlaces, ...frames];
  const spans: Span[] = [];
  for (const { path, before = "", hunks } of sources) {
    const definitions = (await symbolsOf(path, before))?.definitions ?? [];
    for (const { beforeStart, beforeEnd } of hunks) {
      const span = { file: path, startLine: beforeStart, endLine: Math.max(beforeStart, beforeEnd - 1) };
      const around = definitions.filter(
        ({ kind, startLine, endLine }) =>
          callable.test(kind) && overlap(span, { file: path, startLine, endLine }),
      );
      const reached = [span, ...around.map(({ startLine, endLine }) => ({ file: path, startLine, endLine }))];
      if (reached.some((each) => known.some((place) => overlap(each, place)))) return [];
      if (around.some(({ name }) => isNamed(statement, name))) return [];
      spans.push(span);
    }
  }
  return spans;
}

const callable = /^(?:function|method|constructor|test)$/;

/**
 * True if the statement contains the name as a whole word. Short words do not count, because they may mean anything.
 */
function isNamed(statement: string, name: string): boolean {
  return name.length > 2 && statement.split(/[^\w$]+/).includes(name);
}

function framesOf(fault: TaskState["fault"]) {
  return (fault?.baseRuns ?? []).flat().flatMap(({ failure }) => failure?.frames ?? []);
}
