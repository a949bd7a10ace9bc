/**
 * The reproducer. First asks a model whether a test can reproduce the statement. Then the model writes a test, and
 * rewrites it by its results.
 */
import { z } from "zod";
import type { ActionContext, JudgeContext } from "../../agent/action.ts";
import { programFromAnswer } from "../../agent/candidates/program-from-answer.ts";
import { describeTests, testsFromAnswer } from "../../agent/candidates/tests-from-answer.ts";
import { keepWritten } from "../../agent/candidates/written-tests.ts";
import { performStage, type StagedRun, type Stop } from "../../agent/control/stages.ts";
import { addPrograms } from "../../agent/state/standalone-program.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { oneProgramPrompt, oneTestPrompt } from "../../agent/think/parts.prompt.ts";
import { askModel } from "../../agent/think/sampling.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Message, ModelSettings } from "../../llm/contract.ts";
import { reproduciblePrompt } from "./roles.prompt.ts";

const tries = 3;

const stepsSchema = z.object({
  reproducible: z
    .boolean()
    .describe("true if the statement says enough to reproduce the fault: the actions and their result"),
  why: z.string(),
});

export interface WriteTestRequest {
  readonly intent: string;
  /** A reviewer's comment on the earlier test. The new test replaces the earlier one. */
  readonly advice?: string;
  readonly settings: ModelSettings;
}

/**
 * Writes a test that should show the fault, or a standalone program, as in the original. Returns true if one of them
 * now shows the fault. A program gives the review its basis, and verifies no patch.
 */
export async function writeTest(
  run: StagedRun,
  { intent, advice, settings }: WriteTestRequest,
): Promise<boolean> {
  const { context } = run;
  const kept = await performStage(run, {
    name: "write-test",
    intent,
    run: async (state) => {
      const asked = advice === undefined ? await canReproduce(context, settings) : undefined;
      if (asked?.holds === false) return { value: undefined, stopped: asked.stopped };
      // The test that showed the fault before was found wrong.
      const before = advice === undefined ? state : { ...state, fault: undefined, programs: [] };
      const { next, stopped } = await tryToShow(context, before, settings, advice);
      return next === undefined ? { value: undefined, stopped } : { value: true, state: next };
    },
  });
  return kept === true;
}

async function canReproduce(
  context: Pick<ActionContext, "models" | "task" | "limits" | "decoding" | "signal">,
  settings: ModelSettings,
): Promise<{ holds: boolean; stopped: Stop | undefined }> {
  const { answer, stopped } = await askModel(context, {
    role: "reproduction",
    system: reproduciblePrompt,
    messages: [{ role: "user", text: `# Statement\n\n${context.task.statement}` }],
    output: { name: "reproducible", schema: stepsSchema },
    settings,
  });
  return { holds: answer?.output?.reproducible === true, stopped };
}

async function tryToShow(
  context: JudgeContext & Pick<ActionContext, "models" | "switches" | "decoding">,
  state: TaskState,
  settings: ModelSettings,
  advice: string | undefined,
): Promise<{ readonly next?: TaskState; readonly stopped?: Stop | undefined }> {
  const { lacks } = context.suite;
  const near = state.codePlaces.map(({ file }) => file);
  const reviewed = advice === undefined ? "" : `\n\n# Why the earlier test was wrong\n\n${advice}`;
  const tests = lacks === undefined ? `\n\n# Existing tests\n\n${await describeTests(context, near)}` : "";
  const text = `# Statement\n\n${context.task.statement}${tests}${reviewed}`;
  const messages: Message[] = [{ role: "user", text }];
  for (let attempt = 1; attempt <= tries; attempt += 1) {
    const { answer, stopped } = await askModel(context, {
      role: "reproduction",
      system: lacks === undefined ? oneTestPrompt : oneProgramPrompt,
      messages,
      settings,
    });
    if (answer === undefined) return { stopped };
    const taken = await takeAnswer(context, state, answer.text);
    if (taken.ok) return { next: taken.value };
    messages.push(answer.message, {
      role: "user",
      text: `Your answer does not show the fault.\n\n${taken.message}\n\nWrite the test or program again.`,
    });
  }
  return {};
}

/** Returns the state with the answer's test or program, or a message to the model. */
async function takeAnswer(
  context: JudgeContext & Pick<ActionContext, "switches">,
  state: TaskState,
  answer: string,
): Promise<Result<TaskState, string>> {
  const program = await programFromAnswer(context, answer);
  if (program?.ok === true)
    return succeed({ ...state, programs: addPrograms(state.programs, [program.value]) });
  if (program !== undefined) return program;
  if (context.suite.lacks !== undefined)
    return fail(
      "not-shown",
      "The answer contains no standalone program with a line `Command: …`: write one.",
    );
  const shown = await testsFromAnswer(context, state, answer);
  const kept = shown.ok ? await keepWritten(context, state, shown.value, "third") : shown;
  return kept.ok ? succeed(kept.value.state) : kept;
}
