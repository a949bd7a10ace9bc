/**
 * Turns the changes in a working tree into candidates. Makes one for each part of the kind, such as a test and a fix.
 * Adds one for tests that show the fault.
 */

import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { fileMode } from "../../workspace/file-mode.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { tellUnbuilt, testFilesOf } from "../code/built-tests.ts";
import { type ChangedFiles, changedFiles } from "../code/changed-files.ts";
import type { Part } from "../kinds/contract.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { testsAlone } from "../kinds/tests-alone.ts";
import { sayPatchedPlace, testsOfPlace } from "../measure/patched-place.ts";
import { runOn } from "../measure/run-candidate.ts";
import { shorten } from "../record/shorten.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import { raisedError, renderRaised } from "../state/raised-error.ts";
import type { TaskState } from "../state/task-state.ts";
import { failingExamples, withKeptTests } from "./keep-examples.ts";
import { keepWritten, type OfPlace, runWritten, type WrittenTests } from "./written-tests.ts";

export interface KeptWork {
  readonly state: TaskState;
  /** For people: unused parts of the work, with the reasons. */
  readonly remarks: readonly string[];
  /**
   * Remarks about written tests that do not run, or that fail with and without the patch. Their author always gets
   * these remarks.
   */
  readonly faulty: readonly string[];
  /**
   * Written tests that all pass without the patch, their files, and the author's whole tree. They are not kept yet: see
   * `keepGuards`.
   */
  readonly guarding?: {
    readonly written: WrittenTests;
    readonly files: readonly string[];
    readonly tree: string;
  };
}

/**
 * Stores an author's work as candidates. A patch of code never contains tests, wherever they are. Remarks name the
 * omitted parts.
 *
 * If written tests fail without the code for the stated reason, they also show the fault, like the repository's tests.
 * For a kind with a specification, Millwright measures these tests together with the target's other tests.
 *
 * `because`: the author's explanation of how the failures match the statement. It counts only if a review agrees and
 * the statement names the changed code. If the statement names no code, a word in the name of the changed code is
 * enough. The review must also agree if only words at the patch's place link the tests to the statement.
 */
export async function keepWork(
  context: JudgeContext & Pick<ActionContext, "switches">,
  state: TaskState,
  tree: string,
  origin: string,
  because = "",
): Promise<KeptWork> {
  const { workspace, task, regions } = context;
  const { base, trees } = workspace;
  const changed = await changedFiles(trees, regions, base, tree);
  const { parts, isSpecified } = rulesOf(task.kind);
  const work = { base, tree, changed, regions, failing: failingExamples(context) };
  let next = state;
  for (const part of parts) {
    const own = await treeOfPart(trees, work, part);
    if (own !== undefined) next = keepCandidate(context, next, { tree: own, kind: part.kind, origin }).state;
  }
  const takes = (wanted: "code" | "tests"): boolean =>
    parts.some(({ files }) => files === wanted || files === "both");
  const tests = takes("tests") ? [] : [...new Set([...changed.tests, ...changed.inside])];
  const code = takes("code") ? [] : changed.code;
  if (tests.length === 0 || next === state)
    return { state: next, remarks: describeUnused([...tests, ...code], ""), faulty: [] };
  const alone = await testsAlone(trees, regions, { base, tree }, changed);
  const { shown, strangers, unreported, guarding } = await showFault(context, next, {
    tree: alone,
    files: tests,
    because,
  });
  const faulty = [
    ...(await tellUnrun(context, tree, tests, unreported)),
    ...(await tellFaulty(context, tree, strangers)),
  ];
  if (typeof shown === "string") {
    const unused = { state: next, remarks: describeUnused(tests, `: ${shown}`), faulty };
    return guarding === undefined
      ? unused
      : { ...unused, guarding: { written: guarding, files: tests, tree } };
  }
  return {
    state: shown,
    remarks: [
      `The written tests ${isSpecified ? "are measured with the target's other tests" : "show the fault"}. tests.diff, next to the patch, contains them: ${tests.join(", ")}.`,
    ],
    faulty,
  };
}

