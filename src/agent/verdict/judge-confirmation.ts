/** What a confirming run says: a predicate. Pure. */
import { z } from "zod";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, testKeySchema, testStatusSchema } from "../../domain/test-outcome.ts";
import type { Claim } from "../kinds/contract.ts";

export const confirmingRunSchema = z.object({
  patched: z.boolean(),
  /** Run as the framework can vary it. */
  varied: z.boolean(),
  /** Run in the usual order after all: the tests depend on their order without the patch too. */
  inOrder: z.literal(true).optional(),
  outcomes: z.array(z.object({ key: testKeySchema, status: testStatusSchema })),
  /** Why the report cannot be trusted. */
  invalid: z.string().optional(),
  /**
   * `held`: the one failed and the other passed. `wrong`: the one that must fail passed. `broken`: both failed, as where nothing
   * builds. `missing`: nothing was said of them. `none`: they were not added.
   */
  canary: z.enum(["held", "wrong", "broken", "missing", "none"]),
});
export type ConfirmingRun = z.infer<typeof confirmingRunSchema>;

/** Tests that were asked with another value expected, and those of them that passed all the same. */
export const contradictionSchema = z.object({
  asked: z.int().positive(),
  /** Ids. */
  passed: z.array(z.string()),
});
export type Contradiction = z.infer<typeof contradictionSchema>;

export const confirmedAfresh = "confirmed-afresh";

const mostNamed = 3;

/** `varies`: what the second round did differently. Of runs that are not over yet: whether nothing speaks against it so far. */
export function judgeConfirmation(
  claim: Claim,
  runs: readonly ConfirmingRun[],
  varies: string | undefined,
  contradicted?: Contradiction,
): Predicate {
  const against =
    runs.length === 0
      ? "it was not run"
      : findDistrust(runs) || findContradiction(claim, runs) || findIndifference(contradicted);
  const told = [tellConfirmation(claim, runs, varies), ...tellContradiction(contradicted)].join("; ");
  return {
    predicate: confirmedAfresh,
    holds: against === "",
    evidence: against === "" ? told : `in a fresh sandbox, ${against}`,
  };
}

/** A test that passes whatever it expects says nothing of the patch. */
function findIndifference({ asked, passed }: Contradiction = { asked: 0, passed: [] }): string {
  if (passed.length === 0) return "";
  const names = passed.slice(0, mostNamed).join(", ");
  return `${passed.length} of ${asked} tests (${names}) passed with the patch although another value was expected: they pass whatever the code does`;
}

function tellContradiction(contradicted: Contradiction | undefined): string[] {
  if (contradicted === undefined) return [];
  const { asked } = contradicted;
  return [
    asked === 1
      ? "with another value expected it failed"
      : `with other values expected ${asked} of ${asked} failed`,
  ];
}

/** Why nothing of it can be believed; "" where it can. */
function findDistrust(runs: readonly ConfirmingRun[]): string {
  const wrong = runs.find(({ canary }) => canary === "wrong");
  if (wrong !== undefined)
    return `a test that must fail passed ${side(wrong)}: the results cannot be trusted`;
  const first = runs.findIndex(({ canary }) => canary === "held");
  const lost = first < 0 ? undefined : runs.slice(first).find(({ canary }) => canary !== "held");
  if (lost !== undefined)
    return `a test that must fail and one that must pass were not reported as such ${side(lost)}: the results cannot be trusted`;
  const invalid = runs.find((run) => run.patched && run.invalid !== undefined);
  return invalid === undefined ? "" : `the run with the patch cannot be trusted: ${invalid.invalid}`;
}

function side({ patched }: ConfirmingRun): string {
  return patched ? "with the patch" : "without the patch";
}

function findContradiction(claim: Claim, runs: readonly ConfirmingRun[]): string {
  const [firstWithout] = runs.filter(({ patched }) => !patched);
  for (const run of runs) {
    const wrong = run.patched
      ? run.outcomes.filter(({ status }) => status !== "passed")
      : run.outcomes.filter(({ status }, index) =>
          claim.failing === "all"
            ? !isSilent(status)
            : isOther(status, firstWithout?.outcomes[index]?.status),
        );
    const names = wrong.slice(0, mostNamed).map(({ key }) => formatTestKey(key));
    const which = `${wrong.length} of ${run.outcomes.length} tests (${names.join(", ")})`;
    const again = run.varied ? " the second time" : "";
    if (wrong.length > 0 && run.patched) return `${which} did not pass with the patch${again}`;
    if (wrong.length > 0)
      return `${which} did not fail without the patch${again}, as they did before: they pass by the clock, by luck, or by what another run left behind`;
  }
  const fails = firstWithout?.outcomes.some(({ status }) => isSilent(status)) ?? true;
  return fails ? "" : "no test failed without the patch";
}

/** It did not pass: where nothing loads without the patch, a test is not even reported. */
function isSilent(status: string): boolean {
  return status !== "passed" && status !== "expected-failure" && status !== "skipped";
}

function isOther(status: string, first: string | undefined): boolean {
  return first !== undefined && isSilent(status) !== isSilent(first);
}

function tellConfirmation(claim: Claim, runs: readonly ConfirmingRun[], varies: string | undefined): string {
  const { length } = claim.tests;
  const tests = length === 1 ? "the test alone" : `the ${length} tests alone`;
  const turns = runs.map(({ patched }) => (patched ? "passed with the patch" : "failed without it"));
  const isOrdered = runs.some(({ inOrder }) => inOrder);
  const how = isOrdered
    ? " (the second time in the usual order: without the patch too, tests of these files depend on it)"
    : varies === undefined
      ? ""
      : ` (the second time ${varies})`;
  const held = runs.filter(({ canary }) => canary === "held").length;
  const canary =
    held === 0
      ? "no test that must fail could be set beside them"
      : `a test that must fail and one that must pass ended so in ${held} of ${runs.length} runs`;
  return `in a fresh sandbox, ${tests} ${turns.join(", ")}${how}; ${canary}`;
}
