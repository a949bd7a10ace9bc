import { defineTestFramework } from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { detectCommands, type RunnerSigns, recogniseCommand } from "./javascript-commands.ts";
import { invokeTap } from "./tap-runs.ts";

const signs: RunnerSigns = {
  framework: "tape",
  runner: "tape",
  standard: "npx tape",
  findSign(_, manifest) {
    return manifest.dependencies.has("tape") ? "package.json devDependencies.tape" : undefined;
  },
};

export default defineTestFramework({
  name: "tape",
  language: "javascript",
  description: "tape 4 and 5, by its TAP",
  coverage: "counters",
  detect: (project) => detectCommands(project, signs),
  recognise: (command, project) => recogniseCommand(command, project, signs),
  invoke: (request) => invokeTap("tape", request),
  parse: parseReportLines,
});
