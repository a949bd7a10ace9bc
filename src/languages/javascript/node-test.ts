import { defineTestFramework } from "../contract.ts";
import { escapePattern } from "./javascript-arguments.ts";
import { defineBatch } from "./javascript-batch.ts";
import { nodeTestCanary } from "./javascript-canary.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { nodeTestExamples } from "./javascript-examples.ts";
import { commonOf } from "./javascript-framework.ts";
import {
  fileWords,
  findCall,
  makeInvocation,
  namedFiles,
  type RunnerRequest,
  runtimeFile,
} from "./javascript-run.ts";
import { literal, type ShellWord } from "./javascript-shell.ts";

const signs: RunnerSigns = {
  framework: "node-test",
  runner: "node",
  standard: "node --test",
  findSign(project, manifest) {
    const prefix = manifest.directory === "" ? "" : `${manifest.directory}/`;
    return project.files
      .filter(
        (file) =>
          file.startsWith(prefix) && /test/i.test(file.slice(prefix.length)) && /\.[cm]?[jt]s$/.test(file),
      )
      .filter((file) => !file.slice(prefix.length).includes("node_modules/"))
      .find((file) => /["']node:test["']/.test(project.read(file) ?? ""));
  },
};

/**
 * In some versions, Node's option for single tests matches only a test's own name. So the name of each group and of
 * each test is a pattern.
 */
function patternsOf(names: readonly string[]): string[] {
  const parts = new Set(
    names.flatMap((name) => [...name.split(" > "), ...name.replace(/ #\d+$/, "").split(" > ")]),
  );
  const full = names.map((name) =>
    name
      .replace(/ #\d+$/, "")
      .split(" > ")
      .map(escapePattern)
      .join(" "),
  );
  const pattern = `^(?:${[...[...parts].map(escapePattern), ...full].join("|")})$`;
  return Buffer.byteLength(pattern) > 60_000 ? [] : [`--test-name-pattern=${pattern}`];
}

function invoke(request: RunnerRequest) {
  const call = findCall(request.project, request.command, "node");
  const [first, ...flags] = call.program;
  const files = namedFiles(request);
  const names = request.selection.kind === "tests" ? request.selection.tests.map((key) => key.name) : [];
  // A file that is a test itself has no names to choose from.
  const isWhole = names.some((name) => name === "" || /\.[cm]?[jt]s$/.test(name));
  // The last one stands in each candidate's suite.
  const patterns = isWhole ? [] : patternsOf(request.batch ? [...names, "millwright"] : names);
  const given = files === undefined ? call.args : optionsOf(call.args);
  const args = [
    literal(runtimeFile(request, "node-test-run.cjs")),
    ...(first ? [first] : []),
    ...flags,
    ...(names.length > 0 ? patterns.map(literal) : []),
    ...given,
    ...(files === undefined ? [] : [literal("--"), ...fileWords(call, files)]),
  ];
  return makeInvocation(request, call, { program: [literal("node")], args });
}

const valued =
  /^(?:-r|--require|--import|--loader|--experimental-loader|-C|--conditions|--env-file|--test-[\w-]+)$/;

function optionsOf(args: readonly ShellWord[]): ShellWord[] {
  return args.filter((word, index) => {
    const before = args[index - 1]?.text ?? "";
    return word.text.startsWith("-") || (valued.test(before) && before !== "--test-only");
  });
}

export default defineTestFramework({
  ...commonOf(signs),
  description: "Node's own test runner, Node 18.15 and later",
  isolates: true,
  canary: nodeTestCanary,
  examples: nodeTestExamples,
  varies: "with the test files in reversed order",
  invoke,
  batch: defineBatch(invoke),
});
