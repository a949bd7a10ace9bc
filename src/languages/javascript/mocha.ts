import { posix } from "node:path";
import { defineTestFramework, type ProjectView } from "../contract.ts";
import { withoutOptions } from "../option-words.ts";
import { namesIn, splitArguments } from "./javascript-arguments.ts";
import { defineBatch } from "./javascript-batch.ts";
import { mochaCanary } from "./javascript-canary.ts";
import { mochaCollects } from "./javascript-collection.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { mochaExamples } from "./javascript-examples.ts";
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
import type { Manifest } from "./package-manifest.ts";

const rules = {
  valued:
    namesIn(`-r --require -R --reporter -O --reporter-option --reporter-options -t --timeout --timeouts -s --slow
    -g --grep -f --fgrep -u --ui --opts --config -c --package --extension --file --ignore --exclude --spec --watch-files
    --watch-ignore -j --jobs --retries -n --node-option --loader --import --experimental-loader --compilers --conditions`),
  dropped:
    /^(?:-R|--reporter|-O|--reporter-options?|-t|--timeouts?|-w|--watch|--watch-files|--watch-ignore|-b|--bail|-p|--parallel|-j|--jobs|--growl|-G)$/,
};

const signs: RunnerSigns = {
  framework: "mocha",
  runner: "mocha",
  standard: "npx mocha",
  findSign: signOf(
    "mocha",
    ["js", "cjs", "json", "jsonc", "yml", "yaml"].map((ending) => `.mocharc.${ending}`),
  ),
};

/** True if the configuration makes mocha run several processes at once. Each of them would need a reporter. */
function runsParallel(project: ProjectView, directory: string, manifest: Manifest | undefined): boolean {
  const configured = project.files.filter(
    (file) =>
      posix.basename(file).startsWith(".mocharc") &&
      (posix.dirname(file) === "." || file.startsWith(directory)),
  );
  const texts = [
    ...configured.map((file) => project.read(file) ?? ""),
    JSON.stringify(manifest?.content["mocha"] ?? ""),
  ];
  return texts.some((text) => /\bparallel\b/.test(text));
}

function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "mocha");
  const split = splitArguments(call.args, rules);
  const files = namedFiles(request);
  const given = Number(split.droppedValues.get("timeout") ?? split.droppedValues.get("t") ?? 0);
  const limit = Math.max(request.testTimeoutMs, Number.isFinite(given) ? given : 0);
  const args = [
    // Before what the project has loaded first, which may load the code under test.
    literal("--require"),
    literal(runtimeFile(request, "take-key.cjs")),
    ...(request.selection.kind === "tests"
      ? withoutOptions(split.options, /^(?:-[gfi]|--(?:grep|fgrep|invert))$/)
      : split.options),
    literal("--reporter"),
    literal(runtimeFile(request, "mocha-reporter.cjs")),
    literal("--timeout"),
    literal(String(limit)),
    ...(runsParallel(request.project, call.directory, undefined) ? [literal("--no-parallel")] : []),
    ...(request.stopAtFirstFailure ? [literal("--bail")] : []),
    ...(files === undefined ? split.positionals : fileWords(call, files)),
  ];
  return makeInvocation(request, call, { program: call.program, args });
}

export default defineTestFramework({
  ...commonOf(signs),
  collects: mochaCollects,
  description: "Mocha 4 to 12",
  varies: "in reversed order",
  canary: mochaCanary,
  examples: mochaExamples,
  invoke,
  batch: defineBatch(invoke),
});
