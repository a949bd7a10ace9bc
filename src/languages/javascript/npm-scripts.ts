/**
 * Splits the commands of `package.json` scripts and of users. Finds the call of a test runner, its program and
 * arguments, and the commands before it.
 */

import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView } from "../contract.ts";
import { expandScript } from "../discovery/script-expansion.ts";
import {
  baseName,
  checkingScripts,
  isWithoutEffect,
  type ProgramRunner,
  runnerOf,
  unwrap,
} from "./javascript-programs.ts";
import { literal, parseShell, type ShellCommand, type ShellWord } from "./javascript-shell.ts";
import { importsOf } from "./package-imports.ts";
import { type Manifest, readManifest } from "./package-manifest.ts";
import { enterFolder, readScriptCall, type ScriptCall } from "./package-script-calls.ts";

/** One call of a test runner. */
export interface RunnerCall {
  readonly runner: ProgramRunner | "node";
  /** The folder in which the runner starts, relative to the root. */
  readonly directory: string;
  /** Shell texts that the command runs before this call, such as builds, each with its folder. */
  readonly before: readonly { readonly directory: string; readonly text: string }[];
  /** Assignments of variables before the runner, as written: `NAME=value`. */
  readonly assignments: readonly ShellWord[];
  /** The words that start the runner: `mocha`, `node --flag node_modules/.bin/jest`, `tsx`. */
  readonly program: readonly ShellWord[];
  readonly args: readonly ShellWord[];
  /**
   * True if the program is another tool that starts the runner, such as `npm test`, which calls jake.
   * `inside-preload.cjs` then gives the runner our arguments.
   */
  readonly isInside?: true;
}

interface Place {
  readonly project: ProjectView;
  readonly directory: string;
  readonly assignments: readonly ShellWord[];
  /** The enclosing scripts. A script that calls itself ends there. */
  readonly inside: readonly string[];
}

type Step =
  | { readonly kind: "call"; readonly call: RunnerCall }
  | { readonly kind: "other"; readonly directory: string; readonly text: string };

/**
 * Returns the calls of test runners in a command, in order. Merges consecutive calls that differ only in their files.
 * Empty if the command has no call, or cannot be parsed.
 */
export function findRunnerCalls(project: ProjectView, directory: string, command: string): RunnerCall[] {
  const steps = readSteps({ project, directory, assignments: [], inside: [] }, command);
  const before: { directory: string; text: string }[] = [];
  const calls: RunnerCall[] = [];
  for (const step of steps) {
    if (step.kind === "other") before.push({ directory: step.directory, text: step.text });
    else calls.push({ ...step.call, before: [...before] });
  }
  return mergeCalls(calls);
}

/** Merges consecutive calls that differ only in their files. */
function mergeCalls(calls: readonly RunnerCall[]): RunnerCall[] {
  const merged: RunnerCall[] = [];
  for (const call of calls) {
    const before = merged.at(-1);
    const isSame = before !== undefined && identityOf(before) === identityOf(call);
    if (!isSame) merged.push(call);
    else {
      const known = new Set(before.args.map((word) => word.raw));
      const added = call.args.filter((word) => !known.has(word.raw));
      merged[merged.length - 1] = { ...before, args: [...before.args, ...added] };
    }
  }
  return merged;
}

/** Options whose value, the next word, is not a file of tests. */
const choosing =
  /^(?:-[cgrt]|--(?:config|projects?|selectProjects|grep|testNamePattern|testPathPatterns?|root|rootDir|dir|workspace|env|environment|testEnvironment|require))$/;

function identityOf(call: RunnerCall): string {
  const options = call.args.filter(
    ({ text }, at) => text.startsWith("-") || choosing.test(call.args[at - 1]?.text ?? ""),
  );
  const texts = [call.assignments, call.program, options].map((words) => words.map((word) => word.raw));
  return JSON.stringify([call.runner, call.directory, call.before, ...texts]);
}

