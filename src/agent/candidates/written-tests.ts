/**
 * Tests that were written in the run, and what they are once they have run on the base: shown to fail for the stated reason, twice;
 * guards of what works today; or neither. Who writes them says nothing of it: the reports do.
 */
import { posix } from "node:path";
import { countOf } from "../../base/count.ts";
import { hashText } from "../../base/hash.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import {
  findStatus,
  formatTestKey,
  isFailing,
  type TestKey,
  type TestOutcome,
  type TestStatus,
} from "../../domain/test-outcome.ts";
import { isOwnSource, isTestFile, languageOf } from "../../languages/source-files.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { refuseUncollected } from "../code/collected-tests.ts";
import { runOn } from "../measure/run-candidate.ts";
import { matchReason } from "../measure/stated-reason.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import type { SignatureMatch } from "../state/statement-signature.ts";
import type { ShownFault, TaskState } from "../state/task-state.ts";

export interface WrittenTests {
  readonly tree: string;
  /** They fail on the base for the stated reason. */
  readonly failing: readonly TestOutcome[];
  /** What of their failure the statement names: of the one that agrees most. */
  readonly evidence: string;
  /** What makes the reason less than certain. */
  readonly doubt?: string;
  /** Nothing but the word of who wrote them says that it is the stated reason. */
  readonly isOpinion?: true;
  /** They fail on the base, and nothing of it is in the statement. */
  readonly strangers: readonly TestOutcome[];
  /** Why each of them does not count, a line each. */
  readonly doubts: readonly string[];
  /** They pass on the base. */
  readonly guards: readonly TestOutcome[];
}

export interface WrittenOptions {
  readonly reworded?: boolean;
  readonly because?: string;
  readonly place?: () => Promise<string | undefined>;
}

/**
 * Runs the files' tests on a tree that has nothing new but tests; those that the base has too are left out. `reworded`: except those
 * that pass as the base has them, and fail as they are worded there. `because`: how the failures are what the statement reports, in the
 * words of who wrote the tests: an opinion, taken where the rule can say neither yes nor no. `place`: of a patch that is there already,
 * how the statement speaks of where it stands, asked for in the same case. A failure where the run cannot be trusted, or the command
 * would not run the files.
 */
