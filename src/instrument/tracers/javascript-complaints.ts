/** A place where a compiler or type checker reports an error in our text, read from a command's output. */

export interface Complaint {
  readonly path: string;
  readonly line: number;
}

/**
 * The messages of tsc and tools that embed it, vitest's type check, esbuild. A program may also throw its own
 * SyntaxError.
 */
const error = /\berror TS\d+|TypeCheckError|\bTS\d{4,5}:|\[ERROR\]|: ERROR:/;
/** Number of lines before and after a place in which the output may say that the place has an error. */
const around = 6;
const mostErrors = 10;
/** A file and its line. Begins only where a name begins: a program may print very long words. */
const place = /(?<![^\s()[\]'",:])([^\s()[\]'",:]{1,4096}\.[cm]?[jt]sx?)[:(](\d+)/g;

/** Returns the places in the given files at which the output reports an error. */
export function findComplaints(output: string, paths: readonly string[]): Complaint[] {
  const lines = plainText(output).split("\n");
  const known = new Set(paths);
  const found: Complaint[] = [];
  for (const [index, text] of lines.entries()) {
    for (const [, name = "", line] of text.matchAll(place)) {
      const path = [...suffixes(name)].find((one) => known.has(one));
      if (path === undefined) continue;
      if (lines.slice(Math.max(0, index - around), index + around).some((one) => error.test(one))) {
        found.push({ path, line: Number(line) });
      }
    }
    // Babel: `SyntaxError: /path/of.ts: Unexpected token (12:5)`; swc: `╭─[/path/of.ts:12:5]`.
    const [, named = "", number] =
      /SyntaxError: ([^\s()[\]'",:]{1,4096}): .*\((\d+):\d+\)/.exec(text) ??
      /─\[([^\s:\]]{1,4096}):(\d+):\d+\]/.exec(text) ??
      [];
    const path = [...suffixes(named)].find((one) => known.has(one));
    if (path !== undefined) found.push({ path, line: Number(number) });
  }
  return found;
}

/** A path's endings, the longest first: compilers name files relative to any folder. */
function* suffixes(path: string): Generator<string> {
  const parts = path.replace(/^file:\/\//, "").split("/");
  for (let from = 0; from < parts.length; from += 1) yield parts.slice(from).join("/");
}

/**
 * Returns at most ten errors of a build, each once, as texts for people. A SyntaxError counts only if its line ends
 * with a place (`(12:5)`), or if node threw it during compilation.
 */
export function firstErrors(output: string): string[] {
  const lines = plainText(output).split("\n");
  const told = lines.filter((line, index) =>
    line.trimStart().startsWith("SyntaxError:")
      ? /\(\d+:\d+\)$/.test(line) ||
        /^\s+at .*(?:wrapSafe|compile[SF]|new Script|ModuleWrap)/.test(lines[index + 1] ?? "")
      : /\berror TS\d+|^✘ \[ERROR\]|: ERROR: |^\[PARSE_ERROR\] /.test(line),
  );
  return [...new Set(told.map((line) => withPlace(line.trim(), lines)))].slice(0, mostErrors);
}

/** Adds the place to an error. Rolldown and Oxc print the file on the next line: ` -  in src/a.ts at 28..29`. */
function withPlace(error: string, lines: readonly string[]): string {
  if (!error.startsWith("[PARSE_ERROR]")) return error;
  const next = lines[lines.findIndex((line) => line.trim() === error) + 1] ?? "";
  const file = /\bin (\S+) at \d/.exec(next)?.[1];
  return file === undefined ? error : `${file}: ${error.replace("[PARSE_ERROR] ", "")}`;
}

/** The output without colours. */
function plainText(output: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what a colour begins with
  return output.replaceAll(/\x1b\[[0-9;]*m/g, "");
}
