import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { processStartTime } from "../../src/base/process-identity.ts";
import { runWorkSchema } from "../../src/bench/work/run-work.ts";
import { makeLedger, startBench, writeLedgerScript, writeLines, writeTasks } from "./bench-fixture.ts";
import { createPlayground, type Playground, type ProgramEnd } from "./millwright.ts";
import { openToOthers } from "./whole-record.ts";

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
      work: runWorkSchema.optional(),
    }),
  ),
});

function readRun(end: ProgramEnd) {
  if (!end.stdout.includes('"millwright.bench-run/1"'))
    throw new Error(`no document: ${end.stdout}\n${end.stderr}`);
  return documentSchema.parse(JSON.parse(end.stdout));
}

/** Goes through the whole life of a batch once: whole runs are dear. */
test("attempts see the statement and the base alone, hidden tests grade their patches, and a killed batch goes on", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const hidden = { goldPatch, testPatch, lists };
  const tasks = writeTasks(playground, repository, [
    { id: "ledger-1", hidden },
    { id: "lost-1", hidden },
  ]);
  loseCommit(tasks);
  const rules = join(playground.folder, "rules.json");
  writeLines(rules, [{ schema: "millwright.environments/1", rules: [{ remove: ["answers/**"] }] }]);
  const react = [
    "--kind",
    "auto",
    "--strategy",
    "react",
    "--model",
    `scripted:${writeLedgerScript(playground)}`,
    "--environments",
    rules,
  ];
  const arms = ["--strategy", "search-repair", ...react];
  const bench = join(playground.folder, "bench");
  const list = (folder: string): string[] =>
    existsSync(join(bench, folder))
      ? readdirSync(join(bench, folder)).filter((name) => !name.endsWith(".part"))
      : [];

  const killed = startBench(playground, "run", tasks, ...arms);
  const findSecond = (): string | undefined =>
    list("runs").find(
      (run) => run.startsWith("react-1-") && existsSync(join(bench, "runs", run, "events.jsonl")),
    );
  while (findSecond() === undefined) await sleep(5);
  const second = join(bench, "runs", findSecond() ?? "");
  const { pid } = z.object({ pid: z.int() }).parse(JSON.parse(readFileSync(join(second, "lock"), "utf8")));
  killed.kill("SIGKILL");
  await killed.ended;
  const kept = list("results").map((name) => [name, statSync(join(bench, "results", name)).mtimeMs] as const);
  expect(kept).toHaveLength(2); // the first attempt and its grading

  const end = await startBench(playground, "run", tasks, ...arms, "--json").ended;
  const { tries, arms: told } = readRun(end);
  expect(tries.map(({ id, strategy, outcome, known }) => [id, strategy, outcome, known])).toEqual([
    ["ledger-1", "search-repair", "unresolved", true],
    ["ledger-1", "react", "resolved", false],
    ["lost-1", "search-repair", "infrastructure-error", false],
    ["lost-1", "react", "infrastructure-error", false],
  ]);
  expect(tries[3]?.reason).toContain("does not have the commit");
  // The figures of each attempt's work come from its run.
  const located = { from: "none", files: 0, file: false };
  expect(tries[0]?.work).toMatchObject({ parts: [], sequences: [], located });
  const used = tries[1]?.work?.parts.map(({ name, uses }) => `${name} ${uses}`);
  expect(used?.sort()).toEqual(["str_replace 1", "submit 1", "view 1"]);
  expect(tries[3]).not.toHaveProperty("work");
  expect(told[1]).toMatchObject({ attempts: [{ tasks: 2, resolved: 1, infrastructureErrors: 1 }] });
  expect(end.stderr).toContain(
    "4 of 4 done, 0 running; 1 of 4 resolved (25.0 %, 95 % interval: 4.6 to 69.9 %)",
  );
  expect(end.exitCode).toBe(3);

  expect(list("results")).toHaveLength(4);
  for (const [name, time] of kept) expect(statSync(join(bench, "results", name)).mtimeMs).toBe(time);
  expect(readFileSync(join(second, "events.jsonl"), "utf8")).toContain('"run-resumed"');
  // It was not told of which kind the task is.
  expect(JSON.parse(readFileSync(join(second, "run.json"), "utf8"))).toHaveProperty(
    "kindByRule.kind",
    "repair",
  );
  expect(list("runs")).toHaveLength(2);
  expect(list("work")).toEqual([]);
  for (const left of ["lock", "workspace"])
    expect(list("runs").filter((run) => existsSync(join(bench, "runs", run, left)))).toEqual([]);
  // One that nobody has waited for yet counts as ended; a killed one may still be closing its files.
  await vi.waitFor(() => expect(processStartTime(pid)).toBeUndefined(), 10_000);

  for (const folder of ["runs", "results", "logs"])
    expect(openToOthers(join(bench, folder)), folder).toEqual([]);
  for (const folder of globSync(["work", "environments", "environments/*"], { cwd: bench }))
    expect(statSync(join(bench, folder)).mode & 0o077, folder).toBe(0);
  for (const entry of globSync("runs/**", { cwd: bench, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const text = readFileSync(join(entry.parentPath, entry.name), "utf8");
    expect(text, entry.name).not.toMatch(/test_empties_an_account|answers\/account/);
  }
  const [environment = ""] = globSync("environments/*/ledger", { cwd: bench });
  const objects = execFileSync("git", ["cat-file", "--batch-all-objects", "--batch-check"], {
    cwd: join(bench, environment),
    encoding: "utf8",
  });
  expect(objects.match(/ commit /g)).toHaveLength(1);
  expect(existsSync(join(bench, environment, "answers"))).toBe(false);

  const [predictions = ""] = told[1]?.predictions ?? [];
  const lines = readFileSync(predictions, "utf8").trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { instance_id: "ledger-1", model_patch: expect.stringContaining("amount <= available") },
    { instance_id: "lost-1", model_patch: "" },
  ]);

  const anew = await startBench(playground, "run", tasks, ...react, "--fresh", "--only", "ledger-1").ended;
  expect(anew.stdout).toMatch(/^resolved ledger-1: (?!.*known)/m);
  expect(readFileSync(join(second, "events.jsonl"), "utf8")).not.toContain('"run-resumed"');
});

