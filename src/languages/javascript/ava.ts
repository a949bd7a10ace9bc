import { defineTestFramework } from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { detectCommands, type RunnerSigns, recogniseCommand } from "./javascript-commands.ts";
import { invokeTap } from "./tap-runs.ts";

const signs: RunnerSigns = {
  framework: "ava",
  runner: "ava",
  standard: "npx ava",
  findSign(_, manifest) {
    return manifest.dependencies.has("ava") ? "package.json devDependencies.ava" : undefined;
  },
};

export default defineTestFramework({
  name: "ava",
  language: "javascript",
  description: "AVA 3 to 6, by its TAP",
  coverage: "none",
  detect: (project) => detectCommands(project, signs),
  recognise: (command, project) => recogniseCommand(command, project, signs),
  invoke: (request) => invokeTap("ava", request),
  parse: parseReportLines,
});
