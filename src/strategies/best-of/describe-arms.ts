/** Describes for the report how the candidate was chosen: each candidate's test results, and each arm's remarks. */
import { countOf } from "../../base/count.ts";
import type { Chosen } from "./choose.ts";
import type { Judged } from "./cross-validate.ts";
import type { ArmRun } from "./run-arms.ts";

export function describeArms(
  runs: readonly ArmRun[],
  judged: readonly Judged[],
  chosen: Chosen | undefined,
): readonly string[] {
  const decided =
    chosen === undefined ? [] : [`Chosen: ${chosen.judged.candidate.id}, because ${chosen.because}.`];
  return [...decided, ...judged.map((each) => describeRow(each, runs)), ...runs.flatMap(remarksOf)];
}

function describeRow({ candidate, passing, tests, row }: Judged, runs: readonly ArmRun[]): string {
  const { broken, told } = row;
  const shown = `passes ${passing} of ${countOf(tests, "test that shows", "tests that show")} the fault, from ${countOf(runs.length, "arm")}`;
  const others =
    broken === undefined
      ? "not measured on the other tests"
      : `breaks ${countOf(broken.length, "other test")}`;
  return `${candidate.id}: ${[...(tests === 0 ? [] : [shown]), told ?? others].join(", ")}.`;
}

function remarksOf({ arm, end }: ArmRun): string[] {
  return end.findings.remarks.map((remark) => `Arm ${arm.id}: ${remark}`);
}
