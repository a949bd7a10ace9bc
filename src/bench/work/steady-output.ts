/**
 * Reduces a program's output to the program's own statements. A fix that only moves lines of code then changes nothing.
 */
import { languageOf } from "../../languages/source-files.ts";

/** Returns the output without durations, addresses, dates, line numbers of source files and quoted source lines. */
export function steadyOutput(text: string): string {
  const own = quotes.reduce((left, quote) => left.replaceAll(quote, "$1"), text);
  return withoutPytestCode(own.split("\n"))
    .join("\n")
    .replaceAll(place, (whole, path: string) => (languageOf(path) === undefined ? whole : `${path}:LINE`))
    .replaceAll(/\b0x[0-9a-f]+\b/gi, "ADDRESS")
    .replaceAll(/\b\d+(?:\.\d+)?\s?(?:ns|µs|us|ms|s|sec|secs|seconds)\b/g, "TIME")
    .replaceAll(/\b\d{4}-\d\d-\d\d[T ][\d:.]+Z?/g, "DATE");
}

/**
 * Matches a place: `a.rs:3:5`, `a.ts(3,5)`, `a.py", line 3`, `a.php on line 3`. Other line numbers may be the program's
 * result.
 */
const place =
  /(?<![\w@./-])([\w@./-]+\.[A-Za-z]\w*)(?::\d+(?::\d+)?|\(\d+(?:,\d+)?\)|"?,? (?:on |at )?line \d+)/g;

/** Match a place in the code and the source lines printed after it. The first group, the place, stays in the output. */
const quotes = [
  // Python's tracebacks
  /^([ \t]*File "[^"\n]+", line \d+[^\n]*)(?:\n {4,}\S[^\n]*)+/gm,
  // rustc's and C compilers' messages
  /((?:-->|:::) [^\n]+|:\d+: (?:fatal )?(?:error|warning|note)\b[^\n]*)(?:\n[ \t]*(?:(?:\d+[ \t]*)?\||\.\.\.)[^\n]*)+/g,
  // Node's uncaught errors
  /^(\S+:\d+)\n(?:[^\n]*\n){1,3}?[ \t]*[\^~]+[ \t]*$/gm,
  // markers below a source line
  /^()[ \t]*[\^~][\^~ \t]*$\n?/gm,
];

/** Removes the code that pytest shows: the line with `>`, and the indented lines before it. */
function withoutPytestCode(lines: readonly string[]): string[] {
  const kept: string[] = [];
  for (const line of lines) {
    if (!/^> {3,}\S/.test(line)) {
      kept.push(line);
      continue;
    }
    while (/^(?: {4}.*)?$/.test(kept.at(-1) ?? "-")) kept.pop();
  }
  return kept;
}
