import { formatTestKey } from "../../../domain/test-outcome.ts";
import { rulesOf } from "../../kinds/rules-of.ts";
import { defineReviewCheck, type Finding } from "../contract.ts";

export default defineReviewCheck({
  name: "held-back-tests",
  description: "Runs the tests of the same behaviour that no author of a patch was shown.",
  async run(context, state, candidate) {
    const hidden = new Set((state.fault?.heldBack ?? []).map(formatTestKey));
    if (hidden.size === 0) return [];
    const measured = await rulesOf(context.task.kind).measure(context, state, candidate, "targets");
    if (!measured.ok) return [{ weight: "refuted", text: measured.message }];
    const { targets, invalid } = measured.value;
    if (invalid !== undefined)
      return [{ weight: "refuted", text: `The run of the held-back tests cannot be trusted: ${invalid}.` }];
    const held = targets.filter(({ key }) => hidden.has(formatTestKey(key)));
    const failing = held.filter(({ status }) => status !== "passed");
    if (failing.length === 0)
      return [{ weight: "note", text: `The ${held.length} held-back tests of the behaviour pass.` }];
    return failing.map(
      ({ key, status, failure }): Finding => ({
        weight: "refuted",
        text: `A held-back test of the same behaviour does not pass: ${formatTestKey(key)} (${failure?.type || status}).`,
      }),
    );
  },
});
