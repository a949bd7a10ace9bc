/** Splits the shell text of CI steps, recipes and scripts into single commands, and follows calls of other scripts. */
import type { ProjectView } from "../contract.ts";
import { parseShell, type ShellCommand } from "../javascript/javascript-shell.ts";
import { enter, findCalled, type SimpleCommand } from "./script-calls.ts";

const deepest = 6;
const mostLines = 400;

/** Programs that run the command after them, with their options that take a value. */
const wrappers: Readonly<Record<string, RegExp>> = {
  env: /^$/,
  time: /^$/,
  nice: /^-n$/,
  sudo: /^-[uE]$/,
  exec: /^$/,
  command: /^$/,
  "xvfb-run": /^-[sen]$/,
  timeout: /^-[sk]$/,
  stdbuf: /^-[ioe]$/,
  "dbus-run-session": /^$/,
};

/** Lists of Go packages: `$(go list ./... | grep -v vendor)`. A run does not need these packages' names. */
const goPackages = /(?:\$\(|`)go list(?: -\S+)* (\.\/[\w./]*)[^()`]*[)`]/g;

/**
 * Splits a script into single commands, in order. Replaces calls of other scripts with their commands, and records
 * these calls. Leaves out commands after `|` and `||`.
 */
export function expandScript(project: ProjectView, script: SimpleCommand, depth = 0): SimpleCommand[] {
  const found: SimpleCommand[] = [];
  let directory = script.directory;
  let env = script.env;
  for (const line of splitLines(script.text)) {
    const commands = parseShell(line);
    if (commands === undefined) {
      found.push({ ...script, directory, env, text: line });
      continue;
    }
    let skipped = false; // after `|` and `||`
    for (const command of commands) {
      const [first, second] = command.words;
      if (first === undefined || first.text === "export") {
        const set = first === undefined ? command.assignments : command.words.slice(1);
        env = { ...env, ...assignmentsOf(set) };
      } else if (first.text === "cd" && second !== undefined) {
        directory = enter(directory, second.text);
      } else if (!skipped) {
        found.push(...expandOne(project, { ...script, directory, env }, command, depth));
      }
      skipped = command.next === "|" || command.next === "||";
    }
  }
  return found;
}

/**
 * Splits a text into lines without comments, and joins continuations. Leaves out lines that begin with a word of the
 * shell (`if`, `then`, `done`) or with `echo`.
 */
function splitLines(text: string): string[] {
  return text
    .replaceAll(/\\\r?\n[ \t]*/g, " ")
    .replaceAll(goPackages, "$1")
    .split(/\r?\n/)
    .slice(0, mostLines)
    .map((line) => line.trim().replace(/\s#\s.*$/, ""))
    .filter(
      (line) =>
        line !== "" &&
        !line.startsWith("#") &&
        !/^(?:if|fi|then|else|elif|done|esac|case|set|function|\}|\{|echo)\b/.test(line),
    )
    .map((line) => line.replace(/^(?:do|then)\s+/, ""));
}

function assignmentsOf(words: readonly { readonly text: string }[]): Record<string, string> {
  const pairs = words.map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word.text) ?? []);
  return Object.fromEntries(
    pairs.flatMap(([, name, value]) => (name === undefined ? [] : [[name, value ?? ""]])),
  );
}

function expandOne(
  project: ProjectView,
  place: SimpleCommand,
  command: ShellCommand,
  depth: number,
): SimpleCommand[] {
  let words = [...command.words];
  let env = { ...place.env, ...assignmentsOf(command.assignments) };
  for (;;) {
    const valued = wrappers[words[0]?.text ?? ""];
    if (valued === undefined) break;
    const isTimed = words[0]?.text === "timeout";
    words = words.slice(1);
    while (words[0]?.text.startsWith("-")) words = words.slice(valued.test(words[0].text) ? 2 : 1);
    if (isTimed) words = words.slice(1);
    while (/^[A-Za-z_]\w*=/.test(words[0]?.text ?? "")) {
      env = { ...env, ...assignmentsOf(words.slice(0, 1)) };
      words = words.slice(1);
    }
  }
  if (words.length === 0) return [];
  const inner = { ...place, env };
  const called =
    depth < deepest
      ? findCalled(
          project,
          inner,
          words.map((word) => word.text),
        )
      : undefined;
  if (called !== undefined && called.length > 0) {
    return called.flatMap((script) => expandScript(project, script, depth + 1));
  }
  return [{ ...inner, text: words.map((word) => word.raw).join(" ") }];
}
