/**
 * Compares code versions on further inputs. Varies one literal at a time in tests near a change. Runs these tests on
 * the base and on each version. Works in every language with a dialect. Starts the tests once for all versions if the
 * framework supports batches.
 */

import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { applyEdits, type LiteralEdit, varyTests } from "../../judging/vary-tests.ts";
import type { Comparison, TestCommand, TestFramework } from "../../languages/contract.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { findTestFiles, type TestFile } from "../code/test-bodies.ts";
import type { TestExecutor } from "../suite.ts";
import { composeProgram } from "./candidate-program.ts";

/** A version of the code, given as whole changed files or as one edit. */
export interface Version {
  /** The version's number, from 1. */
  readonly id: number;
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly edit?: {
    readonly file: string;
    readonly start: number;
    readonly end: number;
    readonly replacement: string;
  };
}

export interface VariedRequest {
  readonly workspace: Pick<Workspace, "trees">;
  readonly executor: TestExecutor;
  readonly regions: TestRegions;
  readonly framework: TestFramework;
  readonly command: TestCommand;
  /** The base, with tests that the run wrote. */
  readonly tree: string;
  /** The tests to vary, nearest first. Those in `failing` are known to fail on the tree. */
  readonly tests: readonly TestKey[];
  readonly failing: ReadonlySet<string>;
  readonly versions: readonly Version[];
  readonly testTimeoutMs: number;
  /** Maximum number of inputs, for callers with little time. */
  readonly rounds?: number;
  /**
   * Milliseconds for all rounds. A round starts only if the remaining time is at least the longest round's duration so
   * far.
   */
  readonly timeMs: number;
  /** Called if there is no time for some of the inputs. */
  readonly onCut?: () => void;
}

/** Rounds vary different literals. With many tests, more rounds than usual add little. */
const usualRounds = 5;
const mostRounds = 12;
/** Number of inputs. With fewer, up to `mostRounds` rounds run. */
const wantedInputs = 24;
/** Maximum tests of a round, and maximum builds, because a literal may not compile. */
const mostTests = 60;
const mostBuilds = 3;
/** The numbers that select two unchanged versions. No patch has these numbers. */
const unchanged = { first: 1_000_000_000, again: 1_000_000_001 };

export async function compareOnVariedTests(given: VariedRequest): Promise<Comparison> {
  const deadline = performance.now() + given.timeMs;
  const request = { ...given, tests: given.tests.slice(0, mostTests) };
  const bodies = await findBodies(request);
  const rounds: Round[] = [];
  const ids = new Set<number>();
  let longest = 0;
  const most = bodies.size === 0 ? 0 : (request.rounds ?? roundsFor(request.tests.length));
  for (let number = 0; number < most; number += 1) {
    const started = performance.now();
    if (started + longest > deadline) {
      request.onCut?.();
      break;
    }
    const round = await runRound(request, bodies, number, deadline);
    if (performance.now() >= deadline) request.onCut?.();
    longest = Math.max(longest, performance.now() - started);
    if (round === undefined) continue;
    if (rounds.length === 0) for (const id of round.behaviours.keys()) ids.add(id);
    // All versions must run, because a missing version would change the inputs of the others.
    if ([...ids].every((id) => round.behaviours.has(id))) rounds.push(round);
  }
  const origins = rounds.flatMap((round) => round.origins);
  const behaviours = new Map(
    [...ids].map((id) => [id, rounds.flatMap((round) => round.behaviours.get(id) ?? [])]),
  );
  return {
    origins,
    behaviours,
    isRepeat: listRepeats(
      rounds.flatMap((round) => round.tests),
      behaviours,
    ),
    invalid: origins.length === 0 ? "no test near the change ran with a varied literal" : undefined,
  };
}

/** Marks repeated results. A test that reports no values (`fail("wrong")`) gives the same results for most literals. */
export function listRepeats(
  tests: readonly string[],
  behaviours: ReadonlyMap<number, readonly string[]>,
): boolean[] {
  const seen = new Set<string>();
  return tests.map((test, at) => {
    const key = JSON.stringify([test, ...[...behaviours.values()].map((each) => each[at])]);
    const isRepeat = seen.has(key);
    seen.add(key);
    return isRepeat;
  });
}

export function roundsFor(tests: number): number {
  return Math.min(mostRounds, Math.max(usualRounds, Math.ceil(wantedInputs / Math.max(1, tests))));
}

