/** The gate of `repair` and `partial-fix`: predicates over test outcomes from reports. Pure. */

import { countOf, eachOf, wordFor } from "../../base/count.ts";
import type { Predicate } from "../../domain/gate.ts";
import {
  formatTestKey,
  isFailing,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import { findRegressions } from "../measure/regressions.ts";
import type { AskedAgain, WrongTest } from "./asked-again.ts";
import { describeBroken } from "./broken-tests.ts";
import { cutOff, isOnlyUnrun, tellStillPassing } from "./still-passing.ts";

export interface RepairGateInput {
  /** Each run of the reproducing tests on the base. */
  readonly baseRuns: readonly (readonly TestOutcome[])[];
  /** True if the time limit ended one of these runs. */
  readonly isCut?: boolean;
  /** The tests that show the fault. */
  readonly targets: readonly TestKey[];
  /** The target tests that no author of a patch saw. */
  readonly heldBack?: readonly TestKey[];
  /** True if the target tests fail for the stated reason, computed earlier. */
  readonly reason: { readonly holds: boolean; readonly evidence: string };
  /** All tests on the base, without flaky ones. */
  readonly base: readonly TestOutcome[];
  /** The results of the same tests on the candidate. */
  readonly candidate: readonly TestOutcome[];
  /** True if a time limit ended the candidate's run. */
  readonly isCandidateCut?: boolean;
  /** The reason why the candidate's test report is unreliable, if it is. */
  readonly invalid: string | undefined;
  /** Results of reworded or removed tests in the base's version, with the tests that do not count. */
  readonly asked?: AskedAgain;
}

export function judgeRepair(input: RepairGateInput): Predicate[] {
  return [
    failsOnBase(input),
    {
      predicate: "failure-is-the-stated-one",
      holds: input.reason.holds,
      evidence: input.reason.evidence,
    },
    passesNow(input),
    ...heldBackPass(input),
    noRegression(input),
  ];
}

export function gateHolds(gate: readonly Predicate[]): boolean {
  return gate.length > 0 && gate.every((predicate) => predicate.holds);
}

function failsOnBase({ baseRuns, isCut = false, targets, base }: RepairGateInput): Predicate {
  const failing = base.filter(({ status }) => isFailing(status));
  const statuses = baseRuns.map(statusFinder);
  const stable = targets.filter((key) => statuses.every((statusOf) => isFailing(statusOf(key))));
  const unrun = targets.filter((key) => statuses.some((statusOf) => statusOf(key) === "not-run"));
  const left =
    unrun.length === 0
      ? ""
      : `; ${unrun.length} ${wordFor(unrun.length, "was", "were")} not run in at least one of these runs${isCut ? ", because the time limit ended a run" : ""}`;
  return {
    predicate: "failing-tests-fail-on-base",
    holds: targets.length > 0 && baseRuns.length > 1 && stable.length === targets.length,
    evidence:
      targets.length === 0
        ? `no failing test is linked to the fault; ${countOf(failing.length, "test")} of the repository ${wordFor(failing.length, "fails", "fail")} without the patch`
        : `${stable.length} of ${targets.length} failed in ${eachOf(baseRuns.length, "run")} without the patch${left}`,
  };
}

/** Maximum number of named tests. */
const mostNamed = 3;

function passesNow({ targets, heldBack = [], candidate, invalid }: RepairGateInput): Predicate {
  const statusOf = statusFinder(candidate);
  const passing = targets.filter((key) => statusOf(key) === "passed");
  const hidden = new Set(heldBack.map(formatTestKey));
  const left = targets.filter((key) => statusOf(key) !== "passed").map(formatTestKey);
  const named = left.filter((id) => !hidden.has(id)).slice(0, mostNamed);
  const others =
    named.length === 0 ? "" : `; not passing: ${named.join(", ")}${left.length > named.length ? " …" : ""}`;
  return {
    predicate: "failing-tests-pass",
    holds: invalid === undefined && targets.length > 0 && passing.length === targets.length,
    evidence:
      invalid ??
      (targets.length === 0
        ? "no failing test is linked to the fault"
        : `${passing.length} of ${targets.length} ${wordFor(passing.length, "passes", "pass")} with the patch${others}`),
  };
}

/** Judges the held-back tests separately, because no author fitted a patch to them. */
function heldBackPass({ heldBack = [], candidate, invalid }: RepairGateInput): Predicate[] {
  if (heldBack.length === 0) return [];
  const statusOf = statusFinder(candidate);
  const passing = heldBack.filter((key) => statusOf(key) === "passed");
  return [
    {
      predicate: "held-back-tests-pass",
      holds: invalid === undefined && passing.length === heldBack.length,
      evidence:
        invalid ??
        `${passing.length} of ${countOf(heldBack.length, "held-back test")} ${wordFor(passing.length, "passes", "pass")} with the patch`,
    },
  ];
}

/** Returns the broken tests that count: all except those that assert a result which the statement calls wrong. */
export function findCounted({
  base: all,
  candidate,
  asked,
}: Pick<RepairGateInput, "base" | "candidate" | "asked">): {
  readonly base: readonly TestOutcome[];
  readonly broken: readonly string[];
} {
  const left = new Set((asked?.wrong ?? []).map(({ key }) => formatTestKey(key)));
  const base = all.filter(({ key }) => !left.has(formatTestKey(key)));
  return { base, broken: findRegressions(base, asked?.outcomes ?? candidate) };
}

function noRegression(input: RepairGateInput): Predicate {
  const { candidate, invalid, asked, isCandidateCut = false } = input;
  const { outcomes = candidate, wrong = [], notes = [] } = asked ?? {};
  const { base, broken } = findCounted(input);
  const passed = base.filter((outcome) => outcome.status === "passed").length;
  const told =
    broken.length === 0
      ? tellStillPassing(passed)
      : `of ${countOf(passed, "test")} that passed before, ${describeBroken(broken, base, outcomes)}`;
  if (isCandidateCut && isOnlyUnrun(broken, outcomes))
    return { predicate: "no-test-breaks", holds: false, ...cutOff(broken.length) };
  return {
    predicate: "no-test-breaks",
    holds: invalid === undefined && broken.length === 0,
    evidence: invalid ?? [told, ...wrong.map(tellWrong), ...notes].join("; "),
  };
}

/** Names the test, with the reason. */
function tellWrong({ key, why }: WrongTest): string {
  return `${formatTestKey(key)} does not count, because it asserts a result that the statement calls wrong: ${why}`;
}
