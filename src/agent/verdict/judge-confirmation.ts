/** Turns the results of the confirming runs into a predicate. Pure. */

import { z } from "zod";
import { countOf } from "../../base/count.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, testKeySchema, testStatusSchema } from "../../domain/test-outcome.ts";
import { usualSurroundings } from "../../workspace/surroundings.ts";
import type { Claim } from "../kinds/contract.ts";

const contradictionSchema = z.object({
  asked: z.int().positive(),
  /** Ids of tests that passed. */
  passed: z.array(z.string()),
});

export const confirmingRunSchema = z.object({
  patched: z.boolean(),
  /** True if the run was varied, as far as the framework allows. */
  varied: z.boolean(),
  /** True if Millwright repeated the run in the usual order. The tests depend on their order even without the patch. */
  inOrder: z.literal(true).optional(),
  /** True if the result depends on the surroundings: the same run has another result in a bare environment. */
  elsewhere: z.literal(true).optional(),
  /** True if the tests failed in these surroundings once, and passed there in another run. */
  byChance: z.literal(true).optional(),
  /**
   * Parts of a person's surroundings with which the tests failed, and that the base's files or the test command
   * mention.
   */
  excused: z.array(z.string()).optional(),
  outcomes: z.array(z.object({ key: testKeySchema, status: testStatusSchema })),
  /** The number of tests whose expected values Millwright changed, and those of them that still passed. */
  otherwise: contradictionSchema.optional(),
  /**
   * The number of tests whose own program Millwright made fail as its last step, and those of them that still passed.
   */
  unfinished: contradictionSchema.optional(),
  /** The tests' files that failed outside any test; "" stands for a file that the report does not name. */
  broken: z.array(z.string()).optional(),
  /** Changes that the run's code made in memory: in the test framework or the language's library. */
  frameworkChanges: z.array(z.string()).optional(),
  /** Files that tests may compare with, and that the run changed, replaced or deleted. */
  dataChanges: z.array(z.string()).optional(),
  /** The reason why the report cannot be trusted. */
  invalid: z.string().optional(),
  /**
   * The canaries' results. `held`: one failed and the other passed. `wrong`: the canary that must fail passed.
   * `broken`: both failed, as when nothing builds. `missing`: no result for them. `late`: Millwright's time limit ended
   * them. `none`: Millwright did not add them.
   */
  canary: z.enum(["held", "wrong", "broken", "missing", "late", "none"]),
});
export type ConfirmingRun = z.infer<typeof confirmingRunSchema>;

export const confirmedAfresh = "confirmed-afresh";

const mostNamed = 3;

/**
 * Judges the confirming runs so far. `varies`: the differences between varied runs. `withoutCanary`: the reason why the
 * framework has no canaries. While runs are missing, the predicate holds unless a run contradicts the verdict.
 */
export function judgeConfirmation(
  claim: Claim,
  runs: readonly ConfirmingRun[],
  varies: string | undefined,
  withoutCanary?: string,
): Predicate {
  const against =
    runs.length === 0
      ? "no test was run"
      : findDistrust(runs) || findContradiction(claim, runs, varies) || findIndifference(runs);
  return {
    predicate: confirmedAfresh,
    holds: against === "",
    evidence: `in a fresh sandbox, ${against === "" ? tellConfirmation(claim, runs, varies, withoutCanary) : against}`,
  };
}

/** Returns the objection to a test that passes whatever it expects, or "". Such a test says nothing about the patch. */
function findIndifference(runs: readonly ConfirmingRun[]): string {
  for (const { otherwise, unfinished } of runs) {
    const { asked, passed } = unfinished ?? otherwise ?? { asked: 0, passed: [] };
    if (passed.length === 0) continue;
    const which = `${passed.length} of ${countOf(asked, "test")} (${passed.slice(0, mostNamed).join(", ")})`;
    return unfinished === undefined
      ? `${which} still passed with the patch after Millwright changed their expected values: they pass whatever the code does`
      : `${which} still passed with the patch although Millwright made their program fail as its last step: the code ends the program before the test does`;
  }
  return "";
}

