/** Pairs two lists by equal keys, in order, with as few unpaired items as possible (longest common subsequence). */

/** Maximum size of the table. Beyond it, the function pairs the remaining items by position. */
const largestTable = 4_000_000;

export type Pair<T> = readonly [T | undefined, T | undefined];

export function alignKeys<T>(a: readonly T[], b: readonly T[], keyOf: (item: T) => string): Pair<T>[] {
  const [keysA, keysB] = [a.map(keyOf), b.map(keyOf)];
  let start = 0;
  while (start < a.length && start < b.length && keysA[start] === keysB[start]) start += 1;
  let end = 0;
  const most = Math.min(a.length, b.length) - start;
  while (end < most && keysA[a.length - 1 - end] === keysB[b.length - 1 - end]) end += 1;
  const middle = alignMiddle(
    { items: a.slice(start, a.length - end), keys: keysA.slice(start, a.length - end) },
    { items: b.slice(start, b.length - end), keys: keysB.slice(start, b.length - end) },
  );
  return [
    ...pairUp(a.slice(0, start), b.slice(0, start)),
    ...middle,
    ...pairUp(a.slice(a.length - end), b.slice(b.length - end)),
  ];
}

interface Keyed<T> {
  readonly items: readonly T[];
  readonly keys: readonly string[];
}

function pairUp<T>(a: readonly T[], b: readonly T[]): Pair<T>[] {
  return a.map((item, index) => [item, b[index]]);
}

function alignMiddle<T>(a: Keyed<T>, b: Keyed<T>): Pair<T>[] {
  if (a.items.length * b.items.length > largestTable) return pairByPosition(a, b);
  const width = b.keys.length + 1;
  const lengths = new Uint32Array((a.keys.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = a.keys.length - 1; row >= 0; row -= 1) {
    for (let column = b.keys.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        a.keys[row] === b.keys[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: Pair<T>[] = [];
  let [row, column] = [0, 0];
  while (row < a.items.length || column < b.items.length) {
    if (row < a.items.length && column < b.items.length && a.keys[row] === b.keys[column]) {
      pairs.push([a.items[row++], b.items[column++]]);
    } else if (
      column >= b.items.length ||
      (row < a.items.length && at(row + 1, column) >= at(row, column + 1))
    ) {
      pairs.push([a.items[row++], undefined]);
    } else pairs.push([undefined, b.items[column++]]);
  }
  return pairs;
}

function pairByPosition<T>(a: Keyed<T>, b: Keyed<T>): Pair<T>[] {
  return Array.from({ length: Math.max(a.items.length, b.items.length) }).flatMap((_, index): Pair<T>[] => {
    if (a.keys[index] === b.keys[index]) return [[a.items[index], b.items[index]]];
    const alone: Pair<T>[] = [];
    if (index < a.items.length) alone.push([a.items[index], undefined]);
    if (index < b.items.length) alone.push([undefined, b.items[index]]);
    return alone;
  });
}
