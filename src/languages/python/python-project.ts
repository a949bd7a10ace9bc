/** Reads a repository's Python projects and the commands of their tests from its files. */
import { folderOf } from "../../base/folder-of.ts";
import type { ProjectView } from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { type PythonCommand, readPythonCommand } from "./python-command.ts";

/** Maximum number of test files whose imports Millwright reads. More files would add nothing. */
const mostRead = 60;

export interface PythonProject {
  /** The folder in which the tests run, relative to the root. */
  readonly directory: string;
  /** Test files, relative to the root. */
  readonly testFiles: readonly string[];
  /** The file that configures pytest in the folder, such as `pytest.ini`; undefined if there is none. */
  readonly pytestConfig: string | undefined;
  /** Evidence for pytest: a test file that imports it or has test functions, or a requirement that names it. */
  readonly pytestUse: string | undefined;
  /** Test files with unittest's classes. */
  readonly unittestFiles: readonly string[];
  /** True if the packages are in the folder `src`, where imports find them only after an installation. */
  readonly sourceFolder: boolean;
}

const manifests = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini"];

/**
 * Finds the Python projects of a repository: the root, and up to three folders with tests and their own manifest. If
 * these folders have a manifest but the root has none, the root comes last. Empty if the repository has no Python
 * tests.
 */
export function findPythonProjects(project: ProjectView): readonly PythonProject[] {
  const python = project.files.filter((file) => file.endsWith(".py"));
  const tests = python.filter(isTestFile);
  if (tests.length === 0) return [];
  const rootManifest = manifests.some((name) => project.read(name) !== undefined);
  const below = project.files
    .filter((file) => file.includes("/") && manifests.includes(baseName(file)) && !isForeign(file))
    .map(folderOf)
    .filter((folder) => tests.some((test) => test.startsWith(`${folder}/`)));
  const folders = [...new Set(below)].sort((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1)).slice(0, 3);
  const directories = rootManifest || folders.length === 0 ? ["", ...folders] : [...folders, ""];
  return directories.map((directory) => describeProject(project, directory, tests));
}

function describeProject(project: ProjectView, directory: string, tests: readonly string[]): PythonProject {
  const prefix = directory === "" ? "" : `${directory}/`;
  const testFiles = tests.filter((test) => test.startsWith(prefix));
  const read = testFiles.slice(0, mostRead).map((file) => ({ file, text: project.read(file) ?? "" }));
  const pytestUse =
    read.find(({ text }) => /^[ \t]*(import pytest|from pytest\b)/m.test(text))?.file ??
    read.find(({ text }) => /^(async )?def test/m.test(text))?.file ??
    findRequirement(project, prefix);
  return {
    directory,
    testFiles,
    pytestConfig: findPytestConfig(project, prefix),
    pytestUse,
    unittestFiles: read.filter(({ text }) => /\bTestCase\b/.test(text)).map(({ file }) => file),
    sourceFolder: project.files.some((file) => {
      if (!file.startsWith(`${prefix}src/`) || !file.endsWith(".py")) return false;
      const rest = file.slice(prefix.length + 4);
      return !rest.includes("/") || /^[^/]+\/[^/]+$/.test(rest);
    }),
  };
}

function findPytestConfig(project: ProjectView, prefix: string): string | undefined {
  const signs: readonly (readonly [string, RegExp])[] = [
    ["pytest.ini", /./],
    [".pytest.ini", /./],
    ["pyproject.toml", /^\[tool\.pytest(\.ini_options)?\]/m],
    ["tox.ini", /^\[pytest\]/m],
    ["setup.cfg", /^\[tool:pytest\]/m],
    ["conftest.py", /./],
    ["tests/conftest.py", /./],
    ["test/conftest.py", /./],
  ];
  return signs
    .map(([name, sign]) => ({ path: prefix + name, sign }))
    .find(({ path, sign }) => {
      const text = project.read(path);
      return (
        text !== undefined && (path.endsWith(".ini") && !path.endsWith("tox.ini") ? true : sign.test(text))
      );
    })?.path;
}

function findRequirement(project: ProjectView, prefix: string): string | undefined {
  const files = project.files.filter(
    (file) =>
      file.startsWith(prefix) &&
      (/^(requirements|dev-requirements|test-requirements)[\w.-]*\.(txt|in)$/.test(baseName(file)) ||
        ["pyproject.toml", "setup.py", "setup.cfg", "tox.ini", "Pipfile", "environment.yml"].includes(
          baseName(file),
        )),
  );
  return files.slice(0, 20).find((file) => /\bpytest\b/.test(project.read(file) ?? ""));
}

/**
 * Returns at most four written commands that start the runner, the most trusted first. `foundBy` names the place of
 * each. Leaves out commands whose arguments contain placeholders.
 */
export function findWrittenCommands(
  project: ProjectView,
  runner: string,
): readonly { command: PythonCommand; foundBy: string }[] {
  const found = new Map<string, { command: PythonCommand; foundBy: string }>();
  for (const { text, directory, env, foundBy } of listWrittenCommands(project)) {
    const command = readPythonCommand(text, project, directory);
    if (command?.runner !== runner || command.args.some((word) => /[{}$]/.test(word))) continue;
    const id = JSON.stringify([command.directory, command.args]);
    if (!found.has(id))
      found.set(id, { command: { ...command, env: { ...pathOf(env), ...command.env } }, foundBy });
  }
  return [...found.values()].slice(0, 4);
}

/** Keeps the variables of a CI job that locate modules and settings. Other variables belong to the job itself. */
function pathOf(env: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name, value]) => /^PYTHONPATH$|_SETTINGS_MODULE$/.test(name) && !/^\/|[$`]/.test(value),
    ),
  );
}

export function isTestFile(path: string): boolean {
  return /^(test_.*|.*_tests?|tests?)\.py$/.test(baseName(path)) && !isForeign(path);
}

function isForeign(path: string): boolean {
  return /(^|\/)(node_modules|site-packages|vendor|third_party|\.tox|\.venv|venv|[\w.-]*-v?\d+\.\d+\.\d+)\//.test(
    path,
  );
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function depth(folder: string): number {
  return folder.split("/").length;
}
