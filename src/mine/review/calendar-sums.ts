/** Finds tests that compute with the day, month or year of the current date, so that they fail on some days. Pure. */

const clock =
  /\b(?:datetime(?:\.datetime)?\.(?:now|today|utcnow)|date\.today|time\.(?:localtime|gmtime)|Date\.now|Date\.today|DateTime\.now|Time\.now|Time\.current|time\.Now|Local(?:Date|DateTime)\.now|Utc::now|Local::now)\b|\bnew Date\(\)/;
/** Sets a part of a date, or reads it into a sum. */
const part = [
  /\.replace\(\s*(?:day|month|year)\s*=\s*[^)]*[-+]/,
  /\.set(?:UTC)?(?:Date|Month|FullYear)\([^)]*\bget(?:UTC)?(?:Date|Month|FullYear)\(\)\s*[-+]/,
  /\bnew Date\([^)]*\bget(?:UTC)?(?:Date|Month|FullYear)\(\)\s*[-+]/,
  /\b(?:Date|DateTime|Time|datetime|date)(?:\.(?:new|local|mktime|utc|datetime|date))?\([^)\n]*\.(?:day|month|year|mday|mon)\s*[-+]\s*\d/,
  /\.with(?:DayOfMonth|Month|_day|_month)\([^)]*[-+]\s*1/,
];

/** Returns the lines with such a sum; none if the text reads no clock. */
export function findCalendarSums(text: string): string[] {
  if (!clock.test(text)) return [];
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => part.some((each) => each.test(line)));
}
