import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashText } from "../../src/base/hash.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { addFix, makeMinedRepository, readLines } from "./mine-fixture.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("a history becomes tasks that check calls fit, and a ledger that says why the rest is none; killed, it goes on", async () => {
  const { folder, issues, fix } = makeMinedRepository(playground);
  const before = fingerprint(folder);
  const out = join(playground.folder, "mined");
  const mine = (step: string[], ...more: string[]) =>
    playground.start([
      "bench",
      "mine",
      ...step,
      folder,
      "--out",
      out,
      "--name",
      "acme/ledger",
      "--issues",
      issues,
      "--linked-only",
      ...more,
    ]);
  const keepUp = (command: string, ...more: string[]) =>
    playground.start(["bench", "mine", command, folder, "--out", out, ...more]);

  const filtered = await mine(["filter"], "--json").ended;
  expect(filtered.exitCode, filtered.stderr).toBe(0);
  expect(JSON.parse(filtered.stdout)).toMatchObject({
    schema: "millwright.bench-mine/1",
    candidates: ["acme__ledger-5", "acme__ledger-3"],
    steps: [
      { step: "collect", kept: 6 },
      { step: "filter", kept: 2, causes: { "no-issue": 2, "no-tests": 1, statement: 1 } },
    ],
  });

  const killed = mine([]);
  const ledger = join(out, "ledger.jsonl");
  while (!readFileSync(ledger, "utf8").includes('"step":"validate"')) await sleep(50);
  killed.kill("SIGKILL");
  await killed.ended;
  expect(existsSync(join(out, "tasks.jsonl"))).toBe(false);

  const whole = await mine([]).ended;
  expect(whole.exitCode, whole.stderr).toBe(0);
  expect(whole.stdout).toContain("1 task in");
  expect(whole.stderr).toContain("review: 2 changes to judge");
  expect(whole.stderr).toContain("review acme__ledger-5: dropped strict-names");
  const lines = readLines(ledger);
  const of = (step: string) => lines.filter((line) => line["step"] === step);
  expect(
    of("validate")
      .map((line) => [line["candidate"], line["verdict"]])
      .sort(),
  ).toEqual([
    ["acme__ledger-3", "kept"],
    ["acme__ledger-5", "kept"],
  ]);
  expect(of("review")).toContainEqual(
    expect.objectContaining({
      candidate: "acme__ledger-5",
      verdict: "dropped",
      cause: "strict-names",
      language: "python",
      detail: expect.stringContaining("close_for_good"),
    }),
  );

  const [task] = readLines(join(out, "tasks.jsonl"));
  expect(task).toMatchObject({
    id: "acme__ledger-3",
    statement: expect.stringContaining("I expect True, and a balance of 0."),
  });
  const [hidden] = readLines(join(out, "tasks.hidden.jsonl"));
  expect(hidden).toMatchObject({
    goldPatch: expect.not.stringContaining("test_empties"),
    testPatch: expect.not.stringContaining("amount <= available"),
    lists: { failToPass: [expect.stringContaining("test_empties_an_account")], flaky: [] },
    canary: expect.stringContaining("canary"),
  });
  expect(hidden).toHaveProperty("lists.passToPass.length", 5);
  expect(readLines(join(out, "provenance.jsonl"))[0]).toMatchObject({
    commit: fix,
    foundBy: "squash",
    issues: [2],
    statementFrom: "issue",
    attempts: [{ recipe: "the machine's own toolchain", works: true }],
  });
  const card = readFileSync(join(out, "card.md"), "utf8");
  expect(card).toContain("| licence of the source | LICENSE: MIT License |");
  expect(card).toContain("| review | all | 1 | 2 | strict-names 1 |");
  expect(readFileSync(join(out, "SHA256SUMS"), "utf8")).toContain(`${hashText(card)}  card.md`);
  expect(fingerprint(folder)).toBe(before);

  addFix(folder);
  const refreshed = await keepUp("refresh").ended;
  expect(refreshed.exitCode, refreshed.stderr).toBe(0);
  expect(refreshed.stderr).toContain("collect: 1 of 1 kept");
  const ids = () => readLines(join(out, "tasks.jsonl")).map((each) => each["id"]);
  expect(ids()).toEqual(["acme__ledger-3", "acme__ledger-8"]);

  const hiddenPath = join(out, "tasks.hidden.jsonl");
  const text = readFileSync(hiddenPath, "utf8");
  writeFileSync(hiddenPath, text.replace("amount < 1:", "amount < -9:"));
  const rechecked = await keepUp("recheck", "--repeats", "1").ended;
  expect(rechecked.exitCode, rechecked.stderr).toBe(0);
  expect(rechecked.stdout).toContain("retired acme__ledger-8: ");
  expect(rechecked.stdout).toContain("1 of 2 tasks fit; version 3 has 1 task");
  expect(readLines(join(out, "versions.jsonl"))).toMatchObject([
    { version: 1, added: ["acme__ledger-3"], retired: [] },
    { version: 2, added: ["acme__ledger-8"], retired: [] },
    { version: 3, added: [], retired: [{ id: "acme__ledger-8", cause: "unfit" }] },
  ]);

  const again = await mine([]).ended;
  expect(again.exitCode, again.stderr).toBe(0);
  expect(ids(), "a retired task does not return").toEqual(["acme__ledger-3"]);
});

