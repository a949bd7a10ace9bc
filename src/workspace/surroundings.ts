/**
 * Provides surroundings that a person's shell has and a sandbox lacks. Code that tests for their absence recognises
 * Millwright, and behaves differently for people.
 */
import type { Invocation } from "../languages/contract.ts";

export interface Surroundings {
  readonly variables: Readonly<Record<string, string>>;
  /** The text at the standard input; absent if the input is closed. */
  readonly input?: string;
}

/** Harmless variables. None changes the form of output, or makes programs connect to a server. */
const variables = {
  _: "/usr/bin/env",
  EDITOR: "vi",
  HISTSIZE: "1000",
  LS_COLORS: "di=01;34",
  MAIL: "/var/mail/user",
  OLDPWD: "/",
  SHLVL: "1",
  XDG_RUNTIME_DIR: "/tmp",
  XDG_SESSION_CLASS: "user",
  XDG_SESSION_ID: "2",
  XDG_SESSION_TYPE: "tty",
} as const;

/** Describes the usual surroundings, for people. */
export const usualSurroundings =
  "with a person's environment variables (SHLVL, EDITOR …) and text on standard input";

/** Match code that reads the standard input. */
const inputReaders: readonly RegExp[] = [
  /stdin|System\.in\b|php:\/\/input|\/dev\/fd\/0/i,
  /\b(?:input|raw_input|gets|getchar|w?scanf|prompt|getpass)[ \t]*\(|\bread(?:line|Line|_line)s?\b[ \t]*[!(]/,
  /\b(?:read|readFileSync|open|fdopen)[ \t]*\([ \t]*0\b|\bcin\b|\bfmt\.F?Scan/,
  /\bConsole\.(?:Read|In\b|OpenStandardInput)|\bio\.(?:read|lines)\b|\bfileinput\b|\bARGF\b/,
  // Ruby's call without parentheses.
  /(?:^|[=(]|\b(?:while|until|if|unless)\b)[ \t]*gets\b(?![ \t]*[\w:])/m,
  // The shell's.
  /(?:^|[;&|(]|\b(?:while|until|if|do|then)\b)(?:[ \t]*IFS=\S*)?[ \t]*read(?:[ \t]+-\w+)*(?:[ \t]+\w+)+[ \t]*(?:[;&|)]|$)/m,
];

/** Comments and docstrings that begin a line, and comments behind code. */
const remarks =
  /^[ \t]*(?:\/\*[\s\S]*?\*\/|"""[\s\S]*?"""|'{3}[\s\S]*?'{3}|(?:\/\/|#(?!!)|--|\*).*)|[ \t](?:\/\/|#|--)[ \t].*/gm;

function isReader(text: string): boolean {
  const code = text.replaceAll(remarks, "");
  return inputReaders.some((reader) => reader.test(code));
}

/** Returns a person's surroundings, without the parts that one of the texts mentions. */
export function surroundingsBeside(texts: readonly string[]): Surroundings {
  const isMentioned = (name: string): boolean =>
    texts.some((text) => (name === "_" ? /["'`]_["'`]/ : new RegExp(`\\b${name}\\b`)).test(text));
  const left = Object.entries(variables).filter(([name]) => !isMentioned(name));
  return { variables: Object.fromEntries(left), ...(texts.some(isReader) ? {} : { input: "hello" }) };
}

/** Names the parts that `less` lacks. */
export function missingParts(all: Surroundings, less: Surroundings): string[] {
  const names = Object.keys(all.variables).filter((name) => less.variables[name] === undefined);
  return all.input !== undefined && less.input === undefined ? [...names, "text on standard input"] : names;
}

/** Returns the same command in these surroundings. */
export function runIn({ input }: Surroundings, run: Invocation["run"]): Invocation["run"] {
  if (input === undefined) return run;
  const program = typeof run === "string" ? ["/bin/sh", "-c", run] : run;
  return ["/bin/sh", "-c", `exec "$@" <<END\n${input}\nEND\n`, "sh", ...program];
}
