/** Takes the commands of `package.json` scripts, and of users, apart: which test runner they call, how, and after what. */
import { posix } from "node:path";
import type { ProjectView } from "./contract.ts";
import { parseShell, type ShellCommand, type ShellWord } from "./javascript-shell.ts";
import { type Manifest, readManifest } from "./package-manifest.ts";

/** One call of a test runner. */
export interface RunnerCall {
  readonly runner: "mocha" | "jest" | "vitest" | "node";
  /** Folder that it runs in, relative to the root. */
  readonly directory: string;
  /** Shell texts that the command runs before, each in its folder: builds. */
  readonly before: readonly { readonly directory: string; readonly text: string }[];
  /** `NAME=value`, as written. */
  readonly assignments: readonly ShellWord[];
  /** The words that start the runner: `mocha`, `node --flag node_modules/.bin/jest`, `tsx`. */
  readonly program: readonly ShellWord[];
  readonly args: readonly ShellWord[];
}

interface Place {
  readonly project: ProjectView;
  readonly directory: string;
  readonly assignments: readonly ShellWord[];
  /** Scripts that we are in: a script that calls itself ends there. */
  readonly inside: readonly string[];
}

type Step =
  | { readonly kind: "call"; readonly call: RunnerCall }
  | { readonly kind: "other"; readonly directory: string; readonly text: string };

/** The calls of test runners in a command, in order; none where there is none, or the command cannot be taken apart. */
export function findRunnerCalls(project: ProjectView, directory: string, command: string): RunnerCall[] {
  const steps = readSteps({ project, directory, assignments: [], inside: [] }, command);
  const before: { directory: string; text: string }[] = [];
  const calls: RunnerCall[] = [];
  for (const step of steps) {
    if (step.kind === "other") before.push({ directory: step.directory, text: step.text });
    else calls.push({ ...step.call, before: [...before] });
  }
  return calls;
}

function readSteps(place: Place, line: string): Step[] {
  const commands = parseShell(line);
  if (commands === undefined) return [];
  const steps: Step[] = [];
  let directory = place.directory;
  let skipped = false; // after `|` and `||`
  for (const command of commands) {
    const [first, second] = command.words;
    if (first?.text === "cd" && second) directory = enter(directory, second.text);
    else if (!skipped) steps.push(...readCommand({ ...place, directory }, command));
    skipped = command.next === "|" || command.next === "||";
  }
  return steps;
}

function enter(directory: string, folder: string): string {
  const entered = posix.join(directory, folder);
  return entered === "." ? "" : entered.replace(/\/$/, "");
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
  if (script !== undefined) return readScripts(inner, script, command);
  const call = readCall(inner, first, rest);
  if (call !== undefined) return [{ kind: "call", call }];
  return isWithoutEffect(first.text, rest) ? [] : [otherStep(place, command)];
}

function otherStep(place: Place, command: ShellCommand): Step {
  const words = [...place.assignments, ...command.assignments, ...command.words];
  return { kind: "other", directory: place.directory, text: words.map((word) => word.raw).join(" ") };
}

const wrappers = new Set([
  "npx",
  "bunx",
  "cross-env",
  "cross-env-shell",
  "env",
  "c8",
  "nyc",
  "time",
  "exec",
  "dotenv",
]);
const programs = new Set([
  "mocha",
  "_mocha",
  "ts-mocha",
  "jest",
  "vitest",
  "node",
  "tsx",
  "ts-node",
  "npm",
  "yarn",
  "pnpm",
  "bun",
  "npx",
]);

/** Takes `npx`, `cross-env A=b`, `c8 --all`, `yarn exec` and the like off a command. */
function unwrap(
  words: readonly ShellWord[],
  assignments: readonly ShellWord[],
  isScript: (name: string) => boolean,
): { words: readonly ShellWord[]; assignments: readonly ShellWord[] } {
  const [first, second] = words;
  const manager = /^(?:npm|pnpm|yarn|bun)$/.test(first?.text ?? "");
  const isExec = manager && /^(?:exec|x)$/.test(second?.text ?? "");
  // `pnpm vitest` is the package's program, where no script has that name.
  const isProgram = manager && runnerOf(second?.text ?? "") !== undefined && !isScript(second?.text ?? "");
  if (first === undefined || !(isExec || isProgram || wrappers.has(baseName(first.text)))) {
    return { words, assignments };
  }
  const rest = words.slice(isExec ? 2 : 1);
  const isEnvironment = /env/.test(first.text);
  const at = rest.findIndex((word) => {
    if (isEnvironment && /^\w+=/.test(word.text)) return false;
    return (
      programs.has(baseName(word.text)) || (!word.text.startsWith("-") && !/^(?:c8|nyc)$/.test(first.text))
    );
  });
  if (at === -1) return { words: [], assignments };
  const set = isEnvironment ? rest.slice(0, at).filter((word) => /^\w+=/.test(word.text)) : [];
  return unwrap(rest.slice(at), [...assignments, ...set], isScript);
}

/** `mocha` of `./node_modules/.bin/mocha` and of `../node_modules/mocha/bin/_mocha.js`. */
function baseName(program: string): string {
  return posix.basename(program).replace(/\.[cm]?js$/, "");
}

interface ScriptCall {
  readonly directory: string;
  readonly names: readonly string[];
  /** Given after `--`: they go to the last script. */
  readonly extra: readonly ShellWord[];
}