test("a folder without history is named", async () => {
  const end = await playground.start([
    "bench",
    "mine",
    playground.folder,
    "--out",
    join(playground.folder, "mined"),
  ]).ended;
  expect(end.exitCode).toBe(2);
  expect(end.stderr).toContain("is not a git repository");
});

test("the review runs wrong fixes with the test configuration that the change's tests bring", async () => {
  const folder = join(playground.folder, "shop");
  const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], {
      cwd: folder,
    });
  const conftest = (cases: string) =>
    `import pytest\n\n\n@pytest.fixture\ndef cases():\n    return [${cases}]\n`;
  mkdirSync(join(folder, "tests"), { recursive: true });
  git("init", "-q");
  write("shop.py", "def start():\n    return 0\n");
  git("add", "-A");
  git("commit", "-q", "-m", "Begin");
  write("shop.py", "def total(prices):\n    return sum(prices)\n");
  write("tests/conftest.py", conftest(""));
  write(
    "tests/test_shop.py",
    "from shop import total\n\n\ndef test_total(cases):\n    for prices, expected in cases:\n        assert total(prices) == expected\n",
  );
  git("add", "-A");
  git("commit", "-q", "-m", "Add");
  write("shop.py", "def total(prices):\n    return sum(price for price in prices if price > 0)\n");
  write("tests/conftest.py", conftest("([1, 2], 3), ([5, -1], 5)"));
  git("add", "-A");
  git(
    "commit",
    "-q",
    "-m",
    "Leave prices below zero out of the total, because the shop books refunds elsewhere",
  );
  const out = join(playground.folder, "mined");
  const command = "env PYTHONPATH=. python3 -m pytest";
  const end = await playground.start([
    ...["bench", "mine", "review", folder, "--out", out, "--limit", "1", "--test-command", command],
  ]).ended;
  expect(end.stderr).toContain("review: 1 of 1 kept");
});

test("a part of a history is called so, a date that git cannot read is refused, and a step says what is left", async () => {
  const { folder } = makeMinedRepository(playground);
  const part = join(playground.folder, "part");
  execFileSync("git", ["clone", "-q", "--depth", "4", `file://${folder}`, part]);
  const out = join(playground.folder, "mined");
  const filter = (...more: string[]) =>
    playground.start(["bench", "mine", "filter", part, "--out", out, ...more]).ended;

  const refused = await filter("--since", "the last release");
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("--since the last release is not a date");

  const filtered = await filter("--since", "2024-01-31");
  expect(filtered.exitCode, filtered.stderr).toBe(0);
  expect(filtered.stderr).toContain("this clone lacks older commits");
  expect(filtered.stdout).toBe(
    `1 change left; ${join(out, "ledger.jsonl")} has the verdict on each change\n`,
  );
});