/**
 * True if the run's target does not build without the patch. The first run, before any patch ran, must also show this.
 */
function isUnbuilt({ patched, canary }: ConfirmingRun, [before]: readonly ConfirmingRun[]): boolean {
  return !patched && canary === "broken" && before?.patched === false && before.canary === "broken";
}

/** Returns the reason why these runs cannot be trusted, or "". */
function findDistrust(runs: readonly ConfirmingRun[]): string {
  const wrong = runs.find(({ canary }) => canary === "wrong");
  if (wrong !== undefined)
    return `a test that must fail passed ${side(wrong)}: the results cannot be trusted`;
  const late = runs.find(({ canary }) => canary === "late");
  if (late !== undefined)
    return `Millwright's time limit ended the canaries (a test that must fail and one that must pass) ${side(late)}, even with more time: this shows nothing about the patch, so run again on a less busy machine`;
  const first = runs.findIndex(({ canary }) => canary === "held");
  const isLost = (run: ConfirmingRun): boolean => run.canary !== "held" && !isUnbuilt(run, runs);
  const lost = first < 0 ? undefined : runs.slice(first).find(isLost);
  if (lost !== undefined)
    return `the canaries (a test that must fail and one that must pass) did not give these results ${side(lost)}: the results cannot be trusted`;
  const invalid = runs.find((run) => run.patched && run.invalid !== undefined);
  if (invalid !== undefined) return `the run with the patch cannot be trusted: ${invalid.invalid}`;
  const changes = findOwnChanges(runs, ({ frameworkChanges }) => frameworkChanges);
  if (changes.length > 0)
    return `the patched code changes the test framework or the language's library during the tests (${changes.slice(0, mostNamed).join(", ")}): the results cannot be trusted`;
  const data = findOwnChanges(runs, ({ dataChanges }) => dataChanges);
  if (data.length > 0)
    return `the run with the patch changes ${data.slice(0, mostNamed).join(", ")}, and the tests may compare with these files: the results cannot be trusted`;
  const [broken] = findBroken(runs);
  if (broken === undefined) return "";
  return `with the patch, ${broken === "" ? "a test file" : `the test file ${broken}`} failed outside its tests`;
}

/** Lists the doubts of runs that hold, each as the end of a sentence that begins with "the patch". */
export function listDoubts(runs: readonly ConfirmingRun[]): string[] {
  const parts = [...new Set(runs.flatMap(({ excused = [] }) => excused))];
  return parts.length === 0
    ? []
    : [`passes only without surroundings that the repository's files mention (${parts.join(", ")})`];
}

/** Lists the changes that runs without the patch do not make. */
export function listChanges(runs: readonly ConfirmingRun[]): string[] {
  return findOwnChanges(runs, ({ frameworkChanges = [], dataChanges = [] }) => [
    ...frameworkChanges,
    ...dataChanges,
  ]);
}

/**
 * Returns the changes of runs with the patch, without those that the project itself makes. A change is the project's
 * own only if a run made it before the patch ran anywhere. Afterwards, something that the patch left behind could have
 * the same effect.
 */
function findOwnChanges(
  runs: readonly ConfirmingRun[],
  changesIn: (run: ConfirmingRun) => readonly string[] | undefined,
): string[] {
  const first = runs.findIndex(({ patched }) => patched);
  const changesOf = (some: readonly ConfirmingRun[]): string[] => some.flatMap((run) => changesIn(run) ?? []);
  if (first < 0) return [];
  const known = new Set(changesOf(runs.slice(0, first)));
  const fresh = changesOf(runs.slice(first).filter(({ patched }) => patched));
  return [...new Set(fresh)].filter((change) => !known.has(change));
}

/**
 * Lists files that failed outside their tests with the patch. A test's result then does not count, unless the file also
 * failed without the patch while its tests ran.
 */