function readScriptCall(place: Place, words: readonly ShellWord[]): ScriptCall | undefined {
  const [first, ...rest] = words;
  const program = baseName(first?.text ?? "");
  if (/^(?:npm-run-all|run-s|run-p|npm-run-all2)$/.test(program)) {
    const names = rest.map((word) => word.text).filter((text) => !text.startsWith("-"));
    return { directory: place.directory, names: expandNames(place, names), extra: [] };
  }
  if (!/^(?:npm|pnpm|yarn|bun)$/.test(program)) return undefined;
  return readManagerCall(place, program, rest);
}

function readManagerCall(place: Place, program: string, words: readonly ShellWord[]): ScriptCall | undefined {
  const extra: ShellWord[] = [];
  const named: ShellWord[] = [];
  let directory = place.directory;
  for (let index = 0; index < words.length; index++) {
    const one = words[index] as ShellWord;
    const folder = /^(?:--prefix|-C|--dir|--cwd|--workspace|-w)(?:=(.*))?$/.exec(one.text);
    if (one.text === "--") {
      extra.push(...words.slice(index + 1));
      break;
    }
    if (folder) directory = findMember(place.project, directory, folder[1] ?? words[++index]?.text ?? "");
    else if (named.length > 0 && named.at(-1)?.text !== "run" && program !== "npm") extra.push(one);
    else if (!one.text.startsWith("-")) named.push(one);
  }
  const [verb, script] = named.map((one) => one.text);
  if (verb === "run" || verb === "run-script")
    return script ? { directory, names: [script], extra } : undefined;
  if (verb === "test" || verb === "t" || verb === "tst") return { directory, names: ["test"], extra };
  const known =
    program !== "npm" && verb !== undefined && readManifest(place.project, directory)?.scripts[verb];
  return known ? { directory, names: [verb], extra } : undefined;
}

/** The folder of a workspace member that is given by folder or by name. */
function findMember(project: ProjectView, directory: string, given: string): string {
  const folder = enter(directory, given);
  if (project.files.includes(posix.join(folder, "package.json"))) return folder;
  const file = project.files.find((path) => {
    if (posix.basename(path) !== "package.json") return false;
    return readManifest(project, enter("", posix.dirname(path)))?.name === given;
  });
  return file === undefined ? folder : enter("", posix.dirname(file));
}

/** `test:*` are all scripts of that beginning. */
function expandNames(place: Place, names: readonly string[]): string[] {
  const known = Object.keys(readManifest(place.project, place.directory)?.scripts ?? {});
  return names.flatMap((name) => {
    if (!name.includes("*")) return [name];
    const pattern = name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replace(/\*+/g, "[^:]*");
    return known.filter((one) => new RegExp(`^${pattern}$`).test(one));
  });
}

function readScripts(place: Place, call: ScriptCall, command: ShellCommand): Step[] {
  const manifest = readManifest(place.project, call.directory);
  if (manifest === undefined) return [];
  if (call.names.every((name) => checkingScripts.test(name))) return [];
  const steps = call.names.flatMap((name, index) => {
    const extra = index === call.names.length - 1 ? call.extra : [];
    return readScript({ ...place, directory: call.directory }, manifest, name, extra);
  });
  if (steps.some((step) => step.kind === "call")) return steps;
  // Told by its own name, a build reads better than by what it does.
  return steps.length === 0 ? [] : [otherStep(place, command)];
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
  const made = (runner: RunnerCall["runner"], program: readonly ShellWord[], args: readonly ShellWord[]) => ({
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
  const isTest = rest.some((word) => word.text === "--test");
  return isTest || runsNodeTest(place, rest) ? made("node", [first], rest) : undefined;
}

function runnerOf(name: string): "mocha" | "jest" | "vitest" | undefined {
  if (name === "mocha" || name === "_mocha" || name === "ts-mocha") return "mocha";
  return name === "jest" || name === "vitest" ? name : undefined;
}

/** True for `node test/index.js` where that file imports node:test. */
function runsNodeTest(place: Place, words: readonly ShellWord[]): boolean {
  const file = words.find((word) => /\.[cm]?[jt]sx?$/.test(word.text) && !word.text.startsWith("-"));
  if (file === undefined) return false;
  const text = place.project.read(posix.join(place.directory, file.text.replace(/^\.\//, "")));
  return text !== undefined && /["']node:test["']/.test(text);
}

const checkers =
  /^(?:eslint|standard|xo|prettier|tslint|biome|oxlint|oxfmt|automd|jshint|jscs|flow|dtslint|tsd|check-dts|size-limit|publint|attw|madge|depcheck|knip|echo|true|ls-lint|codecov|coveralls|cypress|playwright|karma|test-ci|lint-staged|husky|is-ci|vue-tsc|audit|cspell|markdownlint|remark|open-cli|clear)$/;

const checkingScripts =
  /^(?:lint|format|fmt|prettier|eslint|style|check|audit|docs?|size|types?|tsd|(?:test|check)[:_-](?:types?|lint|format|style)|type-?check)(?:[:_-].*)?$/;

/** Checks and messages: the tests do not depend on them. */
function isWithoutEffect(program: string, args: readonly ShellWord[]): boolean {
  const name = baseName(program);
  const isTypeCheck = name === "tsc" && args.some((word) => /^--?noEmit/i.test(word.text));
  return isTypeCheck || checkers.test(name);
}
