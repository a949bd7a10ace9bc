import { diffArrays } from "diff";

/**
 * A change between two lists of lines: the lines from `fromStart` to before `fromEnd` became those from `toStart` to
 * before `toEnd`. Lines count from 0.
 */
export interface LineChange {
  readonly fromStart: number;
  readonly fromEnd: number;
  readonly toStart: number;
  readonly toEnd: number;
}

/**
 * Maximum number of added and removed lines for which `diffLines` searches the shortest difference. Lists with more
 * changes count as entirely different, because the search's time grows quadratically.
 */
export const mostChangedLines = 4000;

/** The differences of two lists, in order; everything else is equal. Matches equal beginnings and ends first. */
function diffLists(from: readonly string[], to: readonly string[]): LineChange[] {
  let head = 0;
  while (head < from.length && head < to.length && from[head] === to[head]) head++;
  let tail = 0;
  const most = Math.min(from.length, to.length) - head;
  while (tail < most && from[from.length - 1 - tail] === to[to.length - 1 - tail]) tail++;
  const inner = diffMiddles(from.slice(head, from.length - tail), to.slice(head, to.length - tail));
  return inner.map(({ fromStart, fromEnd, toStart, toEnd }) => ({
    fromStart: fromStart + head,
    fromEnd: fromEnd + head,
    toStart: toStart + head,
    toEnd: toEnd + head,
  }));
}

/**
 * Finds the changes from one list of lines to another. First matches equal lines. Then compares the remaining lines by
 * `keyOf`: lines with equal keys count as unchanged.
 */
export function diffLines(
  from: readonly string[],
  to: readonly string[],
  keyOf: (line: string) => string,
): LineChange[] {
  return diffLists(from, to).flatMap((change) => {
    const { fromStart, fromEnd, toStart, toEnd } = change;
    const inner = diffLists(from.slice(fromStart, fromEnd).map(keyOf), to.slice(toStart, toEnd).map(keyOf));
    return inner.map((part) => ({
      fromStart: part.fromStart + fromStart,
      fromEnd: part.fromEnd + fromStart,
      toStart: part.toStart + toStart,
      toEnd: part.toEnd + toStart,
    }));
  });
}

function diffMiddles(from: readonly string[], to: readonly string[]): LineChange[] {
  const whole = { fromStart: 0, fromEnd: from.length, toStart: 0, toEnd: to.length };
  if (from.length === 0 || to.length === 0) return from.length + to.length === 0 ? [] : [whole];
  const parts = diffArrays([...from], [...to], { maxEditLength: mostChangedLines });
  if (parts === undefined) return [whole];
  const changes: LineChange[] = [];
  let a = 0;
  let b = 0;
  for (const part of parts) {
    const fromEnd = a + (part.added ? 0 : part.count);
    const toEnd = b + (part.removed ? 0 : part.count);
    const last = changes.at(-1);
    if (part.added || part.removed) {
      if (last?.fromEnd === a && last.toEnd === b) changes[changes.length - 1] = { ...last, fromEnd, toEnd };
      else changes.push({ fromStart: a, fromEnd, toStart: b, toEnd });
    }
    a = fromEnd;
    b = toEnd;
  }
  return changes;
}
