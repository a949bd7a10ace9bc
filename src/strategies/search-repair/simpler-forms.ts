/**
 * Checks whether the tests need a patch's condition, statement or number. They do not need it if they also pass with a
 * simpler form. Such a form has a constant condition, omits the statement, or uses a neighbour of a new number. If such
 * a form passes, the patch may only disable code (the condition `isset(cache[other])` never holds), or its number may
 * be a guess.
 */
import { z } from "zod";
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { diffLines } from "../../edit/line-diff.ts";
import { languageOf } from "../../languages/source-files.ts";
import { proposeRepairs } from "../../repair/propose-repairs.ts";
import { applyChange, linesOfChange } from "../../repair/syntax-check.ts";
import removeStatement from "../../repair/templates/remove-statement.ts";
import replaceCondition from "../../repair/templates/replace-condition.ts";
import { dialectOf } from "../../syntax/dialects/index.ts";
import { judgeCandidate, judgeInStep, stepKey } from "./funnel.ts";
import { changedText, type PreparedProposal } from "./proposals.ts";
import type { Judged } from "./search.ts";

export interface SimplerForm {
  /** Completes "the tests also pass …". */
  readonly says: string;
  /** Texts of the file in the simpler form. If all of them pass the tests, the tests do not need the patch's form. */
  readonly texts: readonly string[];
}

/**
 * Lists simpler forms of a patch, in this order:
 * - for each changed or added condition: a form in which it is always false, and one in which it always holds
 * - for each statement that contains the whole change: a form without it
 * - for each new whole number except 0 and 1: forms with the number minus one, and plus one
 */
export async function listSimplerForms(patch: PreparedProposal): Promise<SimplerForm[]> {
  const language = languageOf(patch.file);
  const spelling = language && dialectOf(language.name)?.spelling;
  if (language === undefined || spelling === undefined) return [];
  const text = changedText(patch);
  const spans = changedSpans(patch, text);
  const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
  const lines = spans.flatMap(({ start, end }) =>
    Array.from({ length: lineAt(end) - lineAt(start) + 1 }, (_, at) => lineAt(start) + at),
  );
  const proposals = await proposeRepairs({
    ...{ file: patch.file, text, language, templates: [replaceCondition, removeStatement] },
    // A condition may begin on an earlier line than the change.
    statements: [...new Set([patch.statementLine, ...lines])].map((line) => ({
      ...{ file: patch.file, startLine: line, endLine: line, score: 1 },
    })),
  });
  const touching = proposals.filter((each) =>
    spans.some(({ start, end }) => each.start < end && start < each.end),
  );
  const constants = [spelling.false, spelling.true].flatMap((constant) =>
    touching
      .filter(({ replacement }) => replacement === constant)
      .map((each) => ({ each, says: `if the patch's condition is always \`${constant}\`` })),
  );
  const removed = touching
    .filter(
      (each) =>
        each.template === removeStatement.name &&
        spans.every(({ start, end }) => each.start <= start && end <= each.end),
    )
    .map((each) => ({ each, says: "without the changed statement" }));
  const simpler = [...constants, ...removed]
    .map(({ each, says }) => ({ says, texts: [applyChange(text, each)] }))
    .filter(({ texts }) => !texts.includes(patch.base));
  return [...simpler, ...otherNumbers(patch)];
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** The changed part of the new text. For equal changes at several places: the changed lines. */
function changedSpans({ base, start, replacement, one }: PreparedProposal, text: string): Span[] {
  if (one === undefined) return [{ start, end: start + replacement.length }];
  const lines = text.split("\n");
  const offsetOf = (line: number): number => lines.slice(0, line).join("\n").length + Math.min(line, 1);
  return diffLines(base.split("\n"), lines, (line) => line).map(({ toStart, toEnd }) => ({
    start: offsetOf(toStart),
    end: offsetOf(toEnd) - 1,
  }));
}

/**
 * Forms of the patch in which a new number is one less or more: the number may be a guess. New numbers are whole
 * numbers that the changed lines lacked before. 0 and 1 do not count as guesses.
 */
function otherNumbers(patch: PreparedProposal): SimplerForm[] {
  const { base, replacement } = patch;
  const whole = /(?<![\w.])\d{1,9}(?![\w.])/g;
  const known = new Set([...(linesOfChange(patch.base, patch).before.match(whole) ?? []), "0", "1"]);
  return [...replacement.matchAll(whole)].flatMap(({ 0: written, index }) => {
    if (known.has(written)) return [];
    const [less, more] = [Number(written) - 1, Number(written) + 1];
    const withNumber = (number: number): string => {
      const changed = replacement.slice(0, index) + number + replacement.slice(index + written.length);
      return applyChange(base, { ...patch, replacement: changed });
    };
    const says = `with ${less} and with ${more} instead of the patch's ${written}`;
    return [{ says, texts: [withNumber(less), withNumber(more)] }];
  });
}

export const noTime = Symbol("no time");

/** Maximum number of forms to try. Each form runs the failing tests, and then all tests if these pass. */
const mostForms = 4;
/** Number of runs of the failing tests, and of all tests, in a check and the final verdict. */
const reserved = { failing: 5, all: 2 };
/** Milliseconds for starting the failing tests' process, and for all other work. */
const [startMs, restMs] = [10_000, 15_000];

/**
 * Returns the milliseconds for one check and the following verdict. These run the failing tests once and in four
 * confirming runs, and all tests at most once each.
 */
export function neededMs(
  { durationMs, targets }: Pick<Baseline, "durationMs" | "targets">,
  allMs: number,
): number {
  const failingMs = startMs + targets.reduce((sum, target) => sum + target.durationMs, 0);
  return reserved.all * allMs + reserved.failing * Math.min(failingMs, durationMs) + restMs;
}

const enoughSchema = z.object({ isEnough: z.boolean() });

/**
 * Finds a simpler form of the patch that passes all tests, among the first four forms. Returns a text that completes
 * "the tests also pass …"; `noTime` if the time is too short; undefined if there is no such form.
 */
export async function findSimplerForm(
  context: Pick<StrategyContext, "workspace" | "recorder" | "limits">,
  executor: TestExecutor,
  baseline: Baseline,
  { proposal }: Judged,
): Promise<string | typeof noTime | undefined> {
  const { trees, base } = context.workspace;
  const forms = await listSimplerForms(proposal);
  let runMs = baseline.durationMs;
  for (const { says, texts } of forms.slice(0, mostForms)) {
    let passes = true;
    for (const content of texts) {
      const tree = await trees.write(base, [{ path: proposal.file, content }]);
      const asked = {
        key: stepKey("time-to-judge", tree, baseline),
        title: "check that the time left suffices for a check and the verdict",
        schema: enoughSchema,
        decides: "clock" as const,
        // A continued run may have more time; a replay decides as recorded.
        isFinal: (said: { readonly isEnough: boolean }, last: unknown) => said.isEnough || last !== undefined,
      };
      const { isEnough } = await context.recorder.step(asked, async () => ({
        isEnough: context.limits.remainingMs() >= neededMs(baseline, runMs),
      }));
      if (!isEnough) return noTime;
      const started = performance.now();
      const options = {
        key: stepKey("judge", tree, baseline),
        title: `check whether the tests also pass ${says}`,
      };
      const judged = await judgeInStep(context, options, () =>
        judgeCandidate(context, executor, baseline, tree),
      );
      if (judged === undefined) return noTime;
      runMs = Math.max(runMs, performance.now() - started);
      passes = judged.verdict === "plausible";
      if (!passes) break;
    }
    if (passes) return says;
  }
  return undefined;
}
