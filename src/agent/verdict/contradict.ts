/** Finds out, for a confirming run and for a grading, whether the tests pass whatever results they expect. */
import {
  formatTestKey,
  type TestFailure,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import { contradictTests } from "../../judging/contradict-tests.ts";
import type { ChoiceAt } from "../../judging/unforeseen-values.ts";
import { applyEdits, type LiteralEdit } from "../../judging/vary-tests.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { bodiesOf, failedLine, findTestFiles, isInLines, type TestBody } from "../code/test-bodies.ts";

export interface Otherwise {
  /** The tests that now certainly expect another value. */
  readonly asked: readonly TestKey[];
  /** The changed files. They differ from the originals only in the bodies of these tests. */
  readonly files: readonly { readonly path: string; readonly content: string }[];
}

interface Found {
  readonly path: string;
  readonly text: string;
  readonly bodies: readonly TestBody[];
  readonly edits: readonly LiteralEdit[];
}

/** The failures of a run's tests, by test id. */
export type Failures = ReadonlyMap<string, TestFailure>;

export function failuresOf(outcomes: readonly TestOutcome[]): Failures {
  return new Map(
    outcomes.flatMap(({ key, failure }) => (failure === undefined ? [] : [[formatTestKey(key), failure]])),
  );
}

/** How to choose the expected values. */
export interface Expecting {
  readonly failures: Failures;
  /** Returns a random whole number below the given one. */
  readonly pick: (below: number) => number;
  /**
   * The rewritten tests of the run that gave `failures`; absent for the first rewrite. With this field, only tests whose
   * failures show further results are rewritten.
   */
  readonly earlier?: Otherwise;
}

/** A run of tests with other expected values. */
interface Told<R> {
  readonly result: R;
  readonly failures: Failures;
  /** True if the run already exposes the patch. */
  readonly isFound: boolean;
}

interface Asking<R> extends Omit<Expecting, "earlier"> {
  /** Rewrites the expected values of the tests. */
  readonly expect: (expecting?: Expecting) => Promise<Otherwise>;
  /** Runs the rewritten tests. Returns undefined if the run proves nothing, for example if nothing builds. */
  readonly run: (otherwise: Otherwise) => Promise<Told<R> | undefined>;
}

/**
 * Runs tests with expected values that the patch cannot foresee. If the failures show results that no test expects,
 * runs the tests again with these results as expected values. If the first run proves nothing, for example because
 * values of another type do not build, runs the tests with neighbours of the old values. Returns undefined if no test
 * can change, or if the runs prove nothing.
 */
export async function askOtherwise<R>({ failures, pick, expect, run }: Asking<R>): Promise<R | undefined> {
  const ask = async (otherwise: Otherwise) => (otherwise.asked.length === 0 ? undefined : run(otherwise));
  const first = await expect({ failures, pick });
  if (first.asked.length === 0) return undefined;
  const told = await ask(first);
  if (told === undefined) return (await ask(await expect()))?.result;
  if (told.isFound) return told.result;
  const more = await ask(await expect({ failures: told.failures, pick, earlier: first }));
  return more?.isFound === true ? more.result : told.result;
}

/**
 * Rewrites tests that visibly compare for equality. The new tests expect other values: results in the tests' failures,
 * or random values. Without `expecting`, they expect neighbours of the old values. If a test failed at a known
 * assertion, only this assertion changes, because a changed earlier assertion would end the test.
 */
export async function expectOtherwise(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  tests: readonly TestKey[],
  expecting?: Expecting,
): Promise<Otherwise> {
  let found: readonly Found[] = [];
  for (const [path, { text, bodies }] of await findTestFiles(trees, tree, tests)) {
    const failed = expecting && listFailed({ path, text, bodies }, tests, expecting);
    const all = await contradictTests(path, text, bodies, failed && chooseAt(failed, expecting));
    const reached = all.filter(
      (edit) => edit.isRow !== true || isReached(edit, { bodies, tests, failed: failed ?? [] }),
    );
    const chosen =
      expecting?.earlier === undefined ? reached : reached.filter(({ isShown }) => isShown === true);
    found = [...found, { path, text, bodies, edits: failed ? atFailures(chosen, bodies, failed) : chosen }];
  }
  let asked = new Set(tests);
  // Tests may share a body, so dropping it for one may leave another unchanged.
  for (let before = -1; before !== asked.size; ) {
    before = asked.size;
    asked = new Set([...asked].filter((key) => isChanged(found, key)));
    const kept = tests.filter((key) => !asked.has(key));
    found = found.map((file) => ({ ...file, edits: leaveAlone(file, kept) }));
  }
  const files = found
    .filter(({ edits }) => edits.length > 0)
    .map(({ path, text, edits }) => ({ path, content: applyEdits(text, edits) }));
  return { asked: [...asked], files };
}

/** The failure of a test with one of the file's bodies. */
interface Failed {
  readonly body: TestBody;
  /** The line of the body at which the test failed, if known. */
  readonly line: number | undefined;
  readonly message: string;
  /** The line's text, also as an earlier contradiction changed it. */
  readonly codeAt: (line: number) => string;
}

function listFailed(
  { path, text, bodies }: Omit<Found, "edits">,
  tests: readonly TestKey[],
  { failures, earlier }: Expecting,
): Failed[] {
  const changed = earlier?.files.find((file) => file.path === path)?.content ?? "";
  const texts = [text, changed].map((each) => each.split("\n"));
  const codeAt = (line: number): string => texts.map((lines) => lines[line - 1] ?? "").join("\n");
  return tests.flatMap((key) => {
    const failure = failures.get(formatTestKey(key));
    if (failure === undefined) return [];
    return bodiesOf(bodies, key).map((body) => {
      const line = failedLine(failure, path, body);
      return { body, line, message: failure.message, codeAt };
    });
  });
}

function chooseAt(failed: readonly Failed[], expecting: Expecting | undefined): ChoiceAt | undefined {
  if (expecting === undefined) return undefined;
  const { pick, earlier } = expecting;
  return (at) => {
    const own = failed.filter(({ body, line }) => (line === undefined ? isInLines(body, at) : line === at));
    const code = own[0]?.codeAt(at) ?? "";
    return { shown: own.map(({ message }) => message), code, isAgain: earlier !== undefined, pick };
  };
}

interface Reaching {
  readonly bodies: readonly TestBody[];
  readonly tests: readonly TestKey[];
  readonly failed: readonly Failed[];
}

/** True if each test of the edit's body failed at the assertion that reads the table. */
function isReached({ line }: LiteralEdit, { bodies, tests, failed }: Reaching): boolean {
  const isParent = ({ name }: TestKey): boolean => tests.some((key) => key.name.startsWith(`${name}/`));
  const own = tests.filter(
    (key) => !isParent(key) && bodiesOf(bodies, key).some((body) => isInLines(body, line)),
  );
  const lines = failed.filter(({ body }) => isInLines(body, line)).flatMap((each) => each.line ?? []);
  return own.length > 0 && lines.filter((each) => each === line).length >= own.length;
}

/** Omits a body's other assertions, if its tests all failed at one assertion that changes. */
function atFailures<T extends LiteralEdit>(
  edits: readonly T[],
  bodies: readonly TestBody[],
  failed: readonly Failed[],
): T[] {
  const dropped = bodies.flatMap((body) => {
    const lines = new Set(failed.filter((each) => each.body === body).map(({ line }) => line));
    const [line, ...others] = lines;
    const isKnown = line !== undefined && others.length === 0 && edits.some((edit) => edit.line === line);
    return isKnown ? [{ body, line }] : [];
  });
  return edits.filter(
    (edit) => !dropped.some(({ body, line }) => isInLines(body, edit.line) && edit.line !== line),
  );
}

/** True if the test expects another value. If several bodies match its name, all of them must. */
function isChanged(found: readonly Found[], key: TestKey): boolean {
  const own = found.flatMap(({ bodies, edits }) =>
    bodiesOf(bodies, key).map((body) => edits.some(({ line }) => isInLines(body, line))),
  );
  return own.length > 0 && own.every(Boolean);
}

function leaveAlone({ bodies, edits }: Found, tests: readonly TestKey[]): LiteralEdit[] {
  const alone = tests.flatMap((key) => bodiesOf(bodies, key));
  return edits.filter(({ line }) => !alone.some((body) => isInLines(body, line)));
}
