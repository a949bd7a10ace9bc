/**
 * Shared parts of JavaScript's frameworks. Scripts and manifests name the framework, counters measure coverage, and our
 * reporters send the results.
 */

import { posix } from "node:path";
import type { ProjectView, TestFramework } from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { detectCommands, type RunnerSigns, recogniseCommand } from "./javascript-commands.ts";
import { javascriptComparison } from "./javascript-comparison.ts";
import { javascriptJudging } from "./javascript-judging.ts";
import type { Manifest } from "./package-manifest.ts";

type Common = Pick<
  TestFramework,
  "name" | "language" | "coverage" | "joins" | "detect" | "recognise" | "parse" | "behaviour" | "judging"
>;

export function commonOf(signs: RunnerSigns): Common {
  return {
    name: signs.framework,
    language: "javascript",
    coverage: "counters",
    joins: true,
    judging: javascriptJudging,
    detect: (project) => detectCommands(project, signs),
    recognise: (command, project) => recogniseCommand(command, project, signs),
    parse: parseReportLines,
    behaviour: javascriptComparison,
  };
}

/**
 * Returns a function that finds evidence that a package uses the runner: one of the configuration `files`, or a
 * dependency. Without evidence, the function returns undefined.
 */
export function signOf(
  runner: string,
  files: readonly string[],
): (project: ProjectView, manifest: Manifest) => string | undefined {
  return (project, manifest) => {
    const paths = files.map((file) => posix.join(manifest.directory, file));
    const file = paths.find((path) => project.files.includes(path));
    return file ?? (manifest.dependencies.has(runner) ? `package.json dependency ${runner}` : undefined);
  };
}
