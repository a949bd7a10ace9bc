import { defineTestFramework } from "../contract.ts";
import { namesIn, splitArguments } from "./javascript-arguments.ts";
import { uvuCanary } from "./javascript-canary.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { uvuExamples } from "./javascript-examples.ts";
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
  valued: namesIn("-r --require -i --ignore -C --cwd --import --loader --conditions --env-file"),
  dropped: /^(?:-b|--bail|-c|--color|--no-color)$/,
};

const signs: RunnerSigns = {
  framework: "uvu",
  runner: "uvu",
  standard: "npx uvu",
  findSign: signOf("uvu", []),
};

function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "uvu");
  const { options, positionals } = splitArguments(call.args, rules);
  const files = namedFiles(request);
  // `node -r esm tests/index.js`: a file of tests runs by itself.
  const [first] = call.program;
  const isCommand = /(?:^|[/\s])uvu(?:\.js)?$/.test(call.program.at(-1)?.text ?? "");
  const words = files === undefined ? positionals : fileWords(call, files);
  const args = [
    ...(isCommand || first === undefined ? [] : [literal("--program"), first]),
    ...options,
    ...(files === undefined && isCommand ? [] : [literal("--files")]),
    ...words,
  ];
  const program = [literal("node"), literal(runtimeFile(request, "uvu-run.cjs"))];
  return makeInvocation(request, call, { program, args });
}

export default defineTestFramework({
  ...commonOf(signs),
  description: "uvu 0.3 to 0.5",
  canary: uvuCanary,
  examples: uvuExamples,
  varies: "with the test files in reversed order",
  invoke,
});
