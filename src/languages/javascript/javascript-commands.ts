/** Finds the commands that may run a JavaScript or TypeScript repository's tests, for each of the runners. */

import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import type { ProjectView, TestCommand } from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { runnerOf } from "./javascript-programs.ts";
import type { Runner } from "./javascript-run.ts";
import { parseShell } from "./javascript-shell.ts";
import { findRunnerCalls, type RunnerCall } from "./npm-scripts.ts";
import { needsBuild } from "./package-imports.ts";
import { listManifests, type Manifest } from "./package-manifest.ts";
import { findTestPatterns, listSpelledCommands } from "./package-tests.ts";

export interface RunnerSigns {
  readonly framework: string;
  readonly runner: Runner;
  /** The default command, for a package without a test script. */
  readonly standard: string;
  /** The reason why `standard` may run the package's tests (`jest.config.js`), or undefined. */
  findSign(project: ProjectView, manifest: Manifest): string | undefined;
}

/** Maximum number of packages to read. Further packages of a large repository usually have the same scripts. */
const mostPackages = 40;

/** Finds the test commands of a framework, likeliest first, without repetitions. */
export function detectCommands(project: ProjectView, signs: RunnerSigns): readonly TestCommand[] {
  const found = listManifests(project)
    .slice(0, mostPackages)
    .flatMap((manifest) => [...fromScripts(project, manifest, signs), ...fromSigns(project, manifest, signs)])
    .concat(fromWritten(project, signs));
  found.sort((a, b) => b.likelihood - a.likelihood);
  const seen = new Set<string>();
  return found.filter((one) => {
    const id = `${one.directory}\0${one.command}`;
    return !seen.has(id) && seen.add(id);
  });
}

function fromScripts(project: ProjectView, manifest: Manifest, signs: RunnerSigns): TestCommand[] {
  return Object.entries(manifest.scripts).flatMap(([name, text]) => {
    const likelihood = scriptLikelihood(name) * depthFactor(manifest.directory);
    if (likelihood === 0) return [];
    const foundBy = `${posix.join(manifest.directory, "package.json")} scripts.${name}`;
    const script = name === "test" ? "npm test" : `npm run ${name}`;
    const calls = findRunnerCalls(project, manifest.directory, script).filter(
      (call) => call.runner === signs.runner,
    );
    const make = (command: string, directory: string, factor: number): TestCommand => ({
      framework: signs.framework,
      directory,
      command,
      foundBy,
      likelihood: likelihood * factor,
    });
    // A script in a language beyond ours is still run, as a whole.
    if (calls.length === 0 && parseShell(text) === undefined && mentions(text, signs.runner)) {
      return [make(script, manifest.directory, 0.8)];
    }
    if (calls.length === 0 && startsTaskRunner(text) && manifest.dependencies.has(signs.runner)) {
      return [make(script, manifest.directory, 0.66)];
    }
    return calls.flatMap((call, index) => {
      const factor = 1 - index / 20;
      const whole = make(printCall(call), call.directory, factor);
      const built = call.before.length > 0 ? whole : withBuild(manifest, call, make, factor);
      if (built === undefined) return [whole];
      const alone = make(printCall({ ...call, before: [] }), call.directory, factor);
      if (needsBuild(project, manifest)) return [built, { ...alone, likelihood: alone.likelihood * 0.7 }];
      return call.before.length > 0 ? [alone, { ...built, likelihood: built.likelihood * 0.95 }] : [alone];
    });
  });
}

/**
 * Makes the command with a build before it, because some tests need the built package. Undefined without a script
 * `build`.
 */
function withBuild(
  manifest: Manifest,
  call: RunnerCall,
  make: (command: string, directory: string, factor: number) => TestCommand,
  factor: number,
): TestCommand | undefined {
  if (manifest.scripts["build"] === undefined) return undefined;
  const before = [{ directory: manifest.directory, text: "npm run build" }];
  return make(printCall({ ...call, before }), call.directory, factor);
}

/** True for the project's own programs that start a runner: `jake test`, `gulp`, `node scripts/test.js`. */
function startsTaskRunner(text: string): boolean {
  return /(?:^|[\s/])(?:jake|gulp|grunt|wireit|zx)(?:\s|$)|(?:^|\s)node\s+\S*(?:scripts?|tools?|tasks?|build)\/\S*test/.test(
    text,
  );
}

function mentions(text: string, runner: Runner): boolean {
  return runner === "node" ? /\bnode\b.*--test\b/.test(text) : new RegExp(`\\b${runner}\\b`).test(text);
}

