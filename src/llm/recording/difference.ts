/** The first difference between two values of JSON data, in words. */

export interface Difference {
  /** The place of the difference, such as `messages[2].text, line 3`. */
  readonly place: string;
  readonly recorded: string;
  readonly now: string;
}

export function firstDifference(recorded: unknown, now: unknown, place = ""): Difference | undefined {
  if (typeof recorded === "string" && typeof now === "string") return differentLine(recorded, now, place);
  if (Array.isArray(recorded) && Array.isArray(now)) {
    for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
      const found = firstDifference(recorded[at], now[at], `${place}[${at}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(recorded) && isRecord(now)) {
    for (const key of new Set([...Object.keys(recorded), ...Object.keys(now)])) {
      const found = firstDifference(recorded[key], now[key], place === "" ? key : `${place}.${key}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return Object.is(recorded, now) ? undefined : { place, recorded: show(recorded), now: show(now) };
}

function differentLine(recorded: string, now: string, place: string): Difference | undefined {
  if (recorded === now) return undefined;
  const [before, after] = [recorded.split("\n"), now.split("\n")];
  const at = before.findIndex((line, index) => line !== after[index]);
  const line = at === -1 ? before.length : at;
  const where = before.length > 1 || after.length > 1 ? `${place}, line ${line + 1}` : place;
  return { place: where, ...around(before[line], after[line]) };
}

const shownLength = 120;

/** Returns the part of a long line that begins shortly before the first difference. */
function around(before: string | undefined, after: string | undefined): Omit<Difference, "place"> {
  let at = 0;
  while (before !== undefined && at < before.length && before[at] === after?.[at]) at += 1;
  const start = Math.max(0, at - 40);
  const cut = (line: string | undefined) => (line === undefined ? undefined : line.slice(start));
  return { recorded: show(cut(before)), now: show(cut(after)) };
}

function show(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value) ?? String(value);
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
