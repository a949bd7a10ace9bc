import { pathToFileURL } from "node:url";
import { defineTestFramework } from "../contract.ts";
import { withoutOptions } from "../option-words.ts";
import { namePattern, namesIn, patternOfNames, splitArguments } from "./javascript-arguments.ts";
import { defineBatch } from "./javascript-batch.ts";
import { vitestCanary } from "./javascript-canary.ts";
import { vitestCollects } from "./javascript-collection.ts";
import { detectCommands, type RunnerSigns } from "./javascript-commands.ts";
import { vitestExamples } from "./javascript-examples.ts";
import { commonOf, signOf } from "./javascript-framework.ts";
import {
  fileWords,
  findCall,
  makeInvocation,
  namedFiles,
  type RunnerRequest,
  runtimeFile,
} from "./javascript-run.ts";
import { literal } from "./javascript-shell.ts";

const rules = {
  valued:
    namesIn(`-c --config -r --root --dir -t --testNamePattern --reporter --outputFile --environment --pool --project
    --workspace --maxWorkers --minWorkers --shard --mode --exclude --testTimeout --hookTimeout --bail --retry
    --maxConcurrency --coverage.provider --coverage.reporter --poolOptions --diff --api --tags`),
  dropped:
    /^(?:--run|-w|--watch|--no-watch|--reporter|--outputFile|-u|--update|--coverage(?:\..*)?|--no-coverage|--bail|--ui|--no-ui|--open|--typecheck(?:\..*)?|--silent|--shard|--changed|--testTimeout|--hideSkippedTests)$/,
};

const signs: RunnerSigns = {
  framework: "vitest",
  runner: "vitest",
  standard: "npx vitest run",
  findSign: signOf(
    "vitest",
    ["ts", "js", "mts", "mjs", "cts", "cjs"].map((ending) => `vitest.config.${ending}`),
  ),
};

function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "vitest");
  const { options, positionals } = splitArguments(call.args, rules);
  const verb = positionals.findIndex((word) => /^(?:run|watch|dev)$/.test(word.text));
  const given = positionals.filter((_, index) => index !== verb);
  const files = namedFiles(request);
  const names = request.selection.kind === "tests" ? request.selection.tests.map((key) => key.name) : [];
  const pattern = names.length > 0 ? patternOfNames(names) : undefined;
  const args = [
    // A command that could not be taken apart ends in its own verb.
    ...(call.args.length === 0 && call.program[0]?.text.includes(" ") ? [] : [literal("run")]),
    ...(pattern === undefined ? options : withoutOptions(options, namePattern)),
    literal(`--reporter=${importOf(runtimeFile(request, "vitest-reporter.mjs"))}`),
    literal("--no-coverage"),
    ...(request.varied === true ? [literal("--sequence.shuffle"), literal("--sequence.seed=4711")] : []),
    ...(request.stopAtFirstFailure && !request.batch ? [literal("--bail=1")] : []),
    ...(pattern === undefined ? [] : [literal(`--testNamePattern=${pattern}`)]),
    ...(files === undefined ? given : fileWords(call, files)),
  ];
  // The versions' different names for the same limit: both cores, not more.
  const env = { VITEST_MAX_THREADS: "2", VITEST_MAX_FORKS: "2", VITEST_MAX_WORKERS: "2" };
  return makeInvocation(request, call, { program: call.program, args, env });
}

/** A module that Node loads by itself: vite would refuse to read a file from outside the project. */
function importOf(file: string): string {
  const text = `export { default } from ${JSON.stringify(pathToFileURL(file).href)}`;
  return `data:text/javascript,${encodeURIComponent(text)}`;
}

export default defineTestFramework({
  ...commonOf(signs),
  collects: vitestCollects,
  description: "Vitest 0.34 to 5",
  detect: (project) =>
    detectCommands(project, signs).filter((one) => !/\bvitest (?:bench|list)\b/.test(one.command)),
  varies: "in shuffled order",
  canary: vitestCanary,
  examples: vitestExamples,
  invoke,
  batch: defineBatch(invoke),
});
