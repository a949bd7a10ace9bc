import { defineTestFramework } from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { detectCommands, type RunnerSigns, recogniseCommand } from "./javascript-commands.ts";
import { invokeTap } from "./tap-runs.ts";

const signs: RunnerSigns = {
  framework: "tap",
  runner: "tap",
  standard: "npx tap",
  findSign(_, manifest) {
    return manifest.dependencies.has("tap") ? "package.json devDependencies.tap" : undefined;
  },
};

export default defineTestFramework({
  name: "tap",
  language: "javascript",
  description: "node-tap 12 to 21, by its TAP",
  coverage: "none",
  detect: (project) => detectCommands(project, signs),
  recognise: (command, project) => recogniseCommand(command, project, signs),
  invoke: (request) => invokeTap("tap", request),
  parse: parseReportLines,
});
