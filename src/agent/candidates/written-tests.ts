/**
 * Classifies tests written in the run by their results on the base. They fail twice for the stated reason, guard
 * existing behaviour, or do neither. Only test reports decide, not the tests' author.
 */
import { posix } from "node:path";
import { countOf } from "../../base/count.ts";
import { hashText } from "../../base/hash.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import {
  findStatus,
  formatTestKey,
  isFailing,
  isUnbuilt,
  type TestKey,
  type TestOutcome,
  type TestStatus,
} from "../../domain/test-outcome.ts";
import { wholeCommand } from "../../languages/shell/command.ts";
import { plainCommand } from "../../languages/shell/plain-command.ts";
import { isOwnSource, isTestFile, languageOf } from "../../languages/source-files.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { listUncollected, listUnreported, refuseUncollected } from "../code/collected-tests.ts";
import { gainedOn, keysOfGained } from "../code/gained-tests.ts";
import { listTestBodies, selectWithTests } from "../code/test-bodies.ts";
import type { PatchedPlace } from "../measure/patched-place.ts";
import { type Ran, runOn } from "../measure/run-candidate.ts";
import { findRunning } from "../measure/runs-program.ts";
import { matchReason } from "../measure/stated-reason.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import type { SignatureMatch } from "../state/statement-signature.ts";
import type { ShownFault, TaskState } from "../state/task-state.ts";
import type { Suite } from "../suite.ts";

export interface WrittenTests {
  readonly tree: string;
  /** Tests that fail on the base for the stated reason. */
  readonly failing: readonly TestOutcome[];
  /** The best match between a failure and the statement, in words. */
  readonly evidence: string;
  /** The reason why the failures may not be the failure that the statement reports. */
  readonly doubt?: string;
  /** True if only the author's opinion, or words at the patch's place, link the failures to the statement. */
  readonly isOpinion?: true;
  /** Tests that fail on the base without any match with the statement. */
  readonly strangers: readonly TestOutcome[];
  /** True if the rule cannot decide some of the `strangers`. Their author's explanation can then count. */
  readonly isUndecided?: true;
  /** The reasons why the `strangers` do not count, one for each test. */
  readonly doubts: readonly string[];
  /** Tests that pass on the base. */
  readonly guards: readonly TestOutcome[];
  /** Files named as tests for which the run reported no test. Empty if the report names no files. */
  readonly unreported: readonly string[];
}

export interface WrittenOptions {
  readonly reworded?: boolean;
  readonly because?: string;
  readonly place?: OfPlace;
  readonly supports?: OfPlace;
}

/** Returns the statement's mention of a patch's place, and the failing tests that depend on the changes there. */
export type OfPlace = (
  failing: readonly TestKey[],
) => Promise<(Pick<PatchedPlace, "says" | "isNamed"> & { readonly tests: readonly TestKey[] }) | undefined>;

/**
 * Runs the tests of `files` on a tree that adds only tests to the base. Omits tests that the base also has. With
 * `reworded`, keeps those that passed on the base and fail now. Without it, this holds only for the one test that stands
 * for a plain command. Ignores files that the command does not run. Fails if the command runs none of the files, or if
 * the run cannot be trusted.
 *
 * `because`: the author's explanation of how the failures match the statement. As an opinion, the explanation counts
 * only if the rule cannot decide. `place`: the place of an existing patch, which counts under the same condition.
 * `supports`: the patched place that must support `because`. Without a patch, `because` adds undecided tests to the
 * accepted ones.
 */
