import { defineTestFramework } from "../contract.ts";
import { splitArguments } from "./javascript-arguments.ts";
import { jasmineCanary } from "./javascript-canary.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { jasmineExamples } from "./javascript-examples.ts";
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
  valued: new Set<string>(),
  dropped: /^--(?:reporter|random|seed|fail-fast|stop-on-failure|parallel|color|no-color|verbose)$/,
};

const signs: RunnerSigns = {
  framework: "jasmine",
  runner: "jasmine",
  standard: "npx jasmine",
  findSign: signOf(
    "jasmine",
    ["json", "js", "mjs"].map((ending) => `spec/support/jasmine.${ending}`),
  ),
};

/** Runs tests in the order of the files, because a random order would differ in each run. */
function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "jasmine");
  const { options, positionals } = splitArguments(call.args, rules);
  const files = namedFiles(request);
  const args = [
    ...options,
    ...(request.varied === true
      ? [literal("--random=true"), literal("--seed=4711")]
      : [literal("--random=false")]),
    literal(`--helper=${runtimeFile(request, "jasmine-helper.cjs")}`),
    ...(request.stopAtFirstFailure ? [literal("--fail-fast")] : []),
    ...(files === undefined ? positionals : fileWords(call, files)),
  ];
  return makeInvocation(request, call, { program: call.program, args });
}

export default defineTestFramework({
  ...commonOf(signs),
  description: "Jasmine 4 and 5",
  varies: "in shuffled order",
  canary: jasmineCanary,
  examples: jasmineExamples,
  invoke,
});
