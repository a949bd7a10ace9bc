/**
 * Judges from repeated runs whether a task is fit for grading. Describes each deviation from the expected results in
 * one line.
 */
import { countOf, wordFor } from "../base/count.ts";
import { formatTestKey } from "../domain/test-outcome.ts";
import { computeLists } from "./compute-lists.ts";
import type { GradedTask } from "./graded-task.ts";
import type { GradedRun, Verdict } from "./graders/contract.ts";
import passAndFail from "./graders/pass-and-fail.ts";
import { ranAnything } from "./graders/statuses.ts";
import type { TestLists } from "./task.ts";
import { namesOf, portableId } from "./test-ids.ts";

export interface CheckRuns {
  /** One run without the test patch. */
  readonly base: GradedRun;
  /** Runs with the test patch, which grade an empty patch. */
  readonly empty: readonly GradedRun[];
  readonly gold: readonly GradedRun[];
}

export interface CheckJudgement {
  readonly state: "fit" | "unfit" | "infrastructure-error";
  readonly gold: Verdict["outcome"];
  readonly empty: Verdict["outcome"];
  readonly repeatsAgree: boolean;
  readonly listsFrom: "task" | "computed";
  /** The lists that the verdicts used. */
  readonly lists: TestLists;
  /** The lists computed from the runs, for `--write-lists`. */
  readonly computed: TestLists;
  /** Listed tests that have an unexpected result in any run with the gold patch. */
  readonly goldFailures: readonly string[];
  /** Listed ids that match no test of a run with the gold patch. */
  readonly unmatched: readonly string[];
  /** The reasons why the task is unfit, and the tests that the check excluded as flaky. Each entry is one line. */
  readonly exceptions: readonly string[];
  /** Remarks that do not make the task unfit. */
  readonly notes: readonly string[];
}

export function judgeCheck(
  runs: CheckRuns,
  { hidden, grader }: Pick<GradedTask, "hidden" | "grader">,
): CheckJudgement {
  const given = hidden.lists;
  const judge = grader.asks === "hidden-tests" ? (grader.judgeOwn ?? grader.judge) : passAndFail.judge;
  const grade = (run: GradedRun): Verdict => judge(run, lists, hidden);
  const computed = computeLists(runs.empty, runs.gold);
  const lists = given === undefined ? computed : excludeFlaky(given, computed.flaky, runs);
  const gold = runs.gold.map(grade);
  const empty = runs.empty.map(grade);
  const exceptions = [
    ...describeRuns("gold", "resolved", gold),
    ...describeRuns("empty", "unresolved", empty),
    ...describeFlaky(lists, given),
  ];
  const worstGold = gold.find((verdict) => verdict.outcome !== "resolved") ?? gold[0];
  const worstEmpty = empty.find((verdict) => verdict.outcome === "resolved") ?? empty[0];
  const fit = worstGold?.outcome === "resolved" && worstEmpty?.outcome === "unresolved";
  // If neither the base nor the gold patch runs any test, the environment is at fault.
  const dead = !ranAnything(runs.base) && !runs.gold.some(ranAnything);
  if (dead) exceptions.unshift(`no test ran, not even on the base: ${explainDeath(runs.base)}`);
  return {
    state: fit ? "fit" : dead ? "infrastructure-error" : "unfit",
    gold: worstGold?.outcome ?? "infrastructure-error",
    empty: worstEmpty?.outcome ?? "infrastructure-error",
    repeatsAgree: sameOutcomes(gold) && sameOutcomes(empty),
    listsFrom: given === undefined ? "computed" : "task",
    lists,
    computed,
    goldFailures: collect(gold, ({ failToPass, passToPass }) => [
      ...failToPass.failure,
      ...passToPass.failure,
    ]),
    unmatched: collect(gold, (verdict) => verdict.unmatched),
    exceptions,
    notes: given === undefined ? [] : compareLists(runs, lists, computed),
  };
}

/**
 * Judges the verdicts of a rule that measures more than one test run, over all repeats. Counts an infrastructure error
 * against the task only if it occurs with the gold patch: without coverage, nothing can resolve the task.
 */
