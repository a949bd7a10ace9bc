/**
 * Whether a patch's condition matters to the tests: they also pass if it is always true, or always false. Then the
 * patch may just disable code, like `isset(cache[other])`, which never holds.
 */
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestBench } from "../../agent/suite.ts";
import { languageOf } from "../../languages/source-files.ts";
import { proposeRepairs } from "../../repair/propose-repairs.ts";
import replaceCondition from "../../repair/templates/replace-condition.ts";
import { dialectOf } from "../../syntax/dialects/index.ts";
import { judgeCandidate, verdictSchema } from "./funnel.ts";
import { changedText, type PreparedProposal } from "./proposals.ts";
import type { Judged } from "./search.ts";

export interface ConstantForm {
  readonly constant: string;
  /** The file's text with the constant instead of the patch's condition. */
  readonly text: string;
}

/** Of each condition that the patch changes or adds: always false, and always true. */
export async function listConstantForms(patch: PreparedProposal): Promise<ConstantForm[]> {
  const language = languageOf(patch.file);
  const spelling = language && dialectOf(language.name)?.spelling;
  if (language === undefined || spelling === undefined) return [];
  const text = changedText(patch);
  const [start, end] = [patch.start, patch.start + patch.replacement.length];
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const lines = Array.from({ length: lineAt(end) - lineAt(start) + 1 }, (_, at) => lineAt(start) + at);
  const proposals = await proposeRepairs({
    ...{ file: patch.file, text, language, templates: [replaceCondition] },
    // A condition may begin on an earlier line than the change.
    statements: [patch.statementLine, ...lines].map((line) => ({
      ...{ file: patch.file, startLine: line, endLine: line, score: 1 },
    })),
  });
  return [spelling.false, spelling.true].flatMap((constant) =>
    proposals
      .filter((each) => each.replacement === constant && each.start < end && start < each.end)
      .map((each) => ({
        constant,
        text: text.slice(0, each.start) + constant + text.slice(each.end),
      })),
  );
}

/** Maximum number of forms that are tried; each runs the failing tests, and those that pass run all. */
const mostForms = 2;
/** Time that has to be left for the final verdict, as a multiple of the suite's time, and in milliseconds. */
const reserve = { factor: 6, ms: 15_000 };

/** The constant with which all tests pass too; undefined if none is known. */
export async function findConstant(
  context: Pick<StrategyContext, "workspace" | "recorder" | "limits">,
  bench: TestBench,
  baseline: Baseline,
  { proposal }: Judged,
): Promise<string | undefined> {
  const { trees, base } = context.workspace;
  const forms = await listConstantForms(proposal);
  for (const { constant, text } of forms.slice(0, mostForms)) {
    if (context.limits.remainingMs() < reserve.factor * baseline.durationMs + reserve.ms) return undefined;
    const tree = await trees.write(base, [{ path: proposal.file, content: text }]);
    const options = {
      key: `judge:${tree}`,
      title: `check whether the patch's condition may always be ${constant}`,
      schema: verdictSchema,
    };
    const { verdict } = await context.recorder.step(options, () =>
      judgeCandidate(context, bench, baseline, tree),
    );
    if (verdict === "plausible") return constant;
  }
  return undefined;
}