function findBroken(runs: readonly ConfirmingRun[]): string[] {
  const excused = new Set(
    runs.flatMap(({ patched, outcomes, broken = [] }) =>
      patched
        ? []
        : broken.filter((file) =>
            outcomes.some(({ key, status }) => ["", key.target].includes(file) && status !== "not-run"),
          ),
    ),
  );
  return runs.flatMap(({ patched, broken = [] }) =>
    patched ? broken.filter((file) => !excused.has(file)) : [],
  );
}

function side({ patched }: ConfirmingRun): string {
  return patched ? "with the patch" : "without the patch";
}

function findContradiction(claim: Claim, runs: readonly ConfirmingRun[], varies: string | undefined): string {
  const [firstWithout] = runs.filter(({ patched }) => !patched);
  for (const run of runs) {
    const wrong = run.patched
      ? run.outcomes.filter(({ status }) => status !== "passed")
      : run.outcomes.filter(({ status }, index) =>
          claim.failing === "all"
            ? !isSilent(status) || isUnrun(run, index)
            : isOther(status, firstWithout?.outcomes[index]?.status),
        );
    const names = wrong.slice(0, mostNamed).map(({ key }) => formatTestKey(key));
    const which = `${wrong.length} of ${countOf(run.outcomes.length, "test")} (${names.join(", ")})`;
    const again = run.elsewhere
      ? `, run ${usualSurroundings}, but in a bare environment they did`
      : run.byChance
        ? ", but in another run of the same kind they did: their results depend on chance"
        : run.varied && varies !== undefined
          ? `, run ${varies}`
          : "";
    if (wrong.length > 0 && run.patched) return `${which} did not pass with the patch${again}`;
    if (wrong.length > 0)
      return `${which} did not give the same result without the patch as before${again}: their results depend on the time, on chance, or on files of another run`;
  }
  const fails = firstWithout?.outcomes.some(({ status }) => isSilent(status)) ?? true;
  return fails ? "" : "no test failed without the patch";
}

/**
 * True for a test that did not run, although the framework loaded and the test's file did not fail. Such a test shows
 * nothing.
 */
function isUnrun({ outcomes, canary, broken = [] }: ConfirmingRun, index: number): boolean {
  const test = outcomes[index];
  return canary === "held" && test?.status === "not-run" && !broken.includes(test.key.target);
}

/**
 * True for a test that neither passed, nor failed as expected, nor was skipped. Includes a test that did not run: if
 * nothing loads without the patch, the report omits the test.
 */
function isSilent(status: string): boolean {
  return status !== "passed" && status !== "expected-failure" && status !== "skipped";
}

function isOther(status: string, first: string | undefined): boolean {
  return first !== undefined && isSilent(status) !== isSilent(first);
}

function tellConfirmation(
  claim: Claim,
  runs: readonly ConfirmingRun[],
  varies: string | undefined,
  withoutCanary: string | undefined,
): string {
  const { length } = claim.tests;
  const tests = length === 1 ? "the test alone" : `the ${length} tests alone`;
  const isOrdered = runs.some(({ inOrder }) => inOrder);
  const isVaried = varies !== undefined && !isOrdered;
  const turns = runs.map((run) => tellTurn(run, isVaried && run.varied ? ` ${varies}` : ""));
  const how = isOrdered
    ? " (in the usual order, because tests of these files depend on this order even without the patch)"
    : "";
  const held = runs.filter(({ canary }) => canary === "held").length;
  const canary =
    held === 0
      ? `no canary test could run with these tests${withoutCanary === undefined ? "" : `, because ${withoutCanary}`}`
      : `a test that must fail failed, and one that must pass passed, in ${held} of ${runs.length} runs`;
  return `${tests} ${turns.join(", ")}${how}; ${canary}`;
}

function tellTurn({ patched, outcomes, otherwise, unfinished }: ConfirmingRun, how: string): string {
  if (unfinished !== undefined) return "failed after Millwright made the test program fail as its last step";
  if (!patched) return `failed without the patch${how}`;
  if (otherwise === undefined) return `passed with the patch${how}`;
  const denied = "failed as they must after Millwright changed their expected values";
  return outcomes.length === 0
    ? denied
    : `${outcomes.length} passed with the patch, and ${otherwise.asked} ${denied}`;
}