/** The likelihood of a script by its name. Scripts that do not run tests, or not exactly once, get 0. */
function scriptLikelihood(name: string): number {
  if (/watch|bench|debug|update|snapshot|publish|version|prepare|deploy|^pre|^post|^dev$|^start/.test(name)) {
    return 0;
  }
  if (name === "test") return 0.9;
  if (/e2e|browser|karma|types?$|integration|smoke|deno|bun|cover/.test(name)) return 0.3;
  if (/^(?:test|unit)(?:[:_-]?(?:unit|units|node|mocha|jest|vitest|only|run|js|all|local|ci))?$/.test(name))
    return 0.8;
  return /test|spec|unit|mocha|jest|vitest/.test(name) ? 0.6 : 0;
}

/**
 * Finds calls in CI workflows, Makefiles, documents and build scripts. The calls in the manifests' scripts are already
 * known.
 */
function fromWritten(project: ProjectView, signs: RunnerSigns): TestCommand[] {
  if (!project.files.some((file) => posix.basename(file) === "package.json")) return [];
  const written = [...listWrittenCommands(project), ...listSpelledCommands(project)];
  return written.flatMap(({ directory, text, foundBy, trust }) =>
    findRunnerCalls(project, directory, text)
      .filter(
        (call) => call.runner === signs.runner && !call.args.some((word) => /[$`{]\{|[$]/.test(word.text)),
      )
      .map((call) => ({
        framework: signs.framework,
        directory: call.directory,
        command: printCall({ ...call, before: [] }),
        foundBy,
        likelihood: trust * 0.9 * depthFactor(call.directory),
      })),
  );
}

function fromSigns(project: ProjectView, manifest: Manifest, signs: RunnerSigns): TestCommand[] {
  const foundBy = signs.findSign(project, manifest);
  if (foundBy === undefined) return [];
  const likelihood = 0.5 * depthFactor(manifest.directory);
  const { framework, standard } = signs;
  const made = { framework, directory: manifest.directory, command: standard, foundBy, likelihood };
  const patterns = framework === "mocha" ? findTestPatterns(project, manifest.directory) : [];
  if (patterns.length === 0) return [made];
  const command = `${standard} ${patterns.map(quoteWord).join(" ")}`;
  return [
    made,
    { ...made, command, foundBy: "the folders of the package's test files", likelihood: likelihood * 0.9 },
  ];
}

function depthFactor(directory: string): number {
  return directory === "" ? 1 : 0.9 - 0.02 * directory.split("/").length;
}

/**
 * Recognises a user's command. Undefined if the command does not call the runner, or itself has several calls that
 * differ in more than their files.
 */
export function recogniseCommand(
  command: string,
  project: ProjectView,
  signs: RunnerSigns,
): TestCommand | undefined {
  const calls = findRunnerCalls(project, "", command).filter((call) => call.runner === signs.runner);
  const isWhole =
    calls.length === 0 &&
    (mentions(scriptTexts(command, project), signs.runner) || isTaskScript(command, project, signs));
  if (calls.length === 0 && !isWhole) return undefined;
  if (calls.length > 1 && (parseShell(command) ?? []).length > 1) return undefined;
  return { framework: signs.framework, directory: "", command, foundBy: "--test-command", likelihood: 1 };
}

/**
 * The command, if it cannot be split; else the text of the script that it names, if this text cannot be split; else "".
 */
function scriptTexts(command: string, project: ProjectView): string {
  if (parseShell(command) === undefined) return command;
  const root = listManifests(project).find((manifest) => manifest.directory === "");
  const text = root?.scripts[scriptName(command)] ?? "";
  return parseShell(text) === undefined ? text : "";
}

function scriptName(command: string): string {
  const name = /^(?:npm|yarn|pnpm)\s+(?:run\s+)?([\w:.-]+)/.exec(command)?.[1] ?? "";
  return name === "t" ? "test" : name;
}

function isTaskScript(command: string, project: ProjectView, signs: RunnerSigns): boolean {
  const root = listManifests(project).find((manifest) => manifest.directory === "");
  const text = root?.scripts[scriptName(command)];
  return text !== undefined && startsTaskRunner(text) && root?.dependencies.has(signs.runner) === true;
}

/** Returns the call as a person would type it in its folder. */
export function printCall(call: RunnerCall): string {
  let current = call.directory;
  const go = (directory: string): string[] => {
    if (directory === current) return [];
    const path = posix.relative(`/${current}`, `/${directory}`);
    current = directory;
    return [`cd ${path}`];
  };
  const before = call.before.flatMap((step) => [...go(step.directory), step.text]);
  const [first] = call.program;
  const isTool = call.isInside && !/^(?:node|tsx|ts-node|npm|pnpm|yarn)$/.test(first?.text ?? "");
  const isOwn = isTool || (call.program.length === 1 && runnerOf(first?.text ?? "") !== undefined);
  const words = [...call.program, ...call.args].map((word) => word.raw).join(" ");
  const assignments = call.assignments.map((word) => `${word.raw} `).join("");
  return [...before, ...go(call.directory), `${assignments}${isOwn ? "npx " : ""}${words}`].join(" && ");
}
