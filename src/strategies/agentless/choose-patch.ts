/**
 * The last stages of Agentless. They choose the tests that must still pass, run them with each patch, and vote among
 * the best patches.
 */
import { z } from "zod";
import type { ActionContext, JudgeContext } from "../../agent/action.ts";
import { runPrograms } from "../../agent/candidates/run-programs.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import type { MatrixRow } from "../../agent/state/task-state.ts";
import { type VoteGroup, voteCandidates } from "../../agent/state/vote.ts";
import { askModel } from "../../agent/think/sampling.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { regressionTestsPrompt } from "./repair.prompt.ts";

const testsSchema = z.object({ tests: z.array(z.string()).describe("exactly as listed") });

/** Maximum characters of the list. Millwright halves the list until it fits. */
const longestList = 60_000;

/**
 * Returns the ids of tests that pass on the base and must still pass with a patch. A model may exclude tests that must
 * fail after any correct change.
 */
export async function regressionTests(run: StagedRun): Promise<ReadonlySet<string>> {
  const { context } = run;
  await context.baseSuite.whole();
  const passing = context.suite.outcomes
    .filter(({ status }) => status === "passed")
    .map(({ key }) => formatTestKey(key));
  let shown = passing;
  while (shown.join("\n").length > longestList) shown = shown.slice(0, Math.ceil(shown.length / 2));
  const changing = await performStage(run, {
    name: "regression-tests",
    intent: "tests that pass now and should change",
    run: async () => {
      if (shown.length === 0) return { value: [] };
      const text = `# Statement\n\n${context.task.statement}\n\n# Tests that pass\n\n${shown.join("\n")}`;
      const { answer, stopped } = await askModel(context, {
        role: "review",
        system: regressionTestsPrompt,
        messages: [{ role: "user", text }],
        output: { name: "tests", schema: testsSchema },
      });
      return { value: answer?.output?.tests ?? [], stopped };
    },
  });
  const left = new Set(passing);
  for (const test of changing ?? []) left.delete(test.trim());
  return left;
}

interface Measured {
  readonly row: MatrixRow;
  /** True if the run has standalone programs, and all end with 0. Counts only if no test shows the fault. */
  readonly passes: boolean;
}

interface Ranked {
  readonly group: VoteGroup;
  readonly row: MatrixRow;
  readonly failures: number;
  readonly reproduced: boolean;
}

/**
 * Chooses a patch among those that break the fewest tests. Prefers patches that pass the reproduction, then the most
 * votes, then the first. Measures patches in the order of votes, and only one of equivalent patches, until a limit of
 * the run. If it measured none, takes the patch with the most votes. Returns undefined without patches.
 */
export async function choosePatch(run: StagedRun, kept: ReadonlySet<string>): Promise<Candidate | undefined> {
  const { context, work } = run;
  const { delivers } = rulesOf(context.task.kind);
  const patches = work.state.candidates.filter(({ kind }) => kind === delivers);
  const { groups } = await voteCandidates(context, patches);
  const ranked: Ranked[] = [];
  for (const group of groups) {
    const measured = await performStage(run, {
      name: "test-patch",
      intent: `all tests with ${group.candidates.map(({ id }) => id).join(", ")}`,
      run: async (state) => {
        const row = await measure(context, state, group.candidates[0]);
        if (row === undefined) return { value: undefined };
        const ran = await runPrograms(context, state, group.candidates[0]);
        const passes = ran.length > 0 && ran.every(({ run: { exitCode } }) => exitCode === 0);
        return { value: { row, passes }, state: { ...state, rows: [...state.rows, row] } };
      },
    });
    if (measured !== undefined) ranked.push(rankOf(context, group, measured, kept));
  }
  const fewest = Math.min(...ranked.map(({ failures }) => failures));
  const unbroken = ranked.filter(({ failures }) => failures === fewest);
  const reproduced = unbroken.filter((each) => each.reproduced);
  const [best] = reproduced.length > 0 ? reproduced : unbroken;
  return best?.group.candidates[0] ?? groups[0]?.candidates[0];
}

async function measure(
  context: JudgeContext,
  state: Parameters<ReturnType<typeof rulesOf>["measure"]>[1],
  candidate: Candidate,
): Promise<MatrixRow | undefined> {
  const measured = await rulesOf(context.task.kind).measure(context, state, candidate, "all");
  return measured.ok ? measured.value : undefined;
}

/** Returns the rank of a patch. A report that cannot be trusted counts as if every test failed. */
function rankOf(
  context: Pick<ActionContext, "suite">,
  group: VoteGroup,
  { row, passes }: Measured,
  kept: ReadonlySet<string>,
): Ranked {
  const broken = (row.broken ?? []).filter((id) => kept.has(id));
  const isTrusted = row.invalid === undefined;
  return {
    group,
    row,
    failures: isTrusted ? broken.length : context.suite.outcomes.length + 1,
    reproduced:
      row.targets.length === 0 ? passes : isTrusted && row.targets.every(({ status }) => status === "passed"),
  };
}
