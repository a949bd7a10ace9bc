/**
 * Returns at most `most` names similar to `wanted`, nearest first. Ignores case. The distance is the edit distance in
 * characters to the whole name, or to its last part plus 0.5, whichever is smaller. Excludes names with a distance
 * above both 2 and half the length of `wanted`.
 */
export function nearestNames(wanted: string, names: readonly string[], most: number): string[] {
  const target = [...wanted.toLowerCase()];
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(target, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= Math.max(2, target.length / 2))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name);
}

function distanceTo(target: readonly string[], name: string): number {
  const last = name.split(/::|[./]/).at(-1) ?? name;
  const whole = editDistance(target, [...name]);
  return last === name ? whole : Math.min(whole, editDistance(target, [...last]) + 0.5);
}

function editDistance(a: readonly string[], b: readonly string[]): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [row, character] of a.entries()) {
    const current = [row + 1];
    for (const [column, other] of b.entries()) {
      const replaced = (previous[column] ?? 0) + (character === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
