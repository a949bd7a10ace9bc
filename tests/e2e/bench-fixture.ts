/** Tasks on small repositories: a base commit without the tests that show the fault, patches made by git, files of tasks. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import type { Playground, ProgramEnd } from "./millwright.ts";
import { scriptFile } from "./scripted-solve.ts";

export interface TaskRepository {
  readonly folder: string;
  readonly name: string;
  readonly baseCommit: string;
  /** The patch that the change makes of the base; the folder is put back. */
  patch(change: (folder: string) => void): string;
}

/** `prepare` makes the base of the fixture's files; the repository lies in `repositories/OWNER__NAME`. */
export function makeRepository(
  playground: Playground,
  fixture: string,
  name: string,
  prepare: (folder: string) => void,
): TaskRepository {
  const folder = join(playground.folder, "repositories", name.replace("/", "__"));
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(playground.copyRepository(fixture), folder);
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  prepare(folder);
  git("add", "-A");
  git("commit", "-q", "--allow-empty", "-m", "The base of the tasks");
  return {
    folder,
    name,
    baseCommit: git("rev-parse", "HEAD").trim(),
    patch(change) {
      change(folder);
      git("add", "-A");
      const patch = git("diff", "--cached", "--binary");
      git("reset", "-q", "--hard");
      return patch;
    },
  };
}

/** A repository with one commit of these texts, by path. */
export function writeRepository(
  playground: Playground,
  name: string,
  files: Readonly<Record<string, string>>,
): string {
  const folder = join(playground.folder, name);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    [...author, "commit", "-q", "-m", "Begin"],
  ])
    execFileSync("git", args, { cwd: folder });
  return folder;
}

export function replaceIn(folder: string, file: string, from: string, to: string): void {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  if (!text.includes(from)) throw new Error(`${file} does not have ${from}`);
  writeFileSync(path, text.replace(from, to));
}

export interface TaskText {
  readonly id: string;
  readonly setup?: string;
  readonly statement?: string;
  /** Instead of the repository of all tasks. */
  readonly repository?: TaskRepository;
  readonly hidden: { readonly goldPatch: string } & Readonly<Record<string, unknown>>;
}

/** A file of tasks in Millwright's format, with the hidden parts beside it; unittest runs the tests where they say nothing. */
export function writeTasks(
  playground: Playground,
  repository: TaskRepository,
  tasks: readonly TaskText[],
): string {
  const path = join(playground.folder, "tasks.jsonl");
  const visible = tasks.map(({ id, setup, statement = "It does not do what it says.", ...own }) => ({
    schema: "millwright.task/1",
    id,
    kind: "repair",
    statement,
    repository: (own.repository ?? repository).name,
    baseCommit: (own.repository ?? repository).baseCommit,
    ...(setup === undefined ? {} : { setup }),
  }));
  const hidden = tasks.map((task) => ({
    schema: "millwright.hidden/1",
    id: task.id,
    testCommand: "python3 -m unittest",
    ...task.hidden,
  }));
  writeLines(path, visible);
  writeLines(path.replace(".jsonl", ".hidden.jsonl"), hidden);
  return path;
}

export function writeLines(path: string, lines: readonly unknown[]): void {
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

export function startBench(playground: Playground, command: string, tasks: string, ...args: string[]) {
  const repositories = join(playground.folder, "repositories");
  const directory = join(playground.folder, "bench");
  return playground.start([
    "bench",
    command,
    tasks,
    "--repositories",
    repositories,
    "--bench-dir",
    directory,
    ...args,
  ]);
}

const documentSchema = z.object({
  schema: z.string(),
  counts: z.record(z.string(), z.number()),
  tasks: z.array(z.record(z.string(), z.unknown())),
});

/** The document of `--json`, its tasks by id. */
export function readDocument(end: ProgramEnd): {
  counts: Record<string, number>;
  tasks: Record<string, Record<string, unknown>>;
} {
  if (end.stdout === "") throw new Error(`nothing was printed: ${end.stderr}`);
  const { counts, tasks } = documentSchema.parse(JSON.parse(end.stdout));
  return { counts, tasks: Object.fromEntries(tasks.map((task) => [String(task["id"]), task])) };
}

const whole = "tests/test_transfer.py";
const emptyTest = `
    def test_empties_an_account(self):
        rent, salary = Account("rent"), Account("salary", 100)
        self.assertTrue(transfer(salary, rent, 100))
        self.assertEqual(salary.balance, 0)
`;
const overdraftTest = `
    def test_uses_the_whole_overdraft(self):
        rent, salary = Account("rent"), Account("salary", 10, overdraft=90)
        self.assertTrue(transfer(salary, rent, 100))
`;

export interface LedgerTasks {
  readonly repository: TaskRepository;
  /** Adds the tests that show the fault. */
  readonly testPatch: string;
  readonly goldPatch: string;
  readonly testFile: string;
}

export function mendLedger(folder: string, part = "ledger"): void {
  replaceIn(folder, `${part}/account.py`, "amount < available", "amount <= available");
}

/**
 * A Python repository whose base lacks the tests that show its fault, and has the answer in `answers/`; `*.tmp` is ignored by
 * git.
 */
export function makeLedger(playground: Playground): LedgerTasks {
  const repository = makeRepository(playground, "repair-python", "acme/ledger", (folder) => {
    replaceIn(folder, whole, emptyTest, "");
    replaceIn(folder, whole, overdraftTest, "");
    writeFileSync(join(folder, ".gitignore"), "*.tmp\n");
    cpSync(join(folder, "ledger"), join(folder, "answers"), { recursive: true });
    mendLedger(folder, "answers");
  });
  const anchor = "\n    def test_never_goes_beyond_the_overdraft";
  return {
    repository,
    testPatch: repository.patch((folder) =>
      replaceIn(folder, whole, anchor, `${emptyTest}${overdraftTest}${anchor}`),
    ),
    goldPatch: repository.patch((folder) => mendLedger(folder)),
    testFile: whole,
  };
}

/** A model that mends the ledger at once, and says so. */
export function writeLedgerScript(playground: Playground): string {
  const path = join(playground.folder, "script.json");
  const call = (name: string, input: object) => ({
    role: "editing",
    calls: [{ name, input }],
    times: "always" as const,
  });
  const change = { path: "ledger/account.py", old: "amount < available", new: "amount <= available" };
  const edit = { ...call("str_replace", change), contains: "can_cover" };
  const answers = [
    call("view", { path: "ledger/account.py" }),
    edit,
    call("submit", { summary: "it covers all" }),
  ];
  writeFileSync(path, scriptFile(answers.map((answer) => ({ ...answer, times: 1 }))));
  return path;
}
