/** Parses the small part of the shell's language that scripts of `package.json` use. */
import { quoteWord } from "../../base/shell-word.ts";

export interface ShellWord {
  /** The word as written, with its quotes. */
  readonly raw: string;
  /** The word as the shell expands it; globs and variables stay as they are. */
  readonly text: string;
}

export interface ShellCommand {
  /** Assignments before the program: `NAME=value`. */
  readonly assignments: readonly ShellWord[];
  readonly words: readonly ShellWord[];
  /** The operator after the command; "" after the last command. */
  readonly next: "&&" | "||" | ";" | "|" | "&" | "";
}

/** Returns the variables that the command sets before its program, by name. */
export function assignedBy({ assignments }: Pick<ShellCommand, "assignments">): Record<string, string> {
  const pairs = assignments.map(({ text }): [string, string] => {
    const [name = "", value = ""] = text.split(/=(.*)/s);
    return [name, value];
  });
  return Object.fromEntries(pairs);
}

const joints = ["&&", "||", ";", "|", "&"] as const;
const operator = /^(?:&&|\|\||[;|&\n])/;
const word = /^(?:[^\s'"\\;|&<>()`$]|\\.|'[^']*'|"(?:[^"\\$`]|\\.|\$(?!\())*"|\$(?!\()[\w{}?@*#]*)+/;
const redirection = /^\d?>>?(?:&\d|[ \t]*[^\s;&|<>()]+)/;
const assignment = /^[A-Za-z_]\w*=/;

const longestLine = 20_000;

/**
 * Returns the commands of a line, in order. Undefined for syntax beyond words, quotes, assignments and operators, and
 * for a line that is too long. Omits redirections, because nobody reads those files.
 */
export function parseShell(line: string): readonly ShellCommand[] | undefined {
  if (line.length > longestLine) return undefined;
  const commands: ShellCommand[] = [];
  let words: ShellWord[] = [];
  let rest = line.trim();
  const close = (next: ShellCommand["next"]): void => {
    const first = words.findIndex((one) => !assignment.test(one.raw));
    const split = first === -1 ? words.length : first;
    if (words.length > 0) {
      commands.push({ assignments: words.slice(0, split), words: words.slice(split), next });
    }
    words = [];
  };
  while (rest !== "") {
    const dropped = redirection.exec(rest)?.[0];
    if (dropped !== undefined) {
      rest = rest.slice(dropped.length).trimStart();
      continue;
    }
    const joint = operator.exec(rest)?.[0];
    const raw = joint === undefined ? word.exec(rest)?.[0] : undefined;
    if (joint !== undefined) close(joints.find((each) => each === joint) ?? ";");
    else if (raw !== undefined) words.push({ raw, text: unquote(raw) });
    else return undefined;
    rest = rest.slice((joint ?? raw ?? "").length).replace(/^[ \t]+/, "");
  }
  close("");
  return commands;
}

function unquote(raw: string): string {
  return raw.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, "$1") ?? escaped ?? "",
  );
}

export function literal(text: string): ShellWord {
  return { raw: quoteWord(text), text };
}
