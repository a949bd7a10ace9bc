/** Chooses the patch: an approved one that breaks no test, or else the winner of three votes of a model. If possible, the model chooses among patches that break no test. */
import { z } from "zod";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { sampleModel } from "../../agent/think/sampling.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Reviewed } from "./review.ts";
import { selectPrompt } from "./roles.prompt.ts";

const votes = 3;
/** The temperature of the three votes. At temperature 0, all three votes would be the same. */
export const sampledTemperature = 0.8;

const choiceSchema = z.object({
  patch: z.string().describe("the chosen patch's id, such as c1"),
  why: z.string(),
});

export interface Validated extends Reviewed {
  /** True if every test that passed on the base passes with the patch. */
  readonly breaksNothing: boolean;
}

/**
 * Runs all tests with the patch. If the measurement fails, counts the patch as breaking tests. Returns undefined if a
 * limit is reached.
 */
export function validate(run: StagedRun, reviewed: Reviewed): Promise<Validated | undefined> {
  const { context } = run;
  const { candidate } = reviewed;
  return performStage<Validated>(run, {
    name: "validate",
    intent: `all tests with ${candidate.id}`,
    run: async (state) => {
      const measured = await rulesOf(context.task.kind).measure(context, state, candidate, "all");
      if (!measured.ok) return { value: { ...reviewed, breaksNothing: false } };
      const row = measured.value;
      const breaksNothing = row.invalid === undefined && (row.broken ?? []).length === 0;
      return { value: { ...reviewed, breaksNothing }, state: { ...state, rows: [...state.rows, row] } };
    },
  });
}

export async function selectPatch(
  run: StagedRun,
  tried: readonly Validated[],
): Promise<Candidate | undefined> {
  const right = tried.find(({ approved, breaksNothing }) => approved && breaksNothing);
  if (right !== undefined) return right.candidate;
  const unbroken = tried.filter(({ breaksNothing }) => breaksNothing);
  const among = (unbroken.length > 0 ? unbroken : tried).map(({ candidate }) => candidate);
  if (among.length < 2) return among[0];
  return (await voteOf(run, among)) ?? among[0];
}

async function voteOf(run: StagedRun, among: readonly Candidate[]): Promise<Candidate | undefined> {
  const { context } = run;
  const { trees, base } = context.workspace;
  const shown: string[] = [];
  for (const { id, tree } of among) shown.push(`## ${id}\n\n${(await trees.diff(base, tree)).trimEnd()}`);
  return performStage(run, {
    name: "select",
    intent: `one of ${among.map(({ id }) => id).join(", ")}`,
    run: async () => {
      const text = `# Statement\n\n${context.task.statement}\n\n# Patches\n\n${shown.join("\n\n")}`;
      const { answers, stopped } = await sampleModel(
        context,
        {
          role: "review",
          system: selectPrompt,
          messages: [{ role: "user", text }],
          output: { name: "choice", schema: choiceSchema },
          final: true,
        },
        { count: votes, temperature: sampledTemperature, greedyFirst: false },
      );
      const named = answers.map(({ output }) => output?.patch.trim());
      const counts = among.map((candidate) => named.filter((id) => id === candidate.id).length);
      return { value: among[counts.indexOf(Math.max(...counts))], stopped };
    },
  });
}