/** Longer scripts are no people's. */
const mostCommands = 200;

function readSteps(place: Place, line: string): Step[] {
  const commands = parseShell(line);
  if (commands === undefined) return [{ kind: "other", directory: place.directory, text: line }];
  const steps: Step[] = [];
  let directory = place.directory;
  let skipped = false; // after `|` and `||`
  for (const command of commands.slice(0, mostCommands)) {
    const [first, second] = command.words;
    if (first?.text === "cd" && second) directory = enterFolder(directory, second.text);
    else if (!skipped) steps.push(...readCommand({ ...place, directory }, command));
    skipped = command.next === "|" || command.next === "||";
  }
  return steps;
}

function readCommand(place: Place, command: ShellCommand): Step[] {
  const scripts = readManifest(place.project, place.directory)?.scripts ?? {};
  const { assignments, words } = unwrap(
    command.words,
    [...place.assignments, ...command.assignments],
    (name) => scripts[name] !== undefined,
  );
  const [first, ...rest] = words;
  if (first === undefined) return [];
  const inner = { ...place, assignments };
  const script = readScriptCall(inner, words);
  if (script !== undefined) return readScripts(inner, script);
  const call = readCall(inner, first, rest);
  if (call !== undefined) return [{ kind: "call", call }];
  if (isWithoutEffect(first.text, rest)) return [];
  const step = otherStep(place, command);
  const inside = readCalled(inner, step.text);
  return inside.some((one) => one.kind === "call") ? inside : [step];
}

/** Runner calls in a Makefile's target, a task or a shell script. */
function readCalled(place: Place, text: string): Step[] {
  const id = `called:${text}`;
  if (place.inside.includes(id)) return [];
  const script = { directory: place.directory, text, env: {}, foundBy: "" };
  const commands = expandScript(place.project, script);
  if (commands.length === 1 && commands[0]?.text === text) return [];
  return commands.flatMap(({ directory, env, text: line }) => {
    const assignments = Object.entries(env).map(([name, value]) => literal(`${name}=${value}`));
    return readSteps({ ...place, directory, assignments, inside: [...place.inside, id] }, line);
  });
}

function otherStep(place: Place, command: ShellCommand): Extract<Step, { kind: "other" }> {
  const words = [...place.assignments, ...command.assignments, ...command.words];
  return { kind: "other", directory: place.directory, text: words.map((word) => word.raw).join(" ") };
}

function readScripts(place: Place, call: ScriptCall): Step[] {
  const manifest = readManifest(place.project, call.directory);
  if (manifest === undefined) return [];
  if (call.names.every((name) => checkingScripts.test(name))) return [];
  const steps = call.names.flatMap((name, index) => {
    const extra = index === call.names.length - 1 ? call.extra : [];
    return readScript({ ...place, directory: call.directory }, manifest, name, extra);
  });
  if (steps.some((step) => step.kind === "call")) return steps;
  if (steps.length === 0) return [];
  // Told by its own name, a build reads better than by what it does; npm comes with Node, the other managers do not.
  const extra = call.extra.length === 0 ? "" : ` -- ${call.extra.map((word) => word.raw).join(" ")}`;
  const assignments = place.assignments.map((word) => `${word.raw} `).join("");
  return call.names.map((name) => ({
    kind: "other",
    directory: call.directory,
    text: `${assignments}npm run ${quoteWord(name)}${extra}`,
  }));
}

function readScript(place: Place, manifest: Manifest, name: string, extra: readonly ShellWord[]): Step[] {
  const id = `${manifest.directory}:${name}`;
  const text = manifest.scripts[name];
  if (text === undefined || place.inside.includes(id)) return [];
  const inner = { ...place, inside: [...place.inside, id] };
  const before = manifest.scripts[`pre${name}`];
  const line = [text, ...extra.map((word) => word.raw)].join(" ");
  const steps = readSteps(inner, line);
  return before === undefined ? steps : [...readSteps(inner, before), ...steps];
}

