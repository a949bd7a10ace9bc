/** Finds tests that compute with the day, month or year of the current date. They fail on some days. Pure. */

const clock =
  /\b(?:datetime(?:\.datetime)?\.(?:now|today|utcnow)|date\.today|time\.(?:localtime|gmtime)|Date\.today|DateTime\.now|Time\.now|Time\.current|Local(?:Date|DateTime)\.now|Utc::now|Local::now)\b/;
const inner = String.raw`((?:[^()\n]|\([^()\n]*\))*)`;
/**
 * Calls that refuse a day or month out of range, with their arguments. JavaScript and Go carry over into the next month
 * or year instead.
 */
const calls = [
  new RegExp(String.raw`\.replace\((?=[^)]*\b(?:day|month|year)\s*=)${inner}`),
  new RegExp(String.raw`\b(?:Date|DateTime|Time)\.(?:new|local|mktime|utc|gm|civil)\(${inner}`),
  new RegExp(String.raw`(?<!\bdef )\b(?:datetime|date)\(${inner}`),
  new RegExp(String.raw`\.with(?:DayOfMonth|Month|_day|_month)\(${inner}`),
];
const sum = {
  month: /\b(?:day|mday|month|mon|getDayOfMonth|getMonthValue|monthValue|dayOfMonth)(?:\(\))?\s*[-+]\s*\d/,
  year: /\byear(?:\(\))?\s*[-+]\s*\d/,
};

/** Code that keeps a sum within its range: `d.month - 1 or 12`, `min(d.day + 1, 28)`. */
const bounded = /%|\?|\b(?:or|if|min|max|clamp)\b/;
/** Comparisons that handle the ends of the year or month separately. */
const comparison = /\b(?:day|mday|month|mon)(?:\(\))?\s*(?:[=!]==?|[<>]=?)\s*\d/;

/**
 * Returns the lines that compute with parts of a date; none if the text reads no clock, or handles the ends of months
 * or years separately.
 */
export function findCalendarSums(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  if (!clock.test(text) || lines.some((line) => comparison.test(line) && !/assert|expect/i.test(line)))
    return [];
  return lines.filter((line) => calls.some((call) => isSum(call.exec(line))));
}

function isSum(match: RegExpExecArray | null): boolean {
  const [call = "", values] = match ?? [];
  if (values === undefined || bounded.test(values)) return false;
  if (sum.month.test(values)) return true;
  // Fails on 29 February only, if month and day are those of the clock.
  if (!sum.year.test(values)) return false;
  return call.startsWith(".replace")
    ? !/\b(?:month|day)\s*=/.test(values)
    : /\.(?:month|mon)\b/.test(values) && /\.(?:day|mday)\b/.test(values);
}
