import { defineTestFramework } from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { namesIn, splitArguments } from "./javascript-arguments.ts";
import { detectCommands, type RunnerSigns, recogniseCommand } from "./javascript-commands.ts";
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
  findSign(_, manifest) {
    return manifest.dependencies.has("uvu") ? "package.json devDependencies.uvu" : undefined;
  },
};

function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "uvu");
  const { options, positionals } = splitArguments(call.args, rules);
  const files = namedFiles(request.selection);
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
  name: "uvu",
  language: "javascript",
  description: "uvu 0.3 to 0.5",
  coverage: "counters",
  detect: (project) => detectCommands(project, signs),
  recognise: (command, project) => recogniseCommand(command, project, signs),
  invoke,
  parse: parseReportLines,
});
