/**
 * Chooses the tests that run before a model is asked. In a large suite, these tests are nearest to the statement: they
 * share its words, or reach its likely places.
 */

import { posix } from "node:path";
import { z } from "zod";
import type { Task } from "../../domain/task.ts";
import { answerWith } from "../../graph/retrieval/answer.ts";
import { findPlaces } from "../../graph/retrieval/find.ts";
import type { TestCommand } from "../../languages/contract.ts";
import { familyOf, isOwnSource, isSourceFile, isTestFile, languageOf } from "../../languages/source-files.ts";
import { namesIn, testsOfPlaces } from "../../tools/tests-of-places.ts";
import { fits, globsOf, isNamedAsTest } from "../code/collected-tests.ts";
import { isBesideTests } from "../code/tests-by-words.ts";
import type { TreeView } from "../views.ts";
import type { MeasurementContext } from "./measurement.ts";
import { rankByWords } from "./rank-tests.ts";

export interface FirstTests {
  /** The test files, nearest first. */
  readonly files: readonly string[];
  /** The total number of test files. */
  readonly of: number;
}

const schema = z.object({ files: z.array(z.string()), of: z.int() });

/** A suite of at most this many files runs completely. */
const fewFiles = 12;
const most = { files: 4, places: 6, bytes: 60_000, ms: 20_000 };
const budget = { tokens: 2_400, longestPiece: 40, longestOfFirst: 90 };
/**
 * Chooses the tests to run first, and records the choice for a resumed run. Undefined if all tests run first: the suite
 * is small, or no test file matches. Also undefined if the task has no statement, target or named tests.
 *
 * Takes the files of tests that the user named. Otherwise searches paths and texts of tests for the statement's words.
 * If no file matches, uses the code graph: tests that reach likely places. `likeliest`: the command to try first.
 */
export async function chooseFirstTests(
  { task, recorder, frameworks, workspace: { base, trees }, rememberedTimes }: MeasurementContext,
  view: TreeView,
  likeliest?: Pick<TestCommand, "command" | "directory" | "framework">,
): Promise<FirstTests | undefined> {
  const { failingTests: named = [] } = task;
  const statement = subjectOf(task);
  const paths = (await trees.list(base)).map(({ path }) => path);
  const runner = frameworks.find(({ name }) => name === likeliest?.framework);
  const files = filesOfTests(paths, likeliest, runner?.language);
  if (files.length <= fewFiles || (statement === "" && named.length === 0)) return undefined;
  const options = { key: "first-tests", title: "choose the tests to run first", schema };
  const chosen = await recorder.step(options, async () => {
    const of = files.length;
    if (named.length > 0) return { files: filesOfNames(named, files), of };
    const texts = new Map<string, string>();
    for (const path of files) texts.set(path, (await trees.read(base, path))?.toString("utf8") ?? "");
    const said = rankByWords(statement, texts);
    const ranked = said.length > 0 ? said : await rankByGraph(view, base, statement, files);
    return { files: takeNearest(ranked, texts, rememberedTimes), of };
  });
  return chosen.files.length === 0 ? undefined : chosen;
}

/** Returns the text that describes the task: its statement and its target. A task may have only a target. */
export function subjectOf({ statement, target = "" }: Pick<Task, "statement" | "target">): string {
  return `${statement}\n${target}`.trim();
}

/**
 * Keeps test files that the command names or whose paths match its patterns, whatever their names. Without such words,
 * keeps files with test names. Of these, keeps only those in the framework's language, if there are any. Pure.
 */
export function filesOfTests(
  paths: readonly string[],
  command?: Pick<TestCommand, "command" | "directory">,
  language?: string,
): string[] {
  const globs = command === undefined ? [] : globsOf(command);
  const words = new Set(command?.command.split(" ").map((word) => posix.join(command.directory, word)));
  const named = new Set(paths.filter((path) => words.has(path) && isTestFile(path)));
  const isMeant = (path: string): boolean =>
    globs.length + named.size > 0
      ? named.has(path) || (isOwnSource(path) && fits(globs, path))
      : isNamedAsTest(path);
  const found = paths.filter((path) => isMeant(path) && !isBesideTests(path));
  const own = found.filter((path) => familyOf(languageOf(path)?.name ?? "") === language);
  return own.length > 0 ? own : found;
}

/** The files in the user's test names. None if one of the names contains no file. */
function filesOfNames(named: readonly string[], files: readonly string[]): string[] {
  const found = named.map((name) => files.find((file) => name.includes(file)));
  return found.every((file) => file !== undefined) ? [...new Set(found)] : [];
}

async function rankByGraph(
  view: TreeView,
  base: string,
  statement: string,
  files: readonly string[],
): Promise<string[]> {
  await view.lay(base);
  const searcher = await view.context.searcher();
  const { linesOf } = searcher;
  const options = { files: most.places, places: 2 * most.places, budget, linesOf };
  const found = answerWith(searcher, findPlaces(searcher, statement), options).places.filter(
    ({ path, shown }) => shown !== undefined && isSourceFile(path),
  );
  const near = found
    .slice(0, most.places)
    .map(({ path, shown }) => ({ path, line: shown?.startLine ?? 1, words: namesIn(statement) }));
  const present = new Set(files);
  const reached = testsOfPlaces(searcher, near, most.files * 4).map(({ path }) => path);
  return [...new Set(reached)].filter((path) => present.has(path));
}

/**
 * Divides files, in their order, into those whose stored durations fit into `timeMs` together, and the others. Skips a
 * slow file, so that later files may fit. Always takes the first file. If its duration exceeds `timeMs`, takes no other
 * file. Otherwise files without a stored duration always fit. Pure.
 */
export function takeInTime(
  ranked: readonly string[],
  times: ReadonlyMap<string, number> = new Map(),
  timeMs: number,
): { readonly taken: string[]; readonly left: string[] } {
  let leftMs = timeMs;
  const taken = ranked.filter((path, at) => {
    const ms = times.get(path) ?? 0;
    const fits = at === 0 || ms <= leftMs;
    if (fits) leftMs -= ms;
    return fits;
  });
  return { taken, left: ranked.filter((path) => !taken.includes(path)) };
}

/**
 * Takes at most four of the nearest files, up to a number of bytes, because a long file has many tests. A file with a
 * known time counts by this time instead. The first file may be longer, but its known time must fit; if no file is
 * left, takes the nearest file. Pure.
 */
export function takeNearest(
  ranked: readonly string[],
  texts: ReadonlyMap<string, string>,
  times: ReadonlyMap<string, number> = new Map(),
): string[] {
  let left = 1;
  const taken: string[] = [];
  for (const path of ranked.slice(0, most.files * 3)) {
    const ms = times.get(path);
    const share = ms === undefined ? (texts.get(path) ?? "").length / most.bytes : ms / most.ms;
    const isFirst = taken.length === 0 && (ms === undefined || share <= 1);
    if (!isFirst && share > left) continue;
    left -= share;
    taken.push(path);
    if (taken.length === most.files) break;
  }
  return taken.length > 0 ? taken : ranked.slice(0, 1);
}