/** Remarks about written files whose tests do not run, according to the build's rules or to the test report. */
async function tellUnrun(
  context: JudgeContext,
  tree: string,
  files: readonly string[],
  unreported: readonly string[],
): Promise<readonly string[]> {
  const { left } = await testFilesOf(context, tree);
  const others = unreported.filter((path) => !left.has(path)).slice(0, mostDoubts);
  return [
    ...(await tellUnbuilt(context, tree, files, new Set())),
    ...others.map((path) => `The run reported no test in ${path}: the file has no effect.`),
  ];
}

/**
 * Remarks about the tests in `strangers` that also fail with the patch. Such a test may itself be wrong. One remark
 * names the number of tests beyond the first five.
 */
async function tellFaulty(
  context: RunContext,
  tree: string,
  strangers: readonly TestOutcome[],
): Promise<readonly string[]> {
  if (strangers.length === 0) return [];
  const tests = strangers.map(({ key }) => key);
  const { outcomes } = await runOn(context, tree, { kind: "tests", tests });
  const failing = outcomes.filter(
    ({ key, status }) =>
      isFailing(status) && tests.some((each) => formatTestKey(each) === formatTestKey(key)),
  );
  const told = failing.slice(0, mostDoubts).map(({ key, failure }) => {
    const error =
      failure === undefined ? "" : ` (${shorten(renderRaised(raisedError(failure)), longestError)})`;
    return `${formatTestKey(key)} fails with and without the patch${error}, so it shows nothing. Correct or remove it.`;
  });
  const more = failing.length - told.length;
  return more > 0 ? [...told, `Further tests that fail with and without the patch: ${more}.`] : told;
}
/** Maximum characters of an error. */
const longestError = 200;

interface Work {
  readonly base: string;
  readonly tree: string;
  readonly changed: ChangedFiles;
  readonly regions: TestRegions;
  /** Selects the files of a tree with an example that passed on the base and fails in this tree. */
  readonly failing: (tree: string, paths: readonly string[]) => Promise<readonly string[]>;
}

/**
 * Returns the base with the changes that belong to the part: its code, its tests or both. Undefined if there are no
 * such changes.
 */
export async function treeOfPart(
  trees: TreeStore,
  { base, tree, changed, regions, failing }: Work,
  { files }: Pick<Part, "files">,
): Promise<string | undefined> {
  const { tests, code, inside } = changed;
  const all = [...new Set([...tests, ...inside, ...code])];
  if (files === "both") return all.length === 0 ? undefined : pick(trees, { base, tree }, all);
  if (files === "tests")
    return tests.length + inside.length === 0
      ? undefined
      : testsAlone(trees, regions, { base, tree }, changed);
  if (code.length === 0) return undefined;
  const picked = await pick(trees, { base, tree }, code);
  const mixed = code.filter((path) => inside.includes(path));
  return mixed.length === 0 ? picked : withKeptTests({ trees, regions, base, tree: picked, failing }, mixed);
}

function describeUnused(paths: readonly string[], why: string): string[] {
  return paths.length === 0 ? [] : [`Also changed, but not delivered: ${paths.join(", ")}${why}.`];
}

