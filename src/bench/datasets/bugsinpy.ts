/**
 * BugsInPy: faults of Python projects. Its repository describes each fault in `projects/NAME/bugs/NUMBER`, without the
 * project's code. The base is the fixed commit with the fix undone, so it contains the tests that show the fault.
 */
import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { z } from "zod";
import passAndFail from "../graders/pass-and-fail.ts";
import type { PlacedRow, RowProblem } from "../rows.ts";
import { commitSchema, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";
import { listFolders, readText, rowOfFiles } from "./folder-files.ts";
import { reversiblePatch } from "./reversible-patch.ts";

const rowSchema = z.object({
  dataset: z.literal("bugsinpy"),
  id: taskIdSchema,
  /** `OWNER/NAME` */
  repository: z.string().min(1),
  fixed_commit: commitSchema,
  /** Such as `3.8.3`, or "". */
  python_version: z.string(),
  test_files: z.array(z.string()).min(1),
  /** The commands that run the tests of the fault, one per line. */
  test_commands: z.string(),
  /** The project's packages with exact versions, in pip's format. */
  requirements: z.string(),
  /** Shell commands to run after pip, one per line. */
  setup: z.string(),
  fix: reversiblePatch,
});
type Row = z.infer<typeof rowSchema>;

export default defineDataset({
  name: "bugsinpy",
  description: "Faults of Python projects, from a clone of BugsInPy's repository",
  card: { home: "https://github.com/soarsmu/BugsInPy", paper: "https://doi.org/10.1145/3368089.3417943" },
  recognises: (row) => row["dataset"] === "bugsinpy",
  readFolder,
  row: rowSchema,
  task: (row) => ({
    id: row.id,
    kind: "repair",
    statement: "",
    repository: row.repository,
    baseCommit: row.fixed_commit,
    version: "",
    failingTests: namesOfTests(row),
  }),
  hidden: (row) => ({
    goldPatch: row.fix.given,
    testPatch: "",
    tests: { command: commandOf(row), files: row.test_files, limitMs: undefined },
    lists: undefined,
  }),
  environment: (row) => ({ basePatch: row.fix.reversed, setup: setupOf(row) }),
  grader: passAndFail,
});

function readFolder(folder: string, problems: RowProblem[]): readonly PlacedRow[] | undefined {
  const projects = join(folder, "projects");
  const names = listFolders(projects).filter((name) => existsSync(join(projects, name, "project.info")));
  if (names.length === 0) return undefined;
  return names.flatMap((name) => {
    const bugs = listFolders(join(projects, name, "bugs"));
    return bugs.flatMap((bug) => readBug(join(projects, name), name, bug, problems));
  });
}

function readBug(project: string, name: string, bug: string, problems: RowProblem[]): PlacedRow[] {
  const place = join(project, "bugs", bug);
  if (!existsSync(join(place, "bug.info"))) return [];
  return rowOfFiles(place, problems, () => {
    const { github_url: address = "" } = readFields(readText(project, "project.info"));
    const info = readFields(readText(place, "bug.info"));
    return {
      dataset: "bugsinpy",
      id: `${name}-${bug}`,
      repository: address.replace(/^.*github\.com\//, "").replace(/(?:\.git)?\/*$/, ""),
      fixed_commit: info["fixed_commit_id"],
      python_version: info["python_version"] ?? "",
      test_files: (info["test_file"] ?? "").split(";").filter(Boolean).map(posix.normalize),
      test_commands: readText(place, "run_test.sh"),
      requirements: readText(place, "requirements.txt"),
      setup: readText(place, "setup.sh"),
      fix: readText(place, "bug_patch.txt"),
    };
  });
}

/** `NAME="VALUE"` on each line. */
function readFields(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    [...text.matchAll(/^(\w+)\s*=\s*"([^"]*)"/gm)].map(([, name, value]) => [name, value]),
  );
}

const commands: readonly { form: RegExp; command: string }[] = [
  { form: /^(?:python\S* -m )?(?:pytest|py\.test)\b/, command: "python -m pytest" },
  { form: /^python\S* -m unittest\b/, command: "python -m unittest" },
];

/** The command without its tests; undefined for other commands (`tox`), whose tests Millwright has to find. */
function commandOf(row: Row): string | undefined {
  const [first = ""] = linesOf(row.test_commands);
  return commands.find(({ form }) => form.test(first))?.command;
}

/** `FILE::TEST` of pytest, or `MODULE.CLASS.TEST` of unittest; without them, the files. */
function namesOfTests(row: Row): readonly string[] {
  const words = linesOf(row.test_commands).flatMap((line) => line.split(/\s+/));
  const names = words.filter((word) => /^[\w/.-]+\.py\b|^\w+(?:\.\w+){2,}$/.test(word));
  return names.length === 0 ? row.test_files : names.map((name) => name.replaceAll("//", "/"));
}

/**
 * Makes a virtual environment with the fault's packages. As BugsInPy does, installs the packages one by one if pip
 * cannot install them together, and ignores packages and commands that fail. Installs the project so that its tests
 * import the task's own files, not a copy.
 */
function setupOf(row: Row): string {
  const version = /^3\.\d+/.exec(row.python_version)?.[0] ?? "3";
  const packages = linesOf(row.requirements).filter((line) => !/^(?:#|-e\b|.*\bgit\+)/.test(line));
  const steps = linesOf(row.setup).map((line) =>
    /^python\S* setup\.py (?:install|develop|build)$|^pip\S* install (?:-e )?\.(?!\S)/.test(line)
      ? "pip install --no-deps -e ."
      : line,
  );
  return [
    `export PYENV_VERSION=${version}:system`, // for pyenv, whose programs otherwise refuse to run
    `for python in python${version} python3; do "$python" -m venv .venv && break; done`,
    ". .venv/bin/activate || exit 1",
    "cat > .venv/requirements.txt <<'END'",
    ...packages,
    "END",
    'pip install -r .venv/requirements.txt || while read -r package; do pip install "$package" || :; done < .venv/requirements.txt',
    ...[...new Set(steps)].map((step) => `${step} || :`),
    "python -c 'import pytest' || pip install pytest",
  ].join("\n");
}

function linesOf(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => line.trim() || []);
}