export async function runWritten(
  context: JudgeContext,
  tree: string,
  files: readonly string[],
  { reworded = false, because = "", place, supports }: WrittenOptions = {},
): Promise<Result<WrittenTests, "invalid" | "not-collected">> {
  const { suite } = context;
  const present = (await context.workspace.trees.list(tree)).map(({ path }) => path);
  const run = withoutUncollected(suite, present, files);
  const asked = await withReaders(context, tree, run);
  const { outcomes, invalid } =
    asked === undefined ? await runAll(context, tree, run) : await runFiles(context, tree, asked);
  if (invalid !== undefined) return fail("invalid", `The run cannot be trusted: ${invalid}`);
  const own = [...new Set(outcomes.map(({ key }) => key.target))].filter(
    (file) => run.includes(file) && isTestFile(file),
  );
  const refusal = refuseUncollected(suite, present, own, outcomes);
  if (refusal !== undefined) return fail("not-collected", refusal);
  const base = new Map(suite.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
  // A plain command reads the files itself, so its exit code is also their result.
  const isWhole = ({ key }: TestOutcome): boolean =>
    suite.command.framework === plainCommand && key.name === wholeCommand;
  const fresh = outcomes.filter((outcome) => isNew(outcome, base, reworded || isWhole(outcome)));
  const failing = fresh.filter(({ status }) => isFailing(status));
  const matched = await matchEach(context, tree, failing);
  // Before the code is written, every test fails.
  const isAnyReason = context.task.kind === "code-generation";
  const byRule = matched.filter(({ match }) => match.matches || isAnyReason);
  const allOpen = matched.filter((each) => each.match.isOpen === true && !byRule.includes(each));
  const open = byRule.length > 0 ? [] : allOpen;
  const asOpen = open.map(({ outcome }) => outcome.key);
  const where = open.length === 0 ? undefined : await place?.(asOpen);
  const isExplained = byRule.length === 0 && where === undefined && because.trim() !== "";
  const support = isExplained && open.length > 0 ? await supports?.(asOpen) : undefined;
  const isOpinion = isExplained && (supports === undefined || support !== undefined);
  const tied = new Set((where ?? support)?.tests.map(formatTestKey) ?? asOpen.map(formatTestKey));
  const ofPatch = open.filter(({ outcome }) => tied.has(formatTestKey(outcome.key)));
  // If the rule accepts some tests, the author's explanation adds others. More tests only make the check stricter.
  const added = byRule.length > 0 && because.trim() !== "" && supports === undefined ? allOpen : [];
  const stated = where !== undefined || isOpinion ? ofPatch : [...byRule, ...added];
  const best = stated.find(({ match }) => match.isStrong) ?? stated.find(({ match }) => match.matches);
  return succeed({
    tree,
    failing: stated.map(({ outcome }) => outcome),
    evidence:
      isAnyReason && stated.length > 0
        ? "the target is not implemented"
        : isOpinion
          ? `in the opinion of the tests' author: ${because.trim()}`
          : (where?.says ?? best?.match.evidence ?? "the test contains no name from the statement"),
    ...(where === undefined
      ? doubtOf(isAnyReason ? undefined : best?.match, isOpinion && stated.length > 0)
      : { doubt: "the tests are linked to the statement only because they execute the patched place" }),
    ...((isOpinion || where?.isNamed === false) && stated.length > 0 ? { isOpinion: true as const } : {}),
    strangers: matched.flatMap((each) => (stated.includes(each) ? [] : [each.outcome])),
    ...(allOpen.some((each) => !stated.includes(each)) ? { isUndecided: true as const } : {}),
    doubts: matched.flatMap((each) =>
      stated.includes(each) ? [] : [`- ${each.outcome.key.name}: ${each.match.evidence}`],
    ),
    guards: fresh.filter(({ status }) => status === "passed"),
    unreported: await selectWithTests(
      context.workspace.trees,
      tree,
      fresh.some(isWhole)
        ? []
        : listUnreported(suite, present, outcomes).filter((path) => files.includes(path)),
    ),
  });
}

interface Matched {
  readonly outcome: TestOutcome;
  readonly match: SignatureMatch;
}

/**
 * Compares failures with the statement. Marks tests as undecided that call nothing of the product, but run a program of
 * the repository.
 */
async function matchEach(
  context: JudgeContext,
  tree: string,
  failing: readonly TestOutcome[],
): Promise<readonly Matched[]> {
  const read = testsOf(context, tree);
  const matched: readonly Matched[] = await Promise.all(
    failing.map(async (outcome) => ({
      outcome,
      match: await matchReason(context.signature, outcome, read),
    })),
  );
  const silent = matched.filter(({ match }) => match.callsNothing === true).map(({ outcome }) => outcome);
  const running = silent.length === 0 ? new Set() : await findRunning(context, tree, silent);
  const evidence =
    "the test runs a program of the repository, but its failure shares nothing with the statement";
  return matched.map((each) =>
    running.has(formatTestKey(each.outcome.key))
      ? { ...each, match: { ...each.match, evidence, isOpen: true } }
      : each,
  );
}

/**
 * Omits files that the command does not run, because they may break the run. Example: browser tests without a browser.
 * Returns all files if the command runs none of them.
 */
function withoutUncollected(
  suite: Suite,
  present: readonly string[],
  files: readonly string[],
): readonly string[] {
  const left = new Set(listUncollected(suite, present, files));
  const run = files.filter((path) => !left.has(path));
  return run.some(isTestFile) ? run : files;
}

/**
 * Returns the files, and for each data file a test source that names it or its folder. Undefined if a data file has no
 * such test source.
 */
async function withReaders(
  { suite, regions, workspace: { trees } }: Pick<ActionContext, "suite" | "regions" | "workspace">,
  tree: string,
  files: readonly string[],
): Promise<readonly string[] | undefined> {
  const targets = new Set(suite.outcomes.map(({ key }) => key.target));
  const data = files.filter((path) => languageOf(path) === undefined && !targets.has(path));
  if (data.length === 0) return files;
  const found = new Set(files);
  const open = new Map(data.map((path) => [path, namesOf(path)]));
  const paths = (await trees.list(tree)).map(({ path }) => path);
  for (const path of paths.filter((each) => isOwnSource(each) && regions.isWhole(each)).slice(0, mostRead)) {
    const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
    for (const [each, names] of open) {
      if (!names.some((name) => text.includes(name))) continue;
      found.add(path);
      open.delete(each);
    }
  }
  return open.size > 0 ? undefined : [...found];
}

/** Maximum number of test sources to search for readers of data files. */
const mostRead = 1_000;

function namesOf(path: string): string[] {
  const { base, dir } = posix.parse(path);
  const folder = posix.basename(dir);
  return [base, ...(folder.length > 2 && !/^(?:tests?|specs?)$/.test(folder) ? [folder] : [])];
}

async function runAll(context: JudgeContext, tree: string, files: readonly string[]): Promise<Ran> {
  await context.baseSuite.know(files);
  return runOn(context, tree, { kind: "all" });
}

/**
 * Runs the tests of the files, but only the new tests of files that only gain tests. Before it runs other files, learns
 * their results on the base.
 */
async function runFiles(context: JudgeContext, tree: string, files: readonly string[]): Promise<Ran> {
  const gained = await listGained(context, tree, files);
  const tests = [...gained.values()].flat();
  const ran = tests.length === 0 ? undefined : await runOn(context, tree, { kind: "tests", tests });
  // A file whose new tests have other keys, such as those of parametrised tests, runs as a whole.
  const isDone = (path: string): boolean =>
    ran?.invalid === undefined &&
    gained.get(path)?.every((key) => findStatus(ran?.outcomes ?? [], key) !== "not-run") === true;
  const others = files.filter((path) => !isDone(path));
  if (ran !== undefined && others.length === 0) return ran;
  await context.baseSuite.know(others);
  const rest = await runWhole(context, tree, others);
  const own = (ran?.outcomes ?? []).filter(({ key }) => isDone(key.target));
  return { ...rest, outcomes: [...own, ...rest.outcomes] };
}

/**
 * Maps files that only gain tests to the keys of the new tests. Omits a file if the keys of its existing tests do not
 * show the form of new keys.
 */
async function listGained(
  { suite, regions, workspace: { trees, base } }: JudgeContext,
  tree: string,
  files: readonly string[],
): Promise<ReadonlyMap<string, readonly TestKey[]>> {
  const known = suite.outcomes.map(({ key }) => key);
  const found = new Map<string, readonly TestKey[]>();
  for (const path of files.filter((each) => regions.isWhole(each))) {
    const gained = (await gainedOn(trees, base, tree, path)) ?? [];
    if (gained.length === 0) continue;
    const bodies = await listTestBodies(path, (await trees.read(base, path))?.toString("utf8"));
    const keys = keysOfGained(path, known, bodies, gained);
    if (keys !== undefined) found.set(path, keys);
  }
  return found;
}

/**
 * Runs the tests of the files. If this run is invalid and has no results, as for an abstract test class, runs all tests
 * instead, unless the suite is only a part.
 */
async function runWhole(context: RunContext, tree: string, files: readonly string[]): Promise<Ran> {
  const ran = await runOn(context, tree, { kind: "files", files });
  if (ran.outcomes.length > 0 || ran.invalid === undefined || context.suite.part !== undefined) return ran;
  const all = await runOn(context, tree, { kind: "all" });
  return all.invalid === undefined ? all : ran;
}

/**
 * True for a test that the base lacks. With `reworded`, also true for a test that passed on the base and fails now.
 * Exception: only its build fails, because another new test may break the build. `base`: the status of each test of the
 * base.
 */
export function isNew(
  outcome: Pick<TestOutcome, "key" | "status" | "failure">,
  base: ReadonlyMap<string, TestStatus>,
  reworded: boolean,
): boolean {
  const before = base.get(formatTestKey(outcome.key));
  if (before === undefined) return true;
  return reworded && before === "passed" && isFailing(outcome.status) && !isUnbuilt(outcome);
}

export interface KeptTests {
  readonly state: TaskState;
  readonly id: string;
  readonly targets: readonly TestKey[];
  readonly heldBack: readonly TestKey[];
  /** Tests that failed at first and passed on a second run. */
  readonly flaky: readonly TestKey[];
}

/**
 * Runs the failures a second time, and stores the tree as a reproduction. Unless disabled (`switches.heldBack`), holds
 * back some tests: authors of patches do not see them. `hold`: all failing tests, or about a third. With "all", still
 * holds back only a third if authors would otherwise see no test of the fault. Fails if no failing test failed twice.
 * Also fails if no test fails and no fault is known yet.
 */
export async function keepWritten(
  context: RunContext & Pick<ActionContext, "switches">,
  state: TaskState,
  written: WrittenTests,
  hold: "all" | "third",
): Promise<Result<KeptTests, "flaky">> {
  const asked = written.failing.map(({ key }) => key);
  const again: Ran =
    asked.length === 0
      ? { outcomes: [], invalid: undefined }
      : await runOn(context, written.tree, { kind: "tests", tests: asked }, 2);
  const second = again.outcomes;
  const targets = asked.filter((key) => isFailing(findStatus(second, key)));
  const flaky = asked.filter((key) => findStatus(second, key) === "passed");
  if (targets.length === 0 && (asked.length > 0 || state.fault === undefined))
    return fail("flaky", tellUnrepeated(asked, flaky, again));
  const { heldBack: hidden = [], targets: known = [] } = state.fault ?? {};
  // One test of the fault must stay visible to the patch's author.
  const all = hold === "all" && known.length > hidden.length ? "all" : "third";
  const heldBack = context.switches.heldBack ? chooseHeldBack(targets, all) : [];
  const passing = `${countOf(written.guards.length, "guard")}, which ${written.guards.length === 1 ? "passes" : "pass"} without a patch`;
  const failing = `${countOf(targets.length, "test that fails", "tests that fail")} without a patch`;
  const origin = [
    ...(targets.length === 0 ? [] : [failing]),
    ...(written.guards.length === 0 ? [] : [passing]),
  ].join("; ");
  const kept = keepCandidate(context, state, { tree: written.tree, kind: "reproduction", origin });
  const first = written.failing.filter(({ key }) => targets.includes(key));
  const fault = addToFault(state.fault, { ...written, targets, heldBack, runs: [first, second] });
  return succeed({ state: { ...kept.state, fault }, id: kept.candidate.id, targets, heldBack, flaky });
}

/** Tells why no test failed twice. A run that ended before a test says nothing about the test. Pure. */
export function tellUnrepeated(
  asked: readonly TestKey[],
  passed: readonly TestKey[],
  { invalid }: Pick<Ran, "invalid">,
): string {
  if (asked.length === 0) return "None of the tests fails without a patch.";
  if (passed.length > 0)
    return "No test failed again on a second run, and at least one passed, so it is flaky. Write tests that fail on every run.";
  const why = invalid === undefined ? "" : ` (${invalid})`;
  return `The failing tests did not end in a second run${why}, so nothing shows that they fail on every run.`;
}

/**
 * Chooses the tests to hold back. "third": at least one test and about a third, but none if there is only one test. The
 * choice depends on the tests' names, not on their order.
 */
export function chooseHeldBack(targets: readonly TestKey[], hold: "all" | "third"): TestKey[] {
  if (hold === "all") return [...targets];
  if (targets.length < 2) return [];
  const many = Math.max(1, Math.round(targets.length / 3));
  return targets.toSorted((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1)).slice(0, many);
}

function hashOf(key: TestKey): string {
  return hashText(formatTestKey(key));
}

interface Added {
  readonly targets: readonly TestKey[];
  readonly heldBack: readonly TestKey[];
  readonly runs: readonly (readonly TestOutcome[])[];
  readonly guards: readonly TestOutcome[];
  readonly evidence: string;
  readonly doubt?: string;
}

function doubtOf(best: SignatureMatch | undefined, isOpinion: boolean): Pick<WrittenTests, "doubt"> {
  if (isOpinion) return { doubt: "only the tests' author says that they fail for the stated reason" };
  return best?.isStrong === false
    ? {
        doubt:
          best.doubt ??
          "only common words in the failures and the statement show that the tests fail for the stated reason",
      }
    : {};
}

function addToFault(known: ShownFault | undefined, added: Added): ShownFault {
  const { targets, heldBack, guards, evidence, doubt, runs } = added;
  // Without counts, because tests may be added or dropped later.
  const reason = {
    holds: true,
    evidence: `the run wrote tests that fail without a patch: ${evidence}`,
    ...(doubt === undefined ? {} : { doubt }),
  };
  // Guards alone show no fault.
  const isKnown =
    known?.reason.holds === true &&
    (targets.length === 0 || doubt !== undefined || known.reason.doubt === undefined);
  return {
    targets: [...(known?.targets ?? []), ...targets],
    heldBack: [...(known?.heldBack ?? []), ...heldBack],
    guards: [...(known?.guards ?? []), ...guards],
    baseRuns: [0, 1].map((run) => [...(known?.baseRuns[run] ?? []), ...(runs[run] ?? [])]),
    reason: isKnown ? known.reason : reason,
  };
}
