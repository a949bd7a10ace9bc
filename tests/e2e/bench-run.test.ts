import { execFileSync } from "node:child_process";
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import {
  makeLedger,
  makeRepository,
  mendLedger,
  startBench,
  writeLines,
  writeTasks,
} from "./bench-fixture.ts";
import { createPlayground, type Playground, type ProgramEnd } from "./millwright.ts";
import { scriptFile } from "./scripted-solve.ts";

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
const lists = {
  failToPass: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
  passToPass: [key("test_moves_the_amount")],
};

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const documentSchema = z.object({
  schema: z.literal("millwright.bench-run/1"),
  arms: z.array(
    z.object({
      strategy: z.string(),
      attempts: z.array(z.object({ resolved: z.int(), infrastructureErrors: z.int(), tasks: z.int() })),
      predictions: z.array(z.string()),
    }),
  ),
  tries: z.array(
    z.object({
      id: z.string(),
      strategy: z.string(),
      outcome: z.string(),
      reason: z.string(),
      verdict: z.string().nullable(),
      run: z.string(),
      known: z.boolean(),
    }),
  ),
});

function readRun(end: ProgramEnd) {
  if (!end.stdout.includes('"millwright.bench-run/1"'))
    throw new Error(`no document: ${end.stdout}\n${end.stderr}`);
  return documentSchema.parse(JSON.parse(end.stdout));
}

/** A model that mends the ledger at once, and says so. */
function writeScript(): string {
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

test("strategies see the statement and the base alone; hidden tests grade their patches, and every task has a prediction", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const tasks = writeTasks(playground, repository, [
    { id: "ledger-1", hidden: { goldPatch, testPatch, lists } },
  ]);
  const [lost = ""] = readFileSync(tasks, "utf8").split("\n");
  const hidden = readFileSync(tasks.replace(".jsonl", ".hidden.jsonl"), "utf8");
  const commit = { baseCommit: "0".repeat(40), id: "lost-1" };
  writeLines(tasks, [JSON.parse(lost), { ...JSON.parse(lost), ...commit }]);
  writeLines(tasks.replace(".jsonl", ".hidden.jsonl"), [
    JSON.parse(hidden),
    { ...JSON.parse(hidden), id: "lost-1" },
  ]);
  const rules = join(playground.folder, "rules.json");
  writeLines(rules, [{ schema: "millwright.environments/1", rules: [{ remove: ["answers/**"] }] }]);
  const arms = ["--strategy", "search-repair", "--strategy", "react", "--model", `scripted:${writeScript()}`];
  const shared = ["--environments", rules, "--workers", "2", "--json"];
  const end = await startBench(playground, "run", tasks, ...arms, ...shared).ended;
  const { tries, arms: told } = readRun(end);
  expect(tries.map(({ id, strategy, outcome }) => [id, strategy, outcome])).toEqual([
    ["ledger-1", "search-repair", "unresolved"],
    ["ledger-1", "react", "resolved"],
    ["lost-1", "search-repair", "infrastructure-error"],
    ["lost-1", "react", "infrastructure-error"],
  ]);
  expect(tries[3]?.reason).toContain("does not have the commit");
  expect(told[1]).toMatchObject({ attempts: [{ tasks: 2, resolved: 1, infrastructureErrors: 1 }] });
  expect(end.stderr).toContain("4 of 4 done, 0 running; 1 of 4 resolved (25.0 %, 95 %: 4.6 to 69.9 %)");
  expect(end.exitCode).toBe(3);

  const bench = join(playground.folder, "bench");
  for (const file of globSync("runs/**", { cwd: bench, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )) {
    const text = readFileSync(join(file.parentPath, file.name), "utf8");
    expect(text, file.name).not.toMatch(/test_empties_an_account|answers\/account/);
  }
  const [environment = ""] = globSync("environments/*/ledger", { cwd: bench });
  const objects = execFileSync("git", ["cat-file", "--batch-all-objects", "--batch-check"], {
    cwd: join(bench, environment),
    encoding: "utf8",
  });
  expect(objects.match(/ commit /g)).toHaveLength(1);
  expect(existsSync(join(bench, environment, "answers"))).toBe(false);

  const [predictions = ""] = told[1]?.predictions ?? [];
  expect(
    readFileSync(predictions, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toMatchObject([
    { instance_id: "ledger-1", model_patch: expect.stringContaining("amount <= available") },
    { instance_id: "lost-1", model_patch: "" },
  ]);
  const only = ["--only", "ledger-1", "--predictions", predictions];
  const graded = await startBench(playground, "grade", tasks, ...only, "--environments", rules).ended;
  expect(graded.stdout).toMatch(/^resolved ledger-1: .*\(known\)$/m);
});

test("goes on after kill -9: what is graded stays, the attempt that was under way ends, and nothing is left behind", async () => {
  const repository = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  const goldPatch = repository.patch((folder) => mendLedger(folder));
  const tasks = writeTasks(
    playground,
    repository,
    ["one", "two"].map((id) => ({ id, hidden: { goldPatch, lists } })),
  );
  const bench = join(playground.folder, "bench");
  const list = (folder: string): string[] =>
    existsSync(join(bench, folder))
      ? readdirSync(join(bench, folder)).filter((name) => !name.endsWith(".part"))
      : [];
  const arm = ["--strategy", "react", "--model", `scripted:${writeScript()}`];
  const program = startBench(playground, "run", tasks, ...arm);
  const isUnderWay = (): boolean =>
    list("runs").some(
      (run) => run.startsWith("two-") && existsSync(join(bench, "runs", run, "events.jsonl")),
    );
  while (!isUnderWay()) await sleep(5);
  const [second = ""] = list("runs").filter((run) => run.startsWith("two-"));
  const lock = readFileSync(join(bench, "runs", second, "lock"), "utf8");
  program.kill("SIGKILL");
  await program.ended;
  const kept = list("results").map((name) => [name, statSync(join(bench, "results", name)).mtimeMs] as const);
  expect(kept).toHaveLength(2);

  const end = await startBench(playground, "run", tasks, ...arm, "--json").ended;
  const { tries } = readRun(end);
  expect(tries).toMatchObject([
    { id: "one", outcome: "resolved", known: true },
    { id: "two", outcome: "resolved", known: false, run: second },
  ]);
  expect(end.exitCode).toBe(0);
  expect(list("results")).toHaveLength(4);
  for (const [name, time] of kept) expect(statSync(join(bench, "results", name)).mtimeMs).toBe(time);
  expect(readFileSync(join(bench, "runs", second, "events.jsonl"), "utf8")).toContain('"run-resumed"');
  expect(list("runs")).toHaveLength(2);
  expect(list("work")).toEqual([]);
  for (const run of list("runs")) {
    expect(existsSync(join(bench, "runs", run, "lock"))).toBe(false);
    expect(existsSync(join(bench, "runs", run, "workspace"))).toBe(false);
  }
  const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(lock));
  expect(existsSync(`/proc/${pid}`)).toBe(false);
  const known = await startBench(playground, "run", tasks, ...arm).ended;
  expect(known.stdout).toContain("2 of 2 resolved (100.0 %");
  expect(known.stdout.match(/; known/g)).toHaveLength(2);
  const anew = await startBench(playground, "run", tasks, ...arm, "--fresh", "--only", "two").ended;
  expect(anew.stdout).toMatch(/^resolved two: (?!.*known)/m);
  expect(readFileSync(join(bench, "runs", second, "events.jsonl"), "utf8")).not.toContain('"run-resumed"');
});
