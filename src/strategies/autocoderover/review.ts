/**
 * The review loop. A reviewer judges the patch and the test together, by the test's results without and with the patch.
 * If the reviewer rejects one of them, the answer contains advice.
 */
import { z } from "zod";
import type { ActionContext, JudgeContext } from "../../agent/action.ts";
import { runPrograms } from "../../agent/candidates/run-programs.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { renderFailures } from "../../agent/state/render-state.ts";
import { tellProgramOutput } from "../../agent/state/standalone-program.ts";
import type { MatrixRow, TaskState } from "../../agent/state/task-state.ts";
import { askModel } from "../../agent/think/sampling.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { reviewPrompt } from "./roles.prompt.ts";
import { type PatchTalk, writePatch } from "./write-patch.ts";
import { writeTest } from "./write-test.ts";

const rounds = 5;

const judgementSchema = z.object({
  correct: z.boolean(),
  analysis: z.string(),
  advice: z.string().describe("the necessary change; empty if no change is necessary"),
});
const reviewSchema = z.object({ patch: judgementSchema, test: judgementSchema });
type Review = z.infer<typeof reviewSchema>;

export interface Reviewed {
  readonly candidate: Candidate;
  readonly approved: boolean;
}

/**
 * Revises the patch until the reviewer approves it, the rounds end, or a model gives no usable answer. Also revises a
 * rejected test if this run wrote it. Always returns the last patch.
 */
export async function reviewLoop(run: StagedRun, talk: PatchTalk, first: Candidate): Promise<Reviewed> {
  let candidate = first;
  for (let round = 1; round <= rounds; round += 1) {
    const seen = await review(run, candidate, round);
    if (seen === undefined) return { candidate, approved: false };
    const { patch, test } = seen.review;
    const testIsWrong = !test.correct && isOurs(run.work.state);
    if (patch.correct && !testIsWrong) return { candidate, approved: true };
    if (round === rounds) break;
    if (testIsWrong)
      await writeTest(run, {
        intent: "a test that replaces a wrong one",
        advice: adviceOf(test),
        settings: talk.settings,
      });
    if (patch.correct) continue;
    const advice = `A reviewer rejected the patch.\n\n${adviceOf(patch)}\n\n${seen.told}`;
    const next = await writePatch(run, talk, `a patch that follows the advice of review ${round}`, advice);
    if (next === undefined) return { candidate, approved: false };
    candidate = next;
  }
  return { candidate, approved: false };
}

function adviceOf({ analysis, advice }: Review["patch"]): string {
  return `${analysis}\n${advice}`.trim();
}

/** True if the run wrote the test or program. Millwright does not rewrite a test of the repository. */
function isOurs({ candidates, fault }: TaskState): boolean {
  return fault === undefined || candidates.some(({ kind }) => kind === "reproduction");
}

interface Seen {
  readonly review: Review;
  /** The test's results with the patch. */
  readonly told: string;
}

function review(run: StagedRun, candidate: Candidate, round: number): Promise<Seen | undefined> {
  const { context } = run;
  return performStage<Seen>(run, {
    name: "review",
    intent: `${candidate.id}, round ${round}`,
    run: async (state) => {
      const [program] = state.programs ?? [];
      if (state.fault === undefined && program === undefined) return { value: undefined };
      const { row, told } =
        state.fault === undefined
          ? await runProgramsOf(context, state, candidate)
          : await runTests(context, state, candidate);
      const { answer, stopped } = await askModel(context, {
        role: "review",
        system: reviewPrompt,
        messages: [{ role: "user", text: await questionOf(context, state, candidate, told) }],
        output: { name: "review", schema: reviewSchema },
      });
      const { output } = answer ?? {};
      if (output === undefined) return { value: undefined, stopped };
      const findings = [output.patch, output.test].map((judged, index) => ({
        check: index === 0 ? "reviewer-of-patch" : "reviewer-of-test",
        weight: judged.correct ? ("note" as const) : ("doubt" as const),
        text: adviceOf(judged),
      }));
      const reviews = [...state.reviews, { candidate: candidate.id, findings }];
      const rows = row === undefined ? state.rows : [...state.rows, row];
      return { value: { review: output, told }, state: { ...state, reviews, rows } };
    },
  });
}

interface Ran {
  readonly row: MatrixRow | undefined;
  readonly told: string;
}

async function runTests(context: JudgeContext, state: TaskState, candidate: Candidate): Promise<Ran> {
  const measured = await rulesOf(context.task.kind).measure(context, state, candidate, "targets");
  const row = measured.ok ? measured.value : undefined;
  return {
    row,
    told: row === undefined ? "Millwright could not run the test with the patch." : describeRow(row),
  };
}

async function runProgramsOf(context: JudgeContext, state: TaskState, candidate: Candidate): Promise<Ran> {
  const ran = await runPrograms(context, state, candidate);
  const told = ran.map(({ program, run }) => `${program.file} ${tellProgramOutput(run, longestOutput)}`);
  return { row: undefined, told: told.join("\n\n") };
}

const longestOutput = 4_000;

function describeRow({ targets, invalid }: MatrixRow): string {
  if (invalid !== undefined) return `The test results with the patch are unreliable: ${invalid}`;
  const passing = targets.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key));
  const passed = passing.map((id) => `${id} passes with the patch.`);
  return [...passed, ...renderFailures(targets)].join("\n\n");
}

async function questionOf(
  { task, workspace }: Pick<ActionContext, "task" | "workspace">,
  { fault, candidates, programs = [] }: TaskState,
  candidate: Candidate,
  told: string,
): Promise<string> {
  const { trees, base } = workspace;
  const [program] = fault === undefined ? programs : [];
  const reproduction = candidates.findLast(({ kind }) => kind === "reproduction");
  const test =
    program !== undefined
      ? `The standalone program \`${program.command}\`:\n${program.text.trimEnd()}`
      : reproduction === undefined
        ? "The repository contains this test."
        : (await trees.diff(base, reproduction.tree)).trimEnd();
  const before =
    program !== undefined
      ? `${program.file} ${tellProgramOutput(program.base, longestOutput)}`
      : renderFailures(fault?.baseRuns[0] ?? []).join("\n\n");
  return [
    `# Statement\n\n${task.statement}`,
    `# Patch\n\n${(await trees.diff(base, candidate.tree)).trimEnd()}`,
    `# Test\n\n${test}`,
    `# Without the patch\n\n${before}`,
    `# With the patch\n\n${told}`,
  ].join("\n\n");
}
