/** Shared parts of the runners' invocations: folder, preparations and environment. */

import { posix } from "node:path";
import { deflateSync } from "node:zlib";
import { quoteWord } from "../../base/shell-word.ts";
import type { Invocation, InvocationRequest, ProjectView, Selection, TestCommand } from "../contract.ts";
import { literal, type ShellWord } from "./javascript-shell.ts";
import { findRunnerCalls, type RunnerCall } from "./npm-scripts.ts";
import { readManifest } from "./package-manifest.ts";

export type Runner = RunnerCall["runner"];

/** A request to run one program or, with `batch`, many candidates (`javascript-batch.ts`). */
export interface RunnerRequest extends InvocationRequest {
  readonly batch?: { readonly candidates: readonly number[]; readonly parallel: number };
}

/** The command that runs the requested tests: program, arguments and further variables. */
export interface RunnerWords {
  readonly program: readonly ShellWord[];
  readonly args: readonly ShellWord[];
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Finds the call of `runner` in a command. If Millwright finds none, for example because the command cannot be split,
 * the whole command is the call.
 */
export function findCall(project: ProjectView, command: TestCommand, runner: Runner): RunnerCall {
  const call = findRunnerCalls(project, command.directory, command.command).find(
    (one) => one.runner === runner,
  );
  if (call !== undefined) return call;
  const isScript = /^(?:npm|pnpm)\s/.test(command.command) && !/\s--\s/.test(command.command);
  const isInside = isScript && !namesRunner(project, command, runner);
  const text = isScript && !isInside ? `${command.command} --` : command.command;
  return {
    runner,
    directory: command.directory,
    before: [],
    assignments: [],
    program: [{ raw: text, text }],
    args: [],
    ...(isInside && { isInside }),
  };
}

/** True if the script itself starts the runner, so that arguments appended to it reach the runner. */
function namesRunner(project: ProjectView, command: TestCommand, runner: Runner): boolean {
  const name = /^(?:npm|pnpm)\s+(?:run\s+)?([\w:.-]+)/.exec(command.command)?.[1] ?? "";
  const text = readManifest(project, command.directory)?.scripts[name];
  return text === undefined || text.includes(runner);
}

/**
 * Linux limits the whole shell text to 128 KiB. If the files do not fit, all files run and the reporter drops the
 * results of the others.
 */
const filesLength = 50_000;

/**
 * Returns the selected files for the command line, in reverse order for a varied run. Undefined if all files run, or
 * the files do not fit on the command line.
 */
export function namedFiles({
  selection,
  varied,
}: Pick<RunnerRequest, "selection" | "varied">): readonly string[] | undefined {
  const files = selectedFiles(selection);
  if (files === undefined || Buffer.byteLength(files.join(" ")) > filesLength) return undefined;
  return varied === true ? files.toReversed() : files;
}

function selectedFiles(selection: Selection): readonly string[] | undefined {
  if (selection.kind === "all") return undefined;
  return selection.kind === "files"
    ? selection.files
    : [...new Set(selection.tests.map((key) => key.target))];
}

/** Returns the selected files as the runner's arguments, relative to its folder. */
export function fileWords(call: RunnerCall, files: readonly string[]): ShellWord[] {
  return files.map((file) => literal(posix.relative(`/${call.directory}`, `/${file}`)));
}

/** Returns the path of a file of our JavaScript runtime, inside the sandbox. */
export function runtimeFile(request: Pick<InvocationRequest, "paths">, name: string): string {
  return posix.join(request.paths.runtime, "javascript", name);
}

/**
 * Makes one shell text, which adds the project's programs to the path, and runs the preparations and then the runner.
 */
export function makeInvocation(request: RunnerRequest, call: RunnerCall, words: RunnerWords): Invocation {
  const { root } = request.paths;
  const folder = posix.join(root, call.directory);
  const programs = [folder, root].map((one) => `${one}/node_modules/.bin`);
  const path = `export PATH=${quoteWord([...new Set(programs)].join(":"))}:"$PATH"`;
  let current = request.command.directory;
  const go = (directory: string): string[] => {
    if (directory === current) return [];
    current = directory;
    return [`cd ${quoteWord(posix.join(root, directory))}`];
  };
  const before = call.before.flatMap((step) => [...go(step.directory), step.text]);
  const args = call.isInside ? [] : words.args;
  const text = [...call.assignments, ...words.program, ...args].map((word) => word.raw).join(" ");
  const own = request.batch
    ? `node ${quoteWord(runtimeFile(request, "batch-run.cjs"))} ${quoteWord(text)}`
    : text;
  const run = [path, ...keepKey(request, before), ...go(call.directory), own].join(" && ");
  const inside = call.isInside && {
    // Some tools wait for changes unless they run for CI.
    CI: "true",
    MILLWRIGHT_RUNNER: call.runner,
    MILLWRIGHT_RUNNER_ARGUMENTS: JSON.stringify(words.args.map((word) => word.text)),
  };
  return { run, env: { ...makeEnvironment(request, call), ...words.env, ...inside } };
}

/**
 * Hides the run's key until the commands before the runner have finished, because they execute the repository's code.
 */
function keepKey({ batch, paths }: RunnerRequest, before: readonly string[]): readonly string[] {
  if (before.length === 0 || batch !== undefined) return before;
  const key = quoteWord(`${paths.channel}/key`);
  return [
    `millwright_key=$(dd if=${key} bs=32 count=1 2>/dev/null)`,
    ...before,
    `printf %s "$millwright_key" > ${key}`,
    "unset millwright_key",
  ];
}

function makeEnvironment(request: RunnerRequest, call: RunnerCall): Record<string, string> {
  const options = nodeOptions(request, call);
  return {
    ...encodeRequest(request),
    ...(options !== "" && { NODE_OPTIONS: options }),
    // A program with many candidates is not type-checked.
    ...(request.batch && { TS_NODE_TRANSPILE_ONLY: "true" }),
  };
}

/** Linux limits one environment string to 128 KiB, and all strings plus arguments to 2 MiB. */
const partLength = 100_000;
const requestLength = 1_500_000;

/** Compresses the request, because thousands of tests do not fit into arguments. `request.cjs` reads it. */
function encodeRequest(request: RunnerRequest): Record<string, string> {
  const files = selectedFiles(request.selection) ?? [];
  let encoded = encode(request, { ...request.selection, files });
  // If the selection does not fit: whole files, whose outcomes include the requested ones.
  if (encoded.length > requestLength) encoded = encode(request, { kind: "files", files });
  const parts: [string, string][] = [];
  for (let at = 0; at < encoded.length; at += partLength) {
    parts.push([`MILLWRIGHT_REQUEST_${parts.length}`, encoded.slice(at, at + partLength)]);
  }
  return Object.fromEntries(parts);
}

function encode(request: RunnerRequest, selection: object): string {
  const { batch, coverage, paths, stopAtFirstFailure, testTimeoutMs, varied } = request;
  const { channel, root, report } = paths;
  const limits = { testTimeoutMs, stopAtFirstFailure, varied };
  const content = { root, report, channel, coverage, ...limits, selection, batch };
  return deflateSync(JSON.stringify(content)).toString("base64");
}

/**
 * Node's options. They map stack traces of built code to source lines, and collect the lines of processes that tests
 * start.
 */
function nodeOptions(request: InvocationRequest, call: RunnerCall): string {
  const options: string[] = [];
  if (call.before.length > 0) options.push("--enable-source-maps");
  if (call.isInside) options.push(`--require ${JSON.stringify(runtimeFile(request, "inside-preload.cjs"))}`);
  if (request.coverage)
    options.push(`--require ${JSON.stringify(runtimeFile(request, "child-preload.cjs"))}`);
  return options.join(" ");
}