export function judgeVerdicts(
  gold: readonly Verdict[],
  empty: readonly Verdict[],
): Pick<CheckJudgement, "state" | "gold" | "empty" | "repeatsAgree"> & { readonly exceptions: string[] } {
  const wrong = gold.find(({ outcome }) => outcome !== "resolved")?.outcome ?? "resolved";
  const isEmptyResolved = empty.some(({ outcome }) => outcome === "resolved");
  const isFit = wrong === "resolved" && !isEmptyResolved;
  return {
    state: isFit ? "fit" : wrong === "infrastructure-error" ? wrong : "unfit",
    gold: wrong,
    empty: isEmptyResolved ? "resolved" : "unresolved",
    repeatsAgree: sameOutcomes(gold) && sameOutcomes(empty),
    exceptions: [
      ...describeRuns("gold", "resolved", gold),
      ...(isEmptyResolved ? describeRuns("empty", "unresolved", empty) : []),
    ],
  };
}

/** Returns the run's own explanation, with the error of the first file that did not load or build. */
function explainDeath({ invalid, end, outcomes }: GradedRun): string {
  const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure;
  const said = invalid ?? (end === "exited" ? undefined : end);
  const error = failure && `${failure.type}: ${failure.message}`;
  return [said, error].filter((text) => text !== undefined).join("; ") || "the report names no test";
}

function collect(verdicts: readonly Verdict[], part: (verdict: Verdict) => readonly string[]): string[] {
  return [...new Set(verdicts.flatMap(part))];
}

/** Adds to `flaky` the tests of the given lists that proved flaky. */
function excludeFlaky(given: TestLists, flaky: readonly string[], runs: CheckRuns): TestLists {
  const names = nameTests(runs);
  const flakyNames = new Set(flaky.flatMap((key) => names.get(key) ?? []));
  const found = [...given.failToPass, ...given.passToPass].filter((id) => flakyNames.has(id));
  return { ...given, flaky: [...new Set([...given.flaky, ...found])] };
}

/** Maps our own key of each test to all ids by which a list may name the test. */
function nameTests(runs: CheckRuns): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { framework, outcomes, root } of [...runs.empty, ...runs.gold]) {
    for (const { key } of outcomes) {
      const text = portableId(formatTestKey(key), root);
      if (!names.has(text)) names.set(text, namesOf(framework, key, root));
    }
  }
  return names;
}

function describeRuns(patch: string, wanted: Verdict["outcome"], verdicts: readonly Verdict[]): string[] {
  const wrong = verdicts.filter((verdict) => verdict.outcome !== wanted);
  const [first] = wrong;
  if (first === undefined) return [];
  const often = wrong.length === verdicts.length ? "" : ` in ${wrong.length} of ${verdicts.length} runs`;
  return [`the ${patch} patch is ${first.outcome}${often}: ${first.reason}`];
}

function describeFlaky(lists: TestLists, given: TestLists | undefined): string[] {
  const known = new Set(given?.flaky);
  return lists.flaky
    .filter((id) => !known.has(id))
    .map((id) => `${id} is flaky, so it is excluded: it passes in some runs of one tree and not in others`);
}

function sameOutcomes(verdicts: readonly Verdict[]): boolean {
  return new Set(verdicts.map((verdict) => verdict.outcome)).size <= 1;
}

/** Lists the differences between the task's lists and the runs. These differences change no verdict. */
function compareLists(runs: CheckRuns, lists: TestLists, computed: TestLists): string[] {
  const listed = new Set([...lists.failToPass, ...lists.passToPass]);
  const names = nameTests(runs);
  const unlisted = (keys: readonly string[]): string[] =>
    keys.filter((key) => !names.get(key)?.some((name) => listed.has(name)));
  const [more, flaky] = [unlisted(computed.failToPass), unlisted(computed.flaky)];
  return [
    ...(more.length > 0
      ? [
          `${countOf(more.length, "other test fails", "other tests fail")} without the gold patch and ${wordFor(more.length, "passes", "pass")} with it, such as ${more[0]}`,
        ]
      : []),
    ...(flaky.length > 0
      ? [`${countOf(flaky.length, "unlisted test is", "unlisted tests are")} flaky, such as ${flaky[0]}`]
      : []),
  ];
}
