/**
 * Finds programs and packages that a project's tests need but that this machine lacks. Searches the output of a run,
 * and the project's files.
 */
import { posix } from "node:path";
import type { MissingPart, ProjectView, TestCommand } from "../contract.ts";
import { readManifest } from "../javascript/package-manifest.ts";
import { installPackages, missingSigns } from "./missing-signs.ts";

/** Finds the missing part that explains a failed run; undefined if none is known. */
export function findMissingPart(
  project: ProjectView,
  command: TestCommand,
  output: string,
): MissingPart | undefined {
  return (
    findPackages(project, command) ??
    findSaid(project, command, output) ??
    findProgram(output) ??
    findSubmodule(project)
  );
}

/** Finds missing JavaScript packages: without `node_modules`, no test of a project runs. */
function findPackages(project: ProjectView, command: TestCommand): MissingPart | undefined {
  if (!/^(?:jest|mocha|vitest|node-test|tape|tap|ava|uvu|jasmine)$/.test(command.framework)) return undefined;
  const manifest = readManifest(project, command.directory) ?? readManifest(project, "");
  if (manifest === undefined || manifest.dependencies.size === 0) return undefined;
  const folders = [command.directory, ""].map((folder) => posix.join(folder, "node_modules"));
  if (folders.some((folder) => project.exists(folder))) return undefined;
  return {
    what: "the packages of package.json are not installed (there is no node_modules)",
    remedy: installPackages(project, manifest.directory),
  };
}

function findSaid(project: ProjectView, command: TestCommand, output: string): MissingPart | undefined {
  for (const { pattern, explain } of missingSigns) {
    const found = pattern.exec(output);
    const part = found && explain(found, project, command);
    if (part) return part;
  }
  return undefined;
}

/** Finds the missing program in a message of the shell or of `exec`. */
function findProgram(output: string): MissingPart | undefined {
  const found = absentProgram(output);
  return found ? { what: `the program ${found[1]} is not on the PATH`, remedy: "install it" } : undefined;
}

function absentProgram(output: string): RegExpExecArray | null {
  return (
    /(?:sh|env|bash): (?:\d+: |line \d+: )?(?:exec: )?[‘'"]?([\w./+-]+)[’'"]?: (?:command )?not found/.exec(
      output,
    ) ??
    /env: [‘'"]?([\w./+-]+)[’'"]?: No such file or directory/.exec(output) ??
    /(?:spawn|execvp?)\s+([\w./+-]+)\S*:? (?:ENOENT|No such file)/.exec(output)
  );
}

/**
 * Describes the program or Python module of a test command whose absence kept the command from starting at all.
 * Undefined if another cause is likely.
 */
export function findAbsentRunner(
  command: string,
  exitCode: number | null,
  output: string,
): string | undefined {
  const words = command.split(/[\s;&|()'"]+/);
  const [, module = ""] = /^\S*python[\d.]*(?:\.exe)?: No module named ['"]?([\w.]+)/m.exec(output) ?? [];
  if (words.includes(module)) return `the module ${module} is not installed`;
  const [, program = ""] = exitCode === 127 ? (absentProgram(output) ?? []) : [];
  return words.includes(program) ? `the program ${program} is not on the PATH` : undefined;
}

/** Finds a submodule that nobody checked out: git knows it as a folder without files. */
function findSubmodule(project: ProjectView): MissingPart | undefined {
  const paths = [...(project.read(".gitmodules") ?? "").matchAll(/^[ \t]*path[ \t]*=[ \t]*(\S+)/gm)].map(
    ([, path = ""]) => path,
  );
  const empty = paths.find(
    (path) => !project.files.some((file) => file.startsWith(`${path}/`)) && !project.exists(`${path}/.git`),
  );
  return empty === undefined
    ? undefined
    : { what: `the submodule ${empty} is not checked out`, remedy: "run `git submodule update --init`" };
}