/** Writes these files of another tree into the base. */
async function pick(
  trees: TreeStore,
  { base, tree }: Pick<Work, "base" | "tree">,
  paths: readonly string[],
): Promise<string> {
  const modes = new Map((await trees.list(tree)).map(({ path, mode }) => [path, mode]));
  const changes: FileChange[] = [];
  for (const path of paths) {
    const content = (await trees.read(tree, path)) ?? null;
    const mode = fileMode(modes.get(path));
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  return trees.write(base, changes);
}

/** Maximum number of faulty tests, unreported files or doubts to name. */
const mostDoubts = 5;

/**
 * Says why an author's explanation is not evidence. `says`: the statement's words about the patch's place, if there are
 * any.
 */
function unsupported(says: string | undefined): string {
  return says === undefined
    ? "`because` does not count: the statement names other code, or the names of fewer than half of the changed places contain words of the statement"
    : `\`because\` does not count: ${says}, and the tests also pass without the changes there`;
}

/** Uses the tests to show the fault. Holds back no test, because the patch already exists. */
async function showFault(
  context: JudgeContext & Pick<ActionContext, "switches">,
  state: TaskState,
  {
    tree,
    files,
    because,
  }: { readonly tree: string; readonly files: readonly string[]; readonly because: string },
): Promise<ShownWork> {
  const patch = state.candidates.findLast(({ kind }) => kind === "code");
  let refused: string | undefined;
  const ofPlace =
    (byName: boolean): OfPlace =>
    async (asked) => {
      const found = patch && (await sayPatchedPlace(context, patch.tree, byName));
      const work = { tests: tree, patch: patch?.tree ?? tree, asked };
      const own = found && (await testsOfPlace(context, found, work));
      const isShown = own !== undefined && own.tests.length > 0;
      if (byName) refused = isShown ? undefined : unsupported(found?.says);
      return found !== undefined && isShown ? { ...found, ...own } : undefined;
    };
  // An opinion alone would tie any patch to any statement.
  const ran = await runWritten(context, tree, files, {
    ...{ reworded: true, because, place: ofPlace(false), supports: ofPlace(true) },
  });
  if (!ran.ok) return { shown: ran.message, strangers: [], unreported: [] };
  const { failing, strangers, unreported, doubts } = ran.value;
  if (failing.length === 0) {
    const why = [
      "none of them fails for the stated reason without the patch",
      ...(refused === undefined ? [] : [refused]),
      ...firstDoubts(doubts),
    ];
    const isNone = strangers.length === 0;
    return {
      shown: isNone ? "none of them fails without the patch" : why.join("\n  "),
      strangers,
      unreported,
      ...(isNone && ran.value.guards.length > 0 ? { guarding: ran.value } : {}),
    };
  }
  const switches = { ...context.switches, heldBack: false };
  const kept = await keepWritten({ ...context, switches }, state, ran.value, "third");
  if (!kept.ok) return { shown: kept.message, strangers, unreported };
  const isOpinion = ran.value.isOpinion === true && state.fault?.reason.holds !== true;
  return { shown: isOpinion ? untilAgreed(kept.value.state) : kept.value.state, strangers, unreported };
}

interface ShownWork extends Pick<WrittenTests, "strangers" | "unreported"> {
  /** The state with the reproduction, or the reason why the tests do not count. */
  readonly shown: TaskState | string;
  /** The tests, if they all pass without the patch. */
  readonly guarding?: WrittenTests;
}

/**
 * Keeps written tests that pass without the patch, once other tests show the fault. They can cover stated cases. Drops
 * a test that fails with its author's own patch, because it probably records the faulty behaviour.
 */
export async function keepGuards(
  context: JudgeContext & Pick<ActionContext, "switches">,
  work: KeptWork,
): Promise<KeptWork> {
  const { guarding, ...kept } = work;
  if (guarding === undefined || kept.state.fault === undefined) return kept;
  const tests = guarding.written.guards.map(({ key }) => key);
  const { outcomes } = await runOn(context, guarding.tree, { kind: "tests", tests });
  const guards = guarding.written.guards.filter(({ key }) => findStatus(outcomes, key) === "passed");
  if (guards.length === 0) return kept;
  const added = await keepWritten(context, kept.state, { ...guarding.written, guards }, "third");
  if (!added.ok) return kept;
  return {
    ...kept,
    state: added.value.state,
    remarks: [
      `Written tests that pass with and without the patch guard behaviour. tests.diff, next to the patch, contains them: ${guarding.files.join(", ")}.`,
    ],
  };
}

function firstDoubts(doubts: readonly string[]): string[] {
  const more = doubts.length - mostDoubts;
  return more > 0 ? [...doubts.slice(0, mostDoubts), `- … ${more} more`] : [...doubts];
}

/**
 * Makes the reason for the fault depend on a review. The patch's author wrote these tests, and no one else has read
 * them.
 */
function untilAgreed(state: TaskState): TaskState {
  const { fault } = state;
  if (fault === undefined) return state;
  const { evidence } = fault.reason;
  const reason = {
    ...fault.reason,
    holds: false,
    evidence: `${evidence}; no review agrees`,
    ifAgreed: `${evidence}; the review agrees`,
  };
  return { ...state, fault: { ...fault, reason } };
}
