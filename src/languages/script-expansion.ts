/** Takes shell text of CI steps, recipes and scripts apart into single commands, and follows what calls others. */
import { posix } from "node:path";
import type { ProjectView } from "./contract.ts";
import { parseShell, quote, type ShellCommand } from "./javascript-shell.ts";
import { readMakefile, recipeOf } from "./makefile.ts";
import { enterFolder } from "./package-script-calls.ts";
import { findTask } from "./task-files.ts";
import { findToxScripts } from "./tox.ts";

export interface SimpleCommand {
  /** Folder that it runs in, relative to the root. */
  readonly directory: string;
  /** One command without `&&`, pipes or assignments, as a person would type it. */
  readonly text: string;
  /** What the place and the command itself set. */
  readonly env: Readonly<Record<string, string>>;
  /** With what led to it: `.github/workflows/ci.yml, job test → make test`. */
  readonly foundBy: string;
}

type Script = SimpleCommand;

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

/** `$(go list ./... | grep -v vendor)`: which packages that are need not be known to run them. */
const goPackages = /(?:\$\(|`)go list(?: -\S+)* (\.\/[\w./]*)[^()`]*[)`]/g;

/** The single commands of a script in order, each with what led to it. */
export function expandScript(project: ProjectView, script: Script, depth = 0): SimpleCommand[] {
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

/** Lines without comments, their continuations joined; the shell's own words (`if`, `then`, `done`) are left out. */
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

/** A folder that the text leads to; the folder of the script itself (`$(dirname $0)/..`) is taken for the project's. */
function enter(directory: string, folder: string): string {
  if (/[$`]|^[/~]/.test(folder)) return directory;
  const entered = enterFolder(directory, folder);
  return entered.startsWith("..") ? directory : entered;
}

function assignmentsOf(words: readonly { readonly text: string }[]): Record<string, string> {
  const pairs = words.map((word) => /^([A-Za-z_]\w*)=(.*)$/s.exec(word.text) ?? []);
  return Object.fromEntries(
    pairs.flatMap(([, name, value]) => (name === undefined ? [] : [[name, value ?? ""]])),
  );
}

function expandOne(
  project: ProjectView,
  place: Script,
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

/** The scripts that a command runs, where it names a target, an environment, a task or a shell script of the project. */
function findCalled(project: ProjectView, place: Script, words: readonly string[]): Script[] | undefined {
  const [program = "", ...rest] = leaveEnvironment(words);
  const name = posix.basename(program);
  if (name === "make" || name === "gmake") return callMake(project, place, rest);
  if (
    name === "tox" ||
    name === "nox" ||
    (/^python[\d.]*$/.test(name) && /^(?:tox|nox)$/.test(rest[1] ?? ""))
  ) {
    const args = name === "tox" || name === "nox" ? [name, ...rest] : rest.slice(1);
    return follow(place, args.join(" "), findToxScripts(project, place.directory, args));
  }
  const task = findTask(project, place.directory, [name, ...rest]);
  if (task !== undefined) return follow(place, [name, ...rest].join(" "), task);
  const path = /^(?:ba|da|z)?sh$/.test(name) ? rest.find((word) => !word.startsWith("-")) : program;
  return path === undefined ? undefined : callShellScript(project, place, path);
}

/** Tools that enter an environment stand before the program: `uv run --with tox tox`, `poetry run make test`. */
function leaveEnvironment(words: readonly string[]): readonly string[] {
  const [tool = "", verb] = words;
  const enters = /^(?:uv|poetry|pipenv|pdm|rye)$/.test(tool) && verb === "run";
  const isTool = tool === "uvx" || tool === "pipx";
  if (!enters && !isTool) return words;
  const at = words.findIndex(
    (word, index) => index > 0 && /^(?:tox|nox|make|poe|task|just|sh|bash)$/.test(word),
  );
  return at === -1 ? words : words.slice(at);
}

function follow(
  place: Script,
  call: string,
  scripts: readonly Pick<Script, "directory" | "text" | "env">[],
): Script[] {
  return scripts.map((script) => ({
    ...script,
    env: { ...place.env, ...script.env },
    foundBy: `${place.foundBy} → ${call}`,
  }));
}

function callMake(project: ProjectView, place: Script, words: readonly string[]): Script[] | undefined {
  let directory = place.directory;
  const given = new Map<string, string>();
  const targets: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const set = /^(\w+)=(.*)$/s.exec(word);
    if (word === "-C") directory = enter(directory, words[++at] ?? "");
    else if (set) given.set(set[1] ?? "", set[2] ?? "");
    else if (!word.startsWith("-") && !/^\d+$/.test(word)) targets.push(word);
  }
  const makefile = readMakefile(project, directory);
  if (makefile === undefined) return undefined;
  const wanted =
    targets.length > 0
      ? targets
      : [...makefile.targets.keys()].filter((name) => !name.startsWith(".")).slice(0, 1);
  // Each line of a recipe has a shell of its own: a `cd` ends with it.
  return wanted.flatMap((target) =>
    recipeOf(makefile, target, given).map(({ text }) => ({
      directory,
      env: place.env,
      text,
      foundBy: `${place.foundBy} → make ${target}`,
    })),
  );
}

function callShellScript(project: ProjectView, place: Script, path: string): Script[] | undefined {
  if (path.startsWith("/") || !(path.includes("/") || /\.(?:sh|bash)$/.test(path))) return undefined;
  const file = enter(place.directory, path);
  const text = project.read(file);
  if (text === undefined || !(/\.(?:sh|bash)$/.test(file) || /^#!.*\b(?:ba|da|z)?sh\b/.test(text)))
    return undefined;
  const said = text
    .replaceAll(/"?\$(?:@|\*|\{@[^}]*\}|\{\*[^}]*\})"?/g, "")
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1");
  return [{ ...place, text: said, foundBy: `${place.foundBy} → ${quote(path)}` }];
}
