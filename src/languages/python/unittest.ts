import { folderOf } from "../../base/folder-of.ts";
import { defineTestFramework, type ProjectView, type TestCommand } from "../contract.ts";
import { unittestCanary } from "./python-canary.ts";
import { unittestCollects } from "./python-collection.ts";
import { findInterpreter, formatPythonCommand } from "./python-command.ts";
import { unittestExamples } from "./python-examples.ts";
import { describeCommand, describePythonFramework } from "./python-framework.ts";
import { baseName, findPythonProjects, findWrittenCommands, type PythonProject } from "./python-project.ts";

function detect(project: ProjectView): TestCommand[] {
  const projects = findPythonProjects(project).filter((described) => described.unittestFiles.length > 0);
  const commands = projects.flatMap((described, at) => {
    const likelihood = described.pytestConfig ? 0.35 : described.pytestUse ? 0.45 : 0.7;
    return describeDiscovery(project, described).map((args, place) => {
      const start = [findInterpreter(project, described.directory), "-m", "unittest"];
      const env = described.sourceFolder ? { PYTHONPATH: "src" } : {};
      const command = formatPythonCommand({ env, start, args: ["discover", ...args] });
      const foundBy = described.unittestFiles[0] ?? "";
      return describeCommand(
        "unittest",
        described.directory,
        command,
        foundBy,
        likelihood - at / 50 - place / 100,
      );
    });
  });
  for (const { command, foundBy } of findWrittenCommands(project, "unittest")) {
    const start = [findInterpreter(project, command.directory), "-m", "unittest"];
    const text = formatPythonCommand({ ...command, start });
    if (projects.length > 0)
      commands.push(describeCommand("unittest", command.directory, text, foundBy, 0.72));
  }
  return commands.sort((a, b) => b.likelihood - a.likelihood);
}

/** Lists of arguments of `discover`, one list for each start folder. */
function describeDiscovery(project: ProjectView, described: PythonProject): string[][] {
  const { directory, unittestFiles } = described;
  const prefix = directory === "" ? "" : `${directory}/`;
  const patterns = new Map<string, string[]>();
  for (const file of unittestFiles) {
    const pattern = /^test.*\.py$/.test(baseName(file))
      ? ""
      : baseName(file).replace(/^.*(?=_tests?\.py$)/, "*");
    const start = findStart(project, folderOf(file), prefix);
    const key = `${start}\n${pattern}`;
    patterns.set(key, [...(patterns.get(key) ?? []), file]);
  }
  return [...patterns]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, 2)
    .map(([key]) => {
      const [start = "", pattern = ""] = key.split("\n");
      return [...(start === "" ? [] : ["-s", start]), ...(pattern === "" ? [] : ["-p", pattern])];
    });
}

/**
 * The highest folder from which packages lead down to this folder, because discovery enters only packages. "" is the
 * project's root.
 */
function findStart(project: ProjectView, folder: string, prefix: string): string {
  let start = folder;
  while (start.length > prefix.length && project.read(`${start}/__init__.py`) !== undefined)
    start = folderOf(start);
  return start.length > prefix.length ? start.slice(prefix.length) : "";
}

export default defineTestFramework(
  describePythonFramework({
    name: "unittest",
    description:
      "Python's unittest (3.7 and later), with Millwright's runner, which takes the same arguments",
    detect,
    canary: unittestCanary,
    examples: unittestExamples,
    collects: unittestCollects,
    argvOf: (start, args) => [
      ...start.map((word) => (word === "unittest" ? "millwright_unittest" : word)),
      ...args,
    ],
  }),
);
