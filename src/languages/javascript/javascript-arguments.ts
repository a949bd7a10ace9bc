import type { ShellWord } from "./javascript-shell.ts";

export interface ArgumentRules {
  /** Options whose value is the next word. */
  readonly valued: ReadonlySet<string>;
  /**
   * Options that Millwright sets itself, or that prevent a single run (`--watch`). Millwright leaves them out, together
   * with their values.
   */
  readonly dropped: RegExp;
}

export interface SplitArguments {
  /** Options with their values, as written. */
  readonly options: readonly ShellWord[];
  /** Files, folders and patterns. */
  readonly positionals: readonly ShellWord[];
  /** Values of the options that were left out, by name without dashes. */
  readonly droppedValues: ReadonlyMap<string, string>;
}

/** Separates a runner's options from the files that it runs. */
export function splitArguments(args: readonly ShellWord[], rules: ArgumentRules): SplitArguments {
  const options: ShellWord[] = [];
  const positionals: ShellWord[] = [];
  const droppedValues = new Map<string, string>();
  for (let index = 0; index < args.length; index++) {
    const word = args[index];
    if (word === undefined) break;
    if (!word.text.startsWith("-")) {
      positionals.push(word);
      continue;
    }
    if (word.text === "--") continue;
    const [name = "", given] = word.text.split(/=(.*)/s);
    const next = args[index + 1];
    const isValued = rules.valued.has(name) || rules.valued.has(name.replace(/^--(?=\w$)/, "-"));
    const takesNext = given === undefined && isValued && next !== undefined;
    if (takesNext) index++;
    if (rules.dropped.test(name)) droppedValues.set(name.replace(/^-+/, ""), given ?? next?.text ?? "");
    else options.push(word, ...(takesNext ? [next] : []));
  }
  return { options, positionals, droppedValues };
}

/** An option that chooses tests by their names. Runners use one only, or a pattern that matches nothing. */
export const namePattern = /^(?:-t|--testNamePattern)$/;

/** Splits a text at whitespace into a set of names, for tables of option names. */
export function namesIn(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ""));
}

/**
 * Returns a pattern that matches the full names of these tests, and almost no other name. Between a test and its groups
 * it accepts a space or ` > `, because runners differ. Undefined if the pattern is too long for a command line. The
 * caller then runs all tests of the files, and the reporter drops the others.
 */
export function patternOfNames(names: readonly string[]): string | undefined {
  const patterns = [...new Set(names)].map((name) => {
    const plain = name.replace(/ #\d+$/, "");
    const number = plain === name ? "" : `(?:${escapePattern(name.slice(plain.length))})?`;
    return plain.split(" > ").map(escapePattern).join("(?: > | )") + number;
  });
  const pattern = `^\\s*(?:${patterns.join("|")})$`;
  return Buffer.byteLength(pattern) > 60_000 ? undefined : pattern;
}

export function escapePattern(text: string): string {
  // Line breaks and the like match anything: not every runner hands them on as they are.
  return text
    .replace(/[.*+?^${}()|[\]\\/-]/g, (sign) => (sign === "-" ? "-" : `\\${sign}`))
    .replace(/[\p{Cc}]/gu, "[\\s\\S]");
}
