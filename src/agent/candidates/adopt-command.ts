/**
 * Tries a test command that a model found, and makes it the run's test command. A model searches for the command if the
 * rules find none.
 */

import { wordFor } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { ActionContext, JudgeContext } from "../action.ts";
import { shareOf } from "../measure/base-suite.ts";
import { measureSuite } from "../measure/measure-suite.ts";
import { remarkOnce } from "../record/once.ts";
import { matchSignature } from "../state/statement-signature.ts";
import type { TaskState } from "../state/task-state.ts";
import type { Suite } from "../suite.ts";
import { faultOf, faultyBaseline } from "./fault-of-base.ts";

/** The share of the remaining time for the trial. */
const share = 0.25;

/**
 * Adopts a command as the run's test command. `shownBy`: the file or output that shows the command. Fails if the
 * command runs no tests. Also fails if no test passes and no failure matches the statement: such a command may be
 * wrong. Derives the fault from the base's failing tests if the state has none.
 */
export async function adoptCommand(
  context: JudgeContext & Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs">,
  state: TaskState,
  { command, shownBy }: { readonly command: string; readonly shownBy: string },
): Promise<Result<TaskState, "no-test-command">> {
  const { executor, suite, baseSuite, signature, task } = context;
  const wanted = { timeMs: shareOf(context.limits, share), key: `adopted:${command}` };
  const found = await measureSuite({ ...context, testCommand: command }, executor, wanted);
  if (!found.ok) return found;
  const { outcomes } = found.value;
  const speaks = outcomes.some(
    (outcome) => outcome.status === "passed" || matchSignature(signature, outcome).matches,
  );
  const said =
    outcomes.find(({ failure }) => failure !== undefined)?.failure?.message ?? "nothing was reported";
  if (!speaks)
    return fail(
      "no-test-command",
      `No test passes with \`${command}\` in the unchanged repository, so the command may be wrong: ${said}`,
    );
  const foundBy = `probe-environment: ${shownBy}`;
  await baseSuite.adopt({ ...found.value, command: { ...found.value.command, foundBy } });
  const baseline = await faultyBaseline(context, executor, suite, { key: ":adopted" });
  const fault = baseline?.ok === true ? faultOf(baseline.value, task.kind) : undefined;
  return succeed(fault === undefined || state.fault !== undefined ? state : { ...state, fault });
}

/** Adopts tests that only the replay found, after the model's last answer. A replay measures its own verdict. */
export async function adoptUnshown({
  suite,
  baseSuite,
  recorder,
}: Pick<JudgeContext, "suite" | "baseSuite" | "recorder">): Promise<void> {
  const { unshown, lacks } = suite;
  if (unshown === undefined || lacks === undefined) return;
  await baseSuite.adopt(unshown);
  const text = `The recorded run found no tests and showed none to the models. This replay found \`${unshown.command.command}\`, and uses its tests for the verdict.`;
  remarkOnce(recorder, text, "note");
}

/** Tells people and models which test command the run now uses. */
export function describeAdopted({ command, outcomes }: Suite): string {
  const passed = outcomes.filter(({ status }) => status === "passed").length;
  return `This run now uses \`${command.command}\` for its tests: ${passed} of ${outcomes.length} ${wordFor(passed, "passes", "pass")} on the base.`;
}
