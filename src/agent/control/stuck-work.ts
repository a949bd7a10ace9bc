/** Finds signs that the work as a whole is stuck: edits without effect on the matrix, and repeated actions. Pure. */
import { formatSpan, overlap, type Span } from "../code/diff-spans.ts";
import { compareScores, type MatrixRow, rowOf, type TaskState } from "../state/task-state.ts";

/** A past action, stored for comparison with later ones. */
export interface Done {
  readonly action: string;
  readonly input: unknown;
  readonly text: string;
  readonly isError: boolean;
  /** The unmet predicates of a refused `finish`; otherwise undefined. */
  readonly unmet: readonly string[] | undefined;
  /** True if the best score was higher after the action. */
  readonly raised: boolean;
}

/** Maps a candidate's id to the lines of the base that the candidate changes. */
export type Spans = ReadonlyMap<string, readonly Span[]>;

export interface Stuck {
  /** A sentence with the evidence. */
  readonly sign: string;
  readonly vain: VainEdits;
}

/**
 * Edits without effect: candidates measured after the best score last rose. Contains the newest such candidate, and
 * others that change some of its lines. Refuted candidates do not count.
 */
export interface VainEdits {
  readonly candidates: readonly string[];
  /** The lines that several of these candidates change. With one candidate: all its lines. */
  readonly places: readonly Span[];
}

/** Number of edits to the same lines without a better score after which the work counts as stuck. */
const mostVainEdits = 3;
/**
 * Number of runs of an action with the same input, the same result and no better score after which the work counts as
 * stuck.
 */
const mostRepeats = 3;
/** The score of a patch that does nothing, if the base was not measured. */
const nothing: readonly number[] = [0, 0];

export function findStuck(state: TaskState, history: readonly Done[], spans: Spans): Stuck | undefined {
  const vain = findVainEdits(state, spans);
  const sign =
    signOfEdits(vain) ??
    signOfActions(history.slice(lastProgress(history) + 1)) ??
    signOfFinishes(history.slice(lastWayBack(history) + 1));
  return sign === undefined ? undefined : { sign, vain };
}

export function bestScore({ rows }: TaskState): readonly number[] {
  return rows
    .filter(({ invalid }) => invalid === undefined)
    .reduce((best, { score }) => (compareScores(score, best) > 0 ? score : best), nothing);
}

export function findVainEdits(state: TaskState, spans: Spans): VainEdits {
  const refuted = new Set(state.refuted.flatMap(({ candidates }) => candidates));
  let best = rowOf(state, "base")?.score ?? nothing;
  let vain: string[] = [];
  for (const { id, kind } of state.candidates) {
    const row = rowOf(state, id);
    if (kind === "reproduction" || row === undefined || isOpen(row, best)) continue;
    if (row.invalid === undefined && compareScores(row.score, best) > 0) {
      best = row.score;
      vain = [];
    } else if (!refuted.has(id)) vain.push(id);
  }
  const of = (id: string): readonly Span[] => spans.get(id) ?? [];
  const newest = of(vain.at(-1) ?? "");
  const same = vain.filter((id) => of(id).some((span) => newest.some((each) => overlap(span, each))));
  return { candidates: same, places: merge(sharedSpans(same.map(of))) };
}

/**
 * True if the candidate passes as much as the best one, which breaks other tests. The candidate's own effect on these
 * is unknown.
 */
function isOpen({ broken, invalid, score }: MatrixRow, best: readonly number[]): boolean {
  const [passing = 0, breaks = 0] = best;
  const isBroken = breaks < 0 && breaks > -Number.MAX_SAFE_INTEGER;
  return broken === undefined && invalid === undefined && isBroken && (score[0] ?? 0) >= passing;
}

function sharedSpans(each: readonly (readonly Span[])[]): Span[] {
  const isShared = (span: Span, at: number): boolean =>
    each.length === 1 ||
    each.some((others, index) => index !== at && others.some((one) => overlap(one, span)));
  return each.flatMap((spans, at) => spans.filter((span) => isShared(span, at)));
}

function merge(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  const sorted = [...spans].sort((a, b) => a.file.localeCompare(b.file) || a.startLine - b.startLine);
  for (const span of sorted) {
    const last = merged.at(-1);
    if (last === undefined || !overlap(last, span)) merged.push(span);
    else merged.splice(-1, 1, { ...last, endLine: Math.max(last.endLine, span.endLine) });
  }
  return merged;
}

function signOfEdits({ candidates, places }: VainEdits): string | undefined {
  return candidates.length < mostVainEdits
    ? undefined
    : `${candidates.join(", ")} change the same lines (${places.map(formatSpan).join(", ")}), and none of them improved the test results`;
}

function lastWayBack(history: readonly Done[]): number {
  return history.findLastIndex(({ action, isError }) => action === "backtrack" && !isError);
}

/** The index of the last successful `backtrack` or of the last action that raised the best score; -1 without both. */
function lastProgress(history: readonly Done[]): number {
  return Math.max(
    lastWayBack(history),
    history.findLastIndex(({ raised }) => raised),
  );
}

function signOfActions(history: readonly Done[]): string | undefined {
  const last = history.at(-1);
  if (last === undefined) return undefined;
  const keys = history.map(({ action, input, text }) => JSON.stringify([action, input, text]));
  const times = keys.filter((key) => key === keys.at(-1)).length;
  if (times >= mostRepeats)
    return `${last.action} ran ${times} times with the same input and the same result`;
  const failures = history.slice(-mostRepeats);
  if (failures.length === mostRepeats && failures.every((each) => each.isError && sameEnd(each, last)))
    return `${last.action} failed ${mostRepeats} times in a row in the same way`;
  const [a, b, c, d] = keys.slice(-4);
  if (d !== undefined && a === c && b === d && a !== b)
    return `${history.at(-2)?.action} and ${last.action} alternated, and both gave the same results each time`;
  return undefined;
}

/**
 * True if both actions end in the same way. Ignores numbers, because another count of steps or time is not another
 * failure.
 */
function sameEnd(one: Done, other: Done): boolean {
  const plain = ({ action, text }: Done): string => `${action} ${text.replaceAll(/\d+/g, "0")}`;
  return plain(one) === plain(other);
}

/**
 * Describes the last finish, if it was refused for the same reason as an earlier one, without an improvement between
 * them.
 */
function signOfFinishes(history: readonly Done[]): string | undefined {
  const last = history.at(-1)?.unmet?.join(", ");
  if (last === undefined) return undefined;
  const before = history.slice(0, -1).findLastIndex(({ unmet }) => unmet?.join(", ") === last);
  return before < 0 || history.slice(before + 1).some(({ raised }) => raised)
    ? undefined
    : `finish was refused twice for the same reason: ${last}`;
}