export async function runWritten(
  context: JudgeContext,
  tree: string,
  files: readonly string[],
  { reworded = false, because = "", place }: WrittenOptions = {},
): Promise<Result<WrittenTests, "invalid" | "not-collected">> {
  const { suite, signature, baseSuite } = context;
  const asked = await withReaders(context, tree, files);
  await baseSuite.know(asked ?? files);
  const { outcomes, invalid } =
    asked === undefined ? await runOn(context, tree, { kind: "all" }) : await runFiles(context, tree, asked);
  if (invalid !== undefined) return fail("invalid", `The run cannot be trusted: ${invalid}`);
  const own = [...new Set(outcomes.map(({ key }) => key.target))].filter(
    (file) => files.includes(file) && isTestFile(file),
  );
  const present = (await context.workspace.trees.list(tree)).map(({ path }) => path);
  const uncollected = refuseUncollected(suite, present, own);
  if (uncollected !== undefined) return fail("not-collected", uncollected);
  const base = new Map(suite.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
  const fresh = outcomes.filter((outcome) => isNew(outcome, base, reworded));
  const read = testsOf(context, tree);
  const matched = await Promise.all(
    fresh
      .filter(({ status }) => isFailing(status))
      .map(async (outcome) => ({ outcome, match: await matchReason(signature, outcome, read) })),
  );
  // Of what is not written yet every test fails, whatever it asks.
  const isAnyReason = context.task.kind === "code-generation";
  const byRule = matched.filter(({ match }) => match.matches || isAnyReason);
  const open = byRule.length > 0 ? [] : matched.filter(({ match }) => match.isOpen === true);
  const where = open.length === 0 ? undefined : await place?.();
  const isOpinion = byRule.length === 0 && where === undefined && because.trim() !== "";
  const stated = where !== undefined || isOpinion ? open : byRule;
  const best = stated.find(({ match }) => match.isStrong) ?? stated.find(({ match }) => match.matches);
  return succeed({
    tree,
    failing: stated.map(({ outcome }) => outcome),
    evidence:
      isAnyReason && stated.length > 0
        ? "the target is not written"
        : isOpinion
          ? `in the opinion of their author: ${because.trim()}`
          : (where ?? best?.match.evidence ?? "the statement names nothing in it"),
    ...(where === undefined
      ? doubtOf(isAnyReason ? undefined : best?.match, isOpinion && stated.length > 0)
      : { doubt: "only the place of the patch ties its tests to the statement" }),
    ...(isOpinion && stated.length > 0 ? { isOpinion: true as const } : {}),
    strangers: matched.flatMap((each) => (stated.includes(each) ? [] : [each.outcome])),
    doubts: matched.flatMap((each) =>
      stated.includes(each) ? [] : [`- ${each.outcome.key.name}: ${each.match.evidence}`],
    ),
    guards: fresh.filter(({ status }) => status === "passed"),
  });
}

/** The files, with the sources of tests that name what of them is data, or its folder; undefined where none does. */
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

/** Sources of tests that are read to see who names data. */
const mostRead = 1_000;

function namesOf(path: string): string[] {
  const { base, dir } = posix.parse(path);
  const folder = posix.basename(dir);
  return [base, ...(folder.length > 2 && !/^(?:tests?|specs?)$/.test(folder) ? [folder] : [])];
}

/** What others inherit or load (an abstract class of tests) runs nothing by itself: then all tests are asked. */
async function runFiles(context: RunContext, tree: string, files: readonly string[]) {
  const ran = await runOn(context, tree, { kind: "files", files });
  if (ran.outcomes.length > 0 || ran.invalid === undefined || context.suite.part !== undefined) return ran;
  const all = await runOn(context, tree, { kind: "all" });
  return all.invalid === undefined ? all : ran;
}

/** `base`: the status of each test that it has. One that is not built since others are new was not reworded. */
export function isNew(
  { key, status, failure }: Pick<TestOutcome, "key" | "status" | "failure">,
  base: ReadonlyMap<string, TestStatus>,
  reworded: boolean,
): boolean {
  const before = base.get(formatTestKey(key));
  if (before === undefined) return true;
  return reworded && before === "passed" && isFailing(status) && !isUnbuilt(failure?.type ?? "");
}

function isUnbuilt(type: string): boolean {
  return type === "BuildError" || type === "CompileError";
}

export interface KeptTests {
  readonly state: TaskState;
  readonly id: string;
  readonly targets: readonly TestKey[];
  readonly heldBack: readonly TestKey[];
  /** They failed at first and passed when they were run again. */
  readonly flaky: readonly TestKey[];
}

/**
 * Runs what failed a second time, and keeps the tree as a reproduction. `hold`: all that fail are held back, or about a third.
 * A failure where nothing failed both times and nothing passed.
 */
export async function keepWritten(
  context: RunContext & Pick<ActionContext, "switches">,
  state: TaskState,
  written: WrittenTests,
  hold: "all" | "third",
): Promise<Result<KeptTests, "flaky">> {
  const asked = written.failing.map(({ key }) => key);
  const second =
    asked.length === 0
      ? []
      : (await runOn(context, written.tree, { kind: "tests", tests: asked }, 2)).outcomes;
  const targets = asked.filter((key) => isFailing(findStatus(second, key)));
  const flaky = asked.filter((key) => !targets.includes(key));
  if (targets.length === 0 && (flaky.length > 0 || state.fault === undefined))
    return fail(
      "flaky",
      flaky.length > 0
        ? "The tests that failed passed on a second run: flaky."
        : "None of the tests fails without a patch.",
    );
  const { heldBack: hidden = [], targets: known = [] } = state.fault ?? {};
  // One at least is shown: who writes a patch would see of the fault nothing else.
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

/** "third": of two or more about a third, at least one; which ones, their names decide, and no order in which they were written. */
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
  if (isOpinion) return { doubt: "only the author of its tests says that they fail for the stated reason" };
  return best?.isStrong === false
    ? { doubt: best.doubt ?? "only plain words show that its tests fail for the stated reason" }
    : {};
}

function addToFault(known: ShownFault | undefined, added: Added): ShownFault {
  const { targets, heldBack, guards, evidence, doubt, runs } = added;
  // Without counts: more tests may be added, and some dropped.
  const reason = {
    holds: true,
    evidence: `tests were written that fail without a patch: ${evidence}`,
    ...(doubt === undefined ? {} : { doubt }),
  };
  // Guards alone say nothing of a reason.
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