interface Round {
  /** The ids of the inputs' tests. */
  readonly tests: readonly string[];
  readonly origins: Comparison["origins"];
  readonly behaviours: ReadonlyMap<number, readonly string[]>;
}

/** The tests' files, with the places of the tests in them. */
function findBodies({
  workspace,
  regions,
  tree,
  tests,
  versions,
}: VariedRequest): Promise<Map<string, TestFile>> {
  const changed = new Set(versions.flatMap(({ files }) => files.map(({ path }) => path)));
  return findTestFiles(workspace.trees, tree, tests, (path, own) => {
    const mayHold =
      regions.isWhole(path) || path.endsWith(".rs") || own.some(({ target }) => target === path);
    // The file's text is known only if the change is a single edit.
    return mayHold && !(changed.has(path) && versions.some(({ edit }) => edit === undefined));
  });
}

async function runRound(
  request: VariedRequest,
  bodies: ReadonlyMap<string, TestFile>,
  number: number,
  deadline: number,
): Promise<Round | undefined> {
  const left = new Set<string>();
  for (let build = 0; build < mostBuilds && performance.now() < deadline; build += 1) {
    const edits = new Map<string, readonly LiteralEdit[]>();
    for (const [path, file] of bodies) {
      const isLeft = (line: number): boolean => left.has(`${path}:${line}`);
      const own = await varyTests(path, file.text, file.bodies, number, isLeft);
      if (own.length > 0) edits.set(path, own);
    }
    if (edits.size === 0) return undefined;
    const { outcomes, complaints } = await runVersions(request, bodies, edits, deadline - performance.now());
    const places = complaints.map(({ file, line }) => `${file}:${line}`).filter((place) => !left.has(place));
    if (places.length === 0) return readRound(request, outcomes);
    for (const place of places) left.add(place);
  }
  return undefined;
}

interface Ran {
  readonly outcomes: ReadonlyMap<number, readonly TestOutcome[]>;
  readonly complaints: readonly { readonly file: string; readonly line: number }[];
}

async function runVersions(
  request: VariedRequest,
  bodies: ReadonlyMap<string, TestFile>,
  edits: ReadonlyMap<string, readonly LiteralEdit[]>,
  timeoutMs: number,
): Promise<Ran> {
  const { executor, command, framework, tests, testTimeoutMs, workspace } = request;
  const varied = [...edits].map(([path, own]) => ({
    path,
    content: applyEdits(bodies.get(path)?.text ?? "", own),
  }));
  const tree = await workspace.trees.write(request.tree, varied);
  const versions = request.versions.map((version) => onVaried(version, bodies, edits));
  const { batch } = framework;
  if (batch === undefined) return runPlainly(request, tree, versions, timeoutMs);
  const program = batch.kind === "swap" ? undefined : await composeVersions(request, tree, versions, varied);
  const [first] = versions.flatMap(({ files }) => files);
  const base = first && (await workspace.trees.read(tree, first.path))?.toString("utf8");
  const same = first === undefined || base === undefined ? [] : [{ path: first.path, content: `${base}\n` }];
  const placed = versions.filter(({ id }) => program === undefined || !program.left.has(id));
  return executor.runBatch(command, batch, {
    tree: program?.tree ?? tree,
    tests,
    candidates: [...placed, ...Object.values(unchanged).map((id) => ({ id, files: same }))],
    testTimeoutMs,
    timeoutMs: Math.max(1, timeoutMs),
    stopAtFirstFailure: false,
  });
}

/** Runs the varied tests once for each version, and twice for the base. */
async function runPlainly(
  { executor, command, tests, testTimeoutMs, workspace: { trees } }: VariedRequest,
  tree: string,
  versions: readonly Version[],
  timeoutMs: number,
): Promise<Ran> {
  const deadline = performance.now() + timeoutMs;
  const outcomes = new Map<number, readonly TestOutcome[]>();
  const selection = { kind: "tests", tests } as const;
  const all: Version[] = [...Object.values(unchanged).map((id) => ({ id, files: [] })), ...versions];
  for (const { id, files } of all) {
    const leftMs = deadline - performance.now();
    if (leftMs <= 0) break;
    const own = files.length === 0 ? tree : await trees.write(tree, files);
    const { report } = await executor.run(command, {
      tree: own,
      selection,
      testTimeoutMs,
      timeoutMs: leftMs,
    });
    if (report.invalid === undefined) outcomes.set(id, report.outcomes);
  }
  return { outcomes, complaints: [] };
}

