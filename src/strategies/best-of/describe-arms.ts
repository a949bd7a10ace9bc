/** What each arm did and cost, and how the choice was made, for the report. */
import type { Findings } from "../../domain/finding.ts";
import type { Chosen } from "./choose.ts";
import type { Judged } from "./cross-validate.ts";
import type { ArmRun } from "./run-arms.ts";

export function describeArms(
  runs: readonly ArmRun[],
  judged: readonly Judged[],
  chosen: Chosen | undefined,
): Pick<Findings, "actions" | "remarks"> {
  const decided =
    chosen === undefined ? [] : [`Chosen: ${chosen.judged.candidate.id}, for ${chosen.because}.`];
  return {
    actions: runs.flatMap(describeArm),
    remarks: [...decided, ...judged.map((each) => describeRow(each, runs)), ...runs.flatMap(remarksOf)],
  };
}

function describeArm({ arm, end }: ArmRun): Findings["actions"] {
  const { calls, inputTokens, outputTokens } = end.usage;
  const label = arm.sample === 0 ? arm.strategy.name : `${arm.strategy.name}, sample ${arm.sample + 1}`;
  const whole = {
    action: `arm ${arm.id}: ${label}`,
    intent: `${end.outcome}: ${end.reason}`,
    failed: end.outcome !== "verified",
    calls,
    tokens: inputTokens + outputTokens,
  };
  const parts = end.findings.actions.map((each) => ({ ...each, action: `${arm.id}. ${each.action}` }));
  return [whole, ...parts];
}

function describeRow({ candidate, passing, tests, row }: Judged, runs: readonly ArmRun[]): string {
  const { broken, told } = row;
  const shown =
    tests === 0 ? "" : `${passing} of ${tests} tests of ${runs.length} arms that show the fault pass, `;
  return `${candidate.id}: ${shown}${told ?? `${broken?.length ?? "unknown how many"} other tests break`}.`;
}

function remarksOf({ arm, end }: ArmRun): string[] {
  return end.findings.remarks.map((remark) => `Arm ${arm.id}: ${remark}`);
}
