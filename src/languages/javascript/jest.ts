import { posix } from "node:path";
import { defineTestFramework } from "../contract.ts";
import { withoutOptions } from "../option-words.ts";
import { namePattern, namesIn, patternOfNames, splitArguments } from "./javascript-arguments.ts";
import { defineBatch } from "./javascript-batch.ts";
import { jestCanary } from "./javascript-canary.ts";
import { jestCollects } from "./javascript-collection.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { jestExamples } from "./javascript-examples.ts";
import { commonOf } from "./javascript-framework.ts";
import {
  fileWords,
  findCall,
  makeInvocation,
  namedFiles,
  type RunnerRequest,
  runtimeFile,
} from "./javascript-run.ts";
import { literal } from "./javascript-shell.ts";
import { readManifest, versionOf } from "./package-manifest.ts";

const rules = {
  valued:
    namesIn(`-c --config -t --testNamePattern --testPathPattern --testPathPatterns --testPathIgnorePatterns --rootDir
    --roots --env --testEnvironment -w --maxWorkers --reporters --coverageDirectory --collectCoverageFrom --coverageReporters
    --coverageProvider --selectProjects --projects --setupFiles --setupFilesAfterEnv --testTimeout --testMatch --testRegex
    --shard --outputFile --testRunner --preset --cacheDirectory --testSequencer --changedSince --bail-after --filter
    --globalSetup --globalTeardown --testResultsProcessor --moduleNameMapper --transform --maxConcurrency --seed`),
  dropped:
    /^(?:--reporters|--testResultsProcessor|--ci|--watch|--watchAll|--watchman|--coverage|--collectCoverage|--coverage\w+|--collectCoverageFrom|--json|--outputFile|-o|--onlyChanged|--changedSince|-u|--updateSnapshot|-b|--bail|--verbose|--silent|--notify|--shard|--no-coverage|--no-watch\w*)$/,
};

const signs: RunnerSigns = {
  framework: "jest",
  runner: "jest",
  standard: "npx jest",
  findSign(project, manifest) {
    const file = ["js", "ts", "mjs", "cjs", "json"]
      .map((ending) => posix.join(manifest.directory, `jest.config.${ending}`))
      .find((path) => project.files.includes(path));
    if (file !== undefined) return file;
    if (manifest.content["jest"] !== undefined) return "package.json jest";
    return manifest.dependencies.has("jest") ? "package.json dependency jest" : undefined;
  },
};

function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "jest");
  const { options, positionals } = splitArguments(call.args, rules);
  const files = namedFiles(request);
  const names = request.selection.kind === "tests" ? request.selection.tests.map((key) => key.name) : [];
  const pattern = names.length > 0 ? patternOfNames(names) : undefined;
  const isLimited = options.some((word) => /^(?:-i|--runInBand|-w|--maxWorkers)(?:=|$)/.test(word.text));
  // Patterns of paths could exclude requested tests.
  const found = files === undefined ? options : withoutOptions(options, /^--testPathPatterns?$/);
  const args = [
    ...(pattern === undefined ? found : withoutOptions(found, namePattern)),
    literal("--ci"),
    literal("--coverage=false"),
    literal(`--reporters=${runtimeFile(request, "jest-reporter.cjs")}`),
    ...(isLimited ? [] : [literal("--maxWorkers=2")]),
    ...(request.varied === true && canShuffle(request, call.directory)
      ? [literal("--randomize"), literal("--seed=4711")]
      : []),
    ...(request.stopAtFirstFailure ? [literal("--bail=1")] : []),
    ...(pattern === undefined ? [] : [literal(`--testNamePattern=${pattern}`)]),
    ...(files === undefined ? positionals : [literal("--runTestsByPath"), ...fileWords(call, files)]),
  ];
  return makeInvocation(request, call, { program: call.program, args });
}

/** True for Jest 29.2 and later, because earlier versions refuse the option. */
function canShuffle({ project }: RunnerRequest, directory: string): boolean {
  const manifests = [directory, ""].map((folder) => readManifest(project, folder));
  const wanted = manifests.flatMap((manifest) => versionOf(manifest, "jest") ?? [])[0] ?? "";
  const [, major = 0, minor = 0] = /(\d+)(?:\.(\d+))?/.exec(wanted)?.map(Number) ?? [];
  return major > 29 || (major === 29 && minor >= 2);
}

export default defineTestFramework({
  ...commonOf(signs),
  collects: jestCollects,
  description: "Jest 24 to 30",
  isolates: true,
  varies: "in shuffled order (Jest 29.2 or later)",
  canary: jestCanary,
  examples: jestExamples,
  invoke,
  batch: defineBatch(invoke),
});