/** Applies the version to the varied text, if the changed file contains the tests. */
function onVaried(
  version: Version,
  bodies: ReadonlyMap<string, TestFile>,
  edits: ReadonlyMap<string, readonly LiteralEdit[]>,
): Version {
  const { edit } = version;
  const own = edit && edits.get(edit.file);
  if (edit === undefined || own === undefined) return version;
  const before = own.filter(({ end }) => end <= edit.start);
  const shift = before.reduce(
    (sum, { start, end, replacement }) => sum + replacement.length - (end - start),
    0,
  );
  const content = applyEdits(bodies.get(edit.file)?.text ?? "", [...own, edit]);
  return {
    ...version,
    files: [{ path: edit.file, content }],
    edit: { ...edit, start: edit.start + shift, end: edit.end + shift },
  };
}

async function composeVersions(
  { workspace: { trees } }: VariedRequest,
  tree: string,
  versions: readonly Version[],
  varied: readonly { readonly path: string; readonly content: string }[],
) {
  const texts = new Map(varied.map(({ path, content }) => [path, content]));
  const variants = [];
  const without = new Set<number>();
  for (const { id, edit } of versions) {
    const base = edit && (texts.get(edit.file) ?? (await trees.read(tree, edit.file))?.toString("utf8"));
    if (edit === undefined || base === undefined) without.add(id);
    else variants.push({ ...edit, id, base });
  }
  const program = await composeProgram(trees, tree, variants);
  return { ...program, left: new Set([...program.left, ...without]) };
}

function readRound(
  request: VariedRequest,
  outcomes: ReadonlyMap<number, readonly TestOutcome[]>,
): Round | undefined {
  const read = new Map(
    [...outcomes].map(([id, all]) => [id, new Map(all.map((each) => [formatTestKey(each.key), each]))]),
  );
  const [base, again] = [read.get(unchanged.first), read.get(unchanged.again)];
  if (base === undefined || again === undefined) return undefined;
  const keys = request.tests.map(formatTestKey);
  // Ignores inputs whose results are not reproducible.
  const steady = keys.filter((key) => {
    const seen = describeOutcome(base.get(key));
    return seen !== undefined && seen === describeOutcome(again.get(key));
  });
  const behaviours = new Map<number, readonly string[]>([
    [0, steady.map((key) => describeOutcome(base.get(key)) ?? "crash")],
  ]);
  for (const { id } of request.versions) {
    const own = read.get(id);
    if (own !== undefined)
      behaviours.set(
        id,
        steady.map((key) => describeOutcome(own.get(key)) ?? "crash"),
      );
  }
  const origins = steady.map((key) => (request.failing.has(key) ? "failing" : "near"));
  return { tests: steady, origins, behaviours };
}

const longestMessage = 600;
/**
 * Parts of a message that differ between runs: lines of a file, ports of this machine, waits, and temporary folders. A
 * result such as Go's `map[fee:14]` or `21s` is none.
 */
const changing =
  /(?<=\.[A-Za-z]\w*|\blocalhost|\b127\.0\.0\.1|<\w+>|[([]eval\d*[)\]]):\d+(?::\d+)?\b|(?<=\b(?:in|after|took|for|within|of) )\d+(?:\.\d+)? ?m?s\b|\/tmp\/\S+/g;
const isAssertion = /assert|expect|comparison|^fail/i;

/**
 * Describes an outcome: `v…` if the test passes or fails at an assertion, `e…` for another error, `hang` for a timeout.
 * Undefined if the test did not run or was skipped.
 */
export function describeOutcome(outcome: TestOutcome | undefined): string | undefined {
  if (outcome === undefined || outcome.status === "not-run" || outcome.status === "skipped") return undefined;
  if (outcome.status === "timed-out") return "hang";
  const { failure } = outcome;
  if (failure === undefined) return `v${outcome.status}`;
  const message = failure.message
    .replaceAll(/0x[0-9a-f]+/gi, "0x")
    .replaceAll(changing, "")
    .slice(0, longestMessage);
  return `${isAssertion.test(failure.type) ? "v" : "e"}${failure.type} ${message}`.replaceAll(/\s+/g, " ");
}
