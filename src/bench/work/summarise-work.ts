/**
 * Summarises an arm's work over all its attempts: actions, steps, localisation, reproductions, compile errors, time and
 * cost.
 */
import type { BatchTry } from "../batch-document.ts";
import { isResolved } from "../batch-report.ts";
import { type Share, shareOf } from "../result-groups.ts";
import { pearson } from "../statistics.ts";
import { errorGroups } from "./compile-errors.ts";
import type { Located } from "./located-places.ts";
import { failureCauses } from "./reproductions.ts";
import type { RunWork, WorkPart } from "./run-work.ts";

/** The attempts' use of one action or tool: number of uses, cost, and resolved attempts. */
export interface PartSummary {
  readonly name: string;
  readonly uses: number;
  /** Attempts that used the part, of all attempts with a record. */
  readonly used: Share;
  /** Attempts that used the part, of the resolved attempts. */
  readonly ofResolved: Share;
  /** The share of resolved attempts among the attempts that used the part. */
  readonly resolved: Share;
  /** Means per use; 0 if there was no use. */
  readonly each: { readonly seconds: number; readonly tokens: number; readonly usd: number };
  /** Means over all attempts with a record, including those without a use. */
  readonly perAttempt: { readonly seconds: number; readonly tokens: number; readonly usd: number };
  /**
   * The part's share of the arm's tokens, from 0 to 1; undefined if the arm has none. `usdShare`: the share of the
   * cost.
   */
  readonly tokenShare: number | undefined;
  readonly usdShare: number | undefined;
  /** The part's share of the seconds of all parts; undefined if they took none. */
  readonly secondsShare: number | undefined;
  /** Number of calls without a known price, which the cost does not contain. */
  readonly unpriced: number;
}

export interface StepCount {
  /** The action's position in the run, from 1. */
  readonly step: number;
  readonly action: string;
  readonly count: number;
}

export interface LocatedSummary {
  readonly file: Share;
  /** The share among attempts whose fix changes a function. */
  readonly function: Share;
  readonly snippet: Share;
  /** Attempts by the source of their places. */
  readonly sources: readonly { readonly from: NonNullable<Located["from"]>; readonly count: number }[];
  /** Means of located files and lines. */
  readonly files: number;
  readonly lines: number;
}

export interface ReproductionSummary {
  readonly shown: Share;
  /** Mean number of runs after the first. */
  readonly reruns: number;
  readonly causes: readonly { readonly cause: string; readonly count: number }[];
}

export interface CompileErrorSummary {
  readonly total: number;
  /** Mean over all attempts with a record. */
  readonly perAttempt: number;
  readonly duringReproduction: number;
  /** Numbers of errors by code, the most frequent first. */
  readonly codes: readonly CodeCount[];
  readonly groups: readonly { readonly group: string; readonly count: number }[];
}

export interface CodeCount {
  readonly code: string;
  readonly count: number;
  readonly duringReproduction: number;
}

export interface WorkSummary {
  /** The number of attempts with a record. */
  readonly attempts: number;
  readonly parts: readonly PartSummary[];
  readonly steps: readonly StepCount[];
  readonly located?: LocatedSummary;
  readonly reproductions?: ReproductionSummary;
  readonly compileErrors?: CompileErrorSummary;
}

type WorkedTry = BatchTry & { readonly work: RunWork };

/** Summarises the work of the attempts; undefined if no attempt has a record. */
export function summariseWork(tries: readonly BatchTry[]): WorkSummary | undefined {
  const worked = tries.filter((each): each is WorkedTry => each.work !== undefined);
  if (worked.length === 0) return undefined;
  return {
    attempts: worked.length,
    parts: summariseParts(worked),
    steps: countSteps(worked.flatMap(({ work }) => work.sequences)),
    ...summariseLocated(worked),
    ...summariseReproductions(worked),
    ...summariseErrors(worked),
  };
}

/** Summarises the parts of the work, those with the most tokens first. */
function summariseParts(tries: readonly WorkedTry[]): PartSummary[] {
  const all = tries.flatMap(({ work }) => work.parts);
  const [tokens, usd, seconds] = [sumOf(all, "tokens"), sumOf(all, "usd"), sumOf(all, "seconds")];
  const resolved = tries.filter(isResolved);
  const parts = [...Map.groupBy(all, ({ name }) => name)].map(([name, own]) => {
    const hasIt = ({ work }: WorkedTry): boolean => work.parts.some((part) => part.name === name);
    const using = tries.filter(hasIt);
    const uses = sumOf(own, "uses");
    const means = (of: number) => ({
      seconds: ratio(sumOf(own, "seconds"), of),
      tokens: ratio(sumOf(own, "tokens"), of),
      usd: ratio(sumOf(own, "usd"), of),
    });
    return {
      ...{ name, uses },
      used: shareOf(tries, using),
      ofResolved: shareOf(resolved, resolved.filter(hasIt)),
      resolved: shareOf(using, using.filter(isResolved)),
      ...{ each: means(uses), perAttempt: means(tries.length) },
      tokenShare: tokens === 0 ? undefined : sumOf(own, "tokens") / tokens,
      usdShare: usd === 0 ? undefined : sumOf(own, "usd") / usd,
      secondsShare: seconds === 0 ? undefined : sumOf(own, "seconds") / seconds,
      unpriced: own.reduce((sum, { unpriced = 0 }) => sum + unpriced, 0),
    };
  });
  return parts.sort((a, b) => b.perAttempt.tokens - a.perAttempt.tokens || b.uses - a.uses);
}