test("spends nothing on a task that nothing could grade", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const tasks = writeTasks(playground, repository, [{ id: "unlisted", hidden: { goldPatch, testPatch } }]);
  const end = await startBench(playground, "run", tasks).ended;
  expect(end.stderr).toContain("Lists of fail-to-pass and pass-to-pass tests are missing for unlisted");
  expect(end.exitCode).toBe(2);
});

test("a setup's mirror that does not answer stops only the unfinished tries that need it", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const hidden = { goldPatch, testPatch, lists };
  const tasks = writeTasks(playground, repository, [
    { id: "ledger-1", setup: "true", hidden },
    { id: "ledger-2", hidden },
  ]);
  const run = (port: number, ...more: string[]) => {
    const env = { PIP_INDEX_URL: `http://me:secret@127.0.0.1:${port}/simple` };
    const places = ["--repo", repository.folder, "--bench-dir", join(playground.folder, "bench")];
    const flags = ["--setup-variable", "PIP_INDEX_URL", "--strategy", "search-repair", "--json"];
    return playground.start(["bench", "run", tasks, ...places, ...flags, ...more], { env }).ended;
  };
  const lack = /setups need 127\.0\.0\.1:9 \(PIP_INDEX_URL\), which does not answer: .*ECONNREFUSED/;
  const closed = await run(9);
  expect(closed.exitCode).toBe(3);
  expect(readRun(closed).tries).toMatchObject([
    { id: "ledger-1", outcome: "infrastructure-error", reason: expect.stringMatching(lack) },
    { id: "ledger-2", outcome: "unresolved" },
  ]);
  const alone = await run(9, "--only", "ledger-1");
  expect(alone.exitCode).toBe(3);
  expect(alone.stderr).toMatch(/The batch cannot start on this machine: setups need /);
  expect(alone.stderr).toContain("Start this service or correct the variable PIP_INDEX_URL.");
  expect(`${closed.stdout}${closed.stderr}${alone.stderr}`).not.toContain("secret");
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const open = await run(address !== null && typeof address === "object" ? address.port : 0);
  server.close();
  expect(open.exitCode, open.stderr).toBe(0);
  const again = await run(9);
  expect(again.exitCode, again.stderr).toBe(0);
});

/** The second task's commit is in no repository. */
function loseCommit(tasks: string): void {
  const rows = readFileSync(tasks, "utf8").trimEnd().split("\n");
  const parsed = rows.map((row) => z.looseObject({}).parse(JSON.parse(row)));
  writeLines(
    tasks,
    parsed.map((row, at) => (at === 1 ? { ...row, baseCommit: "0".repeat(40) } : row)),
  );
}
