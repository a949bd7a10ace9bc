/**
 * Finds the functions for the names in a spec. If no function matches a name, finds the names that are most similar to
 * it.
 */
import type { RustFunction } from "./functions.ts";

/**
 * True if the requested name means the function. Forms of names: `*`, `name`, `Type::name`, `Type.name`, `Type::*`, or
 * the whole qualified name.
 */
export function isNamed(one: Pick<RustFunction, "name" | "last" | "owners">, asked: string): boolean {
  const name = asked.trim();
  if (name === "*" || name === one.name) return true;
  const at = lastSeparator(name);
  if (at === undefined) return name === one.last;
  const last = name.slice(at.end);
  return (last === "*" || last === one.last) && one.owners.includes(name.slice(0, at.start));
}

function lastSeparator(name: string): { start: number; end: number } | undefined {
  const colons = name.lastIndexOf("::");
  const dot = name.lastIndexOf(".");
  if (colons < 0 && dot < 0) return undefined;
  return colons >= dot ? { start: colons, end: colons + 2 } : { start: dot, end: dot + 1 };
}

const mostShown = 8;

/** Returns at most eight of the names: those most similar to the requested name, the most similar first. */
export function nearestNames(asked: string, names: readonly string[]): string[] {
  const wanted = [...asked.toLowerCase()];
  const last = [...(asked.split(/::|\./).at(-1) ?? asked).toLowerCase()];
  const scored = [...new Set(names)].map((name) => {
    const own = [...(name.split("::").at(-1) ?? name).toLowerCase()];
    const distance = Math.min(
      distanceOf(wanted, [...name.toLowerCase()]) / Math.max(wanted.length, name.length, 1),
      distanceOf(last, own) / Math.max(last.length, own.length, 1),
    );
    const holds = own.length > 2 && last.join("").includes(own.join(""));
    return { name, score: holds || own.join("").includes(last.join("")) ? distance / 2 : distance };
  });
  return scored
    .sort((a, b) => a.score - b.score || (a.name < b.name ? -1 : 1))
    .slice(0, mostShown)
    .map(({ name }) => name);
}

/** The edit distance of two texts, where swapping neighbours counts as one edit. */
function distanceOf(from: readonly string[], to: readonly string[]): number {
  const rows: number[][] = [Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= from.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const same = from[i - 1] === to[j - 1];
      const least = Math.min(
        (rows[i - 1]?.[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (rows[i - 1]?.[j - 1] ?? 0) + (same ? 0 : 1),
      );
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      row.push(swapped ? Math.min(least, (rows[i - 2]?.[j - 2] ?? 0) + 1) : least);
    }
    rows.push(row);
  }
  return rows.at(-1)?.at(-1) ?? 0;
}
