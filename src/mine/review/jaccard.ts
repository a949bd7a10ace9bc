/**
 * Computes the Jaccard index of two lists, from 0 to 1: the size of the intersection divided by the size of the union.
 * Members may repeat. Pure.
 */
export function jaccard(one: readonly string[], other: readonly string[]): number {
  const left = new Map<string, number>();
  for (const member of other) left.set(member, (left.get(member) ?? 0) + 1);
  let shared = 0;
  for (const member of one) {
    const count = left.get(member) ?? 0;
    if (count > 0) shared += 1;
    left.set(member, count - 1);
  }
  return shared / (one.length + other.length - shared);
}
