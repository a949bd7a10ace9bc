/**
 * Protects the variables that load the runtimes. If a command overrides one (`PYTHONPATH=src pytest`,
 * `env GOFLAGS=-mod=mod go test`), puts our value before the command's value. Otherwise the command would run untraced.
 * Changes only the command itself, as words or as text for a shell. Files that the command reads stay unchanged.
 */
import { posix } from "node:path";
import { quoteWord } from "../base/shell-word.ts";

/** Separators for joining two values of a variable. */
const joints: Readonly<Record<string, string>> = {
  PYTHONPATH: ":",
  GOFLAGS: " ",
  NODE_OPTIONS: " ",
  RUBYOPT: " ",
};

export interface KeptVariables {
  readonly command: readonly string[];
  /** The variables whose new values were joined with ours. */
  readonly joined: readonly string[];
}

/**
 * Rewrites a command that overrides variables of the runtimes: our values stay, before the command's values. `values`:
 * our values, by variable.
 */
export function keepVariables(
  command: readonly string[],
  values: Readonly<Record<string, string>>,
): KeptVariables {
  const joined = new Set<string>();
  const join = (name: string): string | undefined => {
    const [value, joint] = [values[name], joints[name]];
    if (value === undefined || joint === undefined) return undefined;
    joined.add(name);
    return `${value}${joint}`;
  };
  const kept = isShell(command[0])
    ? command.map((word, index) => (isText(command, index) ? keepInText(word, values, join) : word))
    : posix.basename(command[0] ?? "") === "env"
      ? keepInWords(command, join)
      : command;
  return { command: kept, joined: [...joined] };
}

type Join = (name: string) => string | undefined;

function isShell(program: string | undefined): boolean {
  return /^(?:ba|da|k|z|a)?sh$/.test(posix.basename(program ?? ""));
}

/** The argument after `-c` or `-lc`. */
function isText(command: readonly string[], index: number): boolean {
  return /^-[a-z]*c$/.test(command[index - 1] ?? "");
}

/** Rewrites the assignments before a program: `env -u A NAME=value program`. */
function keepInWords(words: readonly string[], join: Join): string[] {
  const program = words.findIndex(
    (word, index) => index > 0 && !/^(?:-.*|[A-Za-z_]\w*=.*)$/s.test(word) && words[index - 1] !== "-u",
  );
  return words.map((word, index) => {
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(word) ?? [];
    const before = name === "" || (program !== -1 && index > program) ? undefined : join(name);
    return before === undefined ? word : `${name}=${joinValues(before, value)}`;
  });
}

/**
 * Joins two values. Drops the separator before an empty value, because an empty entry in a search path means the
 * working folder.
 */
function joinValues(before: string, value: string): string {
  return value === "" ? before.slice(0, -1) : `${before}${value}`;
}

/** An assignment where a command may begin, or in quotes in which another shell's command begins. */
const assignment = /(^|[\s;&|(`{"'])([A-Z_]+)=(?=(\s|$|[;&|)])?)/g;

function keepInText(text: string, values: Readonly<Record<string, string>>, join: Join): string {
  return text.replaceAll(assignment, (whole, start: string, name: string, nothing?: string) => {
    const value = values[name];
    // Inside quotes, no way of quoting is correct everywhere.
    const isPlain = /^[\w@%+=:,./-]+$/.test(value ?? "") && joints[name] === ":";
    if (value === undefined || (!isPlain && /["']/.test(start))) return whole;
    const before = join(name);
    if (before === undefined) return whole;
    const own = nothing === undefined ? before : before.slice(0, -1);
    return `${start}${name}=${isPlain ? own : quoteWord(own)}`;
  });
}