/** Counts each action at each position of the sequences, in the order of positions. */
function countSteps(sequences: readonly (readonly string[])[]): StepCount[] {
  const placed = sequences.flatMap((actions) => actions.map((action, at) => ({ step: at + 1, action })));
  const groups = Map.groupBy(placed, ({ step, action }) => JSON.stringify([step, action]));
  const counts = [...groups.values()].flatMap((own) => (own[0] ? [{ ...own[0], count: own.length }] : []));
  return counts.sort((a, b) => a.step - b.step || b.count - a.count || (a.action < b.action ? -1 : 1));
}

function summariseLocated(tries: readonly WorkedTry[]): { located?: LocatedSummary } {
  const judged = tries.filter(({ work }) => work.located !== undefined);
  if (judged.length === 0) return {};
  const hits = (level: "file" | "function" | "snippet"): Share => {
    const asked = judged.filter(({ work }) => work.located?.[level] !== undefined);
    return shareOf(
      asked,
      asked.filter(({ work }) => work.located?.[level]),
    );
  };
  const mean = (of: "files" | "lines"): number =>
    judged.reduce((sum, { work }) => sum + (work.located?.[of] ?? 0), 0) / judged.length;
  return {
    located: {
      ...{ file: hits("file"), function: hits("function"), snippet: hits("snippet") },
      ...{ files: mean("files"), lines: mean("lines") },
      sources: (["event", "edits", "reads", "none"] as const).flatMap((from) => {
        const count = judged.filter(({ work }) => (work.located?.from ?? "event") === from).length;
        return count === 0 ? [] : [{ from, count }];
      }),
    },
  };
}

function summariseReproductions(tries: readonly WorkedTry[]): { reproductions?: ReproductionSummary } {
  const tried = tries.filter(({ work }) => work.reproduction !== undefined);
  const known = tried.flatMap(({ work }) => work.reproduction ?? []);
  if (known.length === 0) return {};
  const causes = failureCauses.map((cause) => ({
    cause,
    count: known.filter((each) => each.cause === cause).length,
  }));
  return {
    reproductions: {
      shown: shareOf(
        tried,
        tried.filter(({ work }) => work.reproduction?.isShown),
      ),
      reruns: known.reduce((sum, { runs }) => sum + Math.max(0, runs - 1), 0) / known.length,
      causes: causes.filter(({ count }) => count > 0),
    },
  };
}

function summariseErrors(tries: readonly WorkedTry[]): { compileErrors?: CompileErrorSummary } {
  const counts = new Map<string, { count: number; duringReproduction: number }>();
  for (const { compileErrors } of tries.map(({ work }) => work))
    for (const [phase, codes] of Object.entries(compileErrors ?? {}))
      for (const [code, count] of Object.entries(codes)) {
        const known = counts.get(code) ?? { count: 0, duringReproduction: 0 };
        const early = phase === "reproduction" ? count : 0;
        counts.set(code, {
          count: known.count + count,
          duringReproduction: known.duringReproduction + early,
        });
      }
  if (counts.size === 0) return {};
  const codes = [...counts]
    .map(([code, each]) => ({ code, ...each }))
    .sort((a, b) => b.count - a.count || (a.code < b.code ? -1 : 1));
  const total = codes.reduce((sum, { count }) => sum + count, 0);
  const groups = Object.entries(errorGroups).map(([group, own]) => ({
    group,
    count: codes.filter(({ code }) => own.has(code)).reduce((sum, { count }) => sum + count, 0),
  }));
  return {
    compileErrors: {
      ...{ total, perAttempt: total / tries.length, codes, groups },
      duringReproduction: codes.reduce((sum, each) => sum + each.duringReproduction, 0),
    },
  };
}

export interface TimeAndCost {
  /** Pearson's correlation of the agent's seconds and US dollars. */
  readonly r: number;
  readonly attempts: number;
}

/**
 * Correlates time and cost over the attempts with a known cost. Undefined for fewer than three attempts, or if time or
 * cost never differs.
 */
export function correlateTimeAndCost(tries: readonly BatchTry[]): TimeAndCost | undefined {
  const priced = tries.filter(({ usage }) => usage.usd > 0 && usage.unpriced === undefined);
  if (priced.length < 3) return undefined;
  const r = pearson(
    priced.map(({ agentSeconds }) => agentSeconds),
    priced.map(({ usage }) => usage.usd),
  );
  return r === undefined ? undefined : { r, attempts: priced.length };
}

function sumOf(parts: readonly WorkPart[], figure: "uses" | "tokens" | "usd" | "seconds"): number {
  return parts.reduce((sum, part) => sum + part[figure], 0);
}

function ratio(sum: number, of: number): number {
  return of === 0 ? 0 : sum / of;
}
