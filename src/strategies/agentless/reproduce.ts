/**
 * Samples tests that show the fault. Keeps those that fail on the base, and selects one by a vote over their normal
 * forms. The tests are in the repository's own framework; the original uses scripts that print observations. Millwright
 * computes whether the statement reports a test's failure. If no test shows the fault, or no test can run, a standalone
 * program counts. It helps to choose the patch, and verifies none.
 */

import { programFromAnswer } from "../../agent/candidates/program-from-answer.ts";
import { describeTests, testsFromAnswer } from "../../agent/candidates/tests-from-answer.ts";
import { keepWritten, type WrittenTests } from "../../agent/candidates/written-tests.ts";
import { performStage, type StagedRun, type StageEnd } from "../../agent/control/stages.ts";
import { remarkOnce } from "../../agent/record/once.ts";
import { addPrograms, type StandaloneProgram } from "../../agent/state/standalone-program.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { voteCandidates } from "../../agent/state/vote.ts";
import { oneProgramPrompt, oneTestPrompt } from "../../agent/think/parts.prompt.ts";
import { sampleModel } from "../../agent/think/sampling.ts";
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { sampledTemperature } from "./numbers.ts";

interface Sampled extends WrittenTests {
  /** The test as a candidate, for the vote. Millwright has not stored it yet. */
  readonly candidate: Candidate;
}

/** Samples `count` answers with a test or a program, and keeps the winner of a vote. Does nothing if a test already shows the fault. `files`: the files whose tests the model sees. */
export async function reproduce(run: StagedRun, files: readonly string[], count: number): Promise<void> {
  const { context, work } = run;
  if ((work.state.fault?.targets ?? []).length > 0) return;
  const { lacks } = context.suite;
  const tests = lacks === undefined ? `\n\n# Existing tests\n\n${await describeTests(context, files)}` : "";
  await performStage(run, {
    name: "reproduce",
    intent: `sample ${countOf(count, "test")} of the fault`,
    run: async (state) => {
      const text = `# Statement\n\n${context.task.statement}${tests}`;
      const system = lacks === undefined ? oneTestPrompt : oneProgramPrompt;
      const { answers, stopped } = await sampleModel(
        context,
        { role: "reproduction", system, messages: [{ role: "user", text }] },
        { count, temperature: sampledTemperature, greedyFirst: true },
      );
      const shown: Sampled[] = [];
      const programs: StandaloneProgram[] = [];
      for (const [index, answer] of answers.entries()) {
        const program = await programFromAnswer(context, answer.text);
        if (program?.ok === true) programs.push(program.value);
        if (program !== undefined || lacks !== undefined) continue;
        const written = await testsFromAnswer(context, state, answer.text);
        if (!written.ok) continue;
        const id = `sample ${index + 1} of the tests`;
        const { tree } = written.value;
        shown.push({ ...written.value, candidate: { id, tree, kind: "reproduction", origin: id } });
      }
      if (shown.length === 0) return { ...(await keepProgram(context, state, programs)), stopped };
      const candidates = shown.map(({ candidate }) => candidate);
      const { winner, groups } = await voteCandidates(context, candidates, { ignorePaths: true });
      const chosen = shown.find(({ candidate }) => candidate === winner);
      const kept = chosen === undefined ? undefined : await keepWritten(context, state, chosen, "third");
      if (kept?.ok !== true) return { value: undefined, stopped };
      remarkOnce(
        context.recorder,
        `The chosen tests won the vote: ${groups[0]?.candidates.length ?? 0} of ${countOf(shown.length, "sample")} match.`,
        "note",
      );
      return { value: kept.value.id, state: kept.value.state, stopped };
    },
  });
}

/** Keeps the program that wins the vote. It helps to choose a patch, and verifies none. */
async function keepProgram(
  context: Pick<StagedRun["context"], "workspace">,
  state: TaskState,
  programs: readonly StandaloneProgram[],
): Promise<StageEnd<string>> {
  const candidates = programs.map(
    ({ tree }, at): Candidate => ({
      id: `program ${at + 1}`,
      tree,
      kind: "reproduction",
      origin: "a program",
    }),
  );
  const { winner } = await voteCandidates(context, candidates, { ignorePaths: true });
  const kept = programs.find(({ tree }) => tree === winner?.tree);
  return kept === undefined
    ? { value: undefined }
    : { value: kept.file, state: { ...state, programs: addPrograms(state.programs, [kept]) } };
}