function readCall(place: Place, first: ShellWord, rest: readonly ShellWord[]): RunnerCall | undefined {
  const { directory, assignments } = place;
  const made = (
    runner: RunnerCall["runner"],
    program: readonly ShellWord[],
    args: readonly ShellWord[],
  ): RunnerCall => ({
    runner,
    directory,
    before: [],
    assignments,
    program,
    args,
  });
  const name = baseName(first.text);
  const runner = runnerOf(name);
  if (runner !== undefined) return made(runner, [first], rest);
  const brought = broughtRunner(place, name, rest);
  if (brought !== undefined) return { ...made(brought, [first, ...rest], []), isInside: true };
  if (name !== "node" && name !== "tsx" && name !== "ts-node") return undefined;
  // `node_modules/.bin/mocha`, or the last argument of a script around it: `node bin/prepare.js mocha`.
  const at = rest.findIndex(
    (word, index) =>
      runnerOf(baseName(word.text)) !== undefined &&
      (word.text.includes("/") || /\.[cm]?js$/.test(rest[index - 1]?.text ?? "")),
  );
  const flags = rest.slice(0, Math.max(0, at));
  const script = rest[at];
  if (script) {
    return made(runnerOf(baseName(script.text)) ?? "node", [first, ...flags, script], rest.slice(at + 1));
  }
  if (rest.some((word) => word.text === "--test")) return made("node", [first], rest);
  const imported = importedRunner(place, rest);
  // node-tap's own program tells which file a test is of.
  if (imported === "tap") return made("tap", [literal("tap")], rest.filter(isSource));
  if (imported === "mocha") return { ...made("mocha", [first, ...rest], []), isInside: true };
  return imported && made(imported, [first], rest);
}

const broughtRunners = ["vitest", "jest", "mocha"] as const;

/**
 * The runner behind a package of shared scripts: `ts-scripts test`, if the package depends on Jest and the project
 * itself requests no runner.
 */
function broughtRunner(
  { project, directory }: Place,
  name: string,
  rest: readonly ShellWord[],
): ProgramRunner | undefined {
  if (!rest.some(({ text }) => /^(?:tests?|specs?|unit)(?:[:_-].*)?$/.test(text))) return undefined;
  const dependencies = readManifest(project, directory)?.dependencies ?? new Set();
  const isInstalled = (program: string): boolean =>
    [directory, ""].some((folder) => project.exists(posix.join(folder, "node_modules/.bin", program)));
  if (!isInstalled(name) || broughtRunners.some((runner) => dependencies.has(runner))) return undefined;
  return broughtRunners.find(isInstalled);
}

const sourceName = /\.[cm]?[jt]sx?$/;

function isSource(word: ShellWord): boolean {
  return sourceName.test(word.text) && !word.text.startsWith("-");
}

/**
 * The runner of `node test/index.js`: the runner that this file, or a file that it loads, imports. For a plain test
 * file without such an import, Node's own runner.
 */
function importedRunner(place: Place, words: readonly ShellWord[]): RunnerCall["runner"] | undefined {
  const word = words.find(isSource);
  if (word === undefined) return undefined;
  const given = posix.join(place.directory, word.text);
  const file = place.project.files.find((one) => one === given || posix.matchesGlob(one, given));
  if (file === undefined) return undefined;
  const read = (path: string): string => place.project.read(path) ?? "";
  for (const path of [file, ...importsOf(place.project, file)]) {
    if (/\bnew Mocha\b/.test(read(path))) return "mocha";
    const name = /["'](?:node:(test)|(tape|tap|uvu))["']/.exec(read(path));
    if (name) return name[1] ? "node" : runnerOf(name[2] ?? "");
  }
  const isPlain =
    /(?:^|[/._-])(?:tests?|specs?)(?:[/._-]|$)/.test(word.text) && /\bassert\b/.test(read(file));
  return isPlain ? "node" : undefined;
}
