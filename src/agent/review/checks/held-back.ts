import { findStatus, formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import { rulesOf } from "../../kinds/rules-of.ts";
import { composeTree, runOn } from "../../measure/run-candidate.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

export default defineReviewCheck({
  name: "held-back-tests",
  description:
    "Runs held-back tests, which no patch author saw, and written tests that pass without a patch.",
  async run(context, state, candidate) {
    const { heldBack = [], guards = [] } = state.fault ?? {};
    const composed = guards.length === 0 ? undefined : await composeTree(context, state, candidate);
    const broken: Finding[] = [];
    if (composed?.ok === true) {
      const tests = guards.map(({ key }) => key);
      const ran = await runOn(context, composed.value, { kind: "tests", tests });
      const { outcomes, invalid, cutMs } = ran;
      if (invalid !== undefined) return [distrust(invalid, cutMs !== undefined)];
      const failing = tests.filter((key) => findStatus(outcomes, key) !== "passed");
      broken.push(
        ...failing.map((key) => refute("A written test passes without the patch and fails with it", key)),
      );
    }
    if (heldBack.length === 0) return broken;
    const measured = await rulesOf(context.task.kind).measure(context, state, candidate, "targets");
    if (!measured.ok) return [{ weight: "refuted", text: measured.message }];
    const { targets, invalid, isCut } = measured.value;
    if (invalid !== undefined) return [distrust(invalid, isCut === true)];
    const hidden = new Set(heldBack.map(formatTestKey));
    const held = targets.filter(({ key }) => hidden.has(formatTestKey(key)));
    const failing = held.filter(({ status }) => status !== "passed");
    for (const { key, status, failure } of failing)
      broken.push(
        refute("A held-back test of the same behaviour does not pass", key, failure?.type || status),
      );
    if (broken.length > 0) return broken;
    const said =
      held.length === 1 ? "The one held-back test passes" : `The ${held.length} held-back tests pass`;
    return [{ weight: "note", text: `${said}.` }];
  },
});

/** A run that a time limit ended (`isCut`) refutes nothing. */
function distrust(invalid: string, isCut: boolean): Finding {
  const text = `The run of the written tests cannot be trusted: ${invalid}.`;
  return { weight: isCut ? "doubt" : "refuted", text };
}

function refute(what: string, key: TestKey, why = ""): Finding {
  const test = formatTestKey(key);
  return { weight: "refuted", text: `${what}: ${test}${why === "" ? "" : ` (${why})`}.`, test };
}
