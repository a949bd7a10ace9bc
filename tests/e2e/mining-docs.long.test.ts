/** docs/mining.md, done: each command of the page, in its order, as it stands there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { addFix, makeMinedRepository, readLines } from "./mine-fixture.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "mining.md"), "utf8");
let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("every command of the page does what the page says", async () => {
  const { folder: cwd } = playground;
  const { folder } = makeMinedRepository(playground);
  const commands = [...page.matchAll(/^```sh\nmillwright (.*)\n```$/gm)].map(([, words = ""]) => words);
  const said: string[] = [];
  for (const command of commands) {
    if (command.startsWith("bench mine refresh")) addFix(folder);
    const end = await playground.start(command.split(" "), {
      cwd,
      env: { XDG_STATE_HOME: join(cwd, "state") },
    }).ended;
    expect(end.exitCode, `${command}\n${end.stdout}\n${end.stderr}`).toBe(0);
    said.push(end.stdout);
  }
  expect(said).toHaveLength(12);
  expect(said[0]).toContain("1 task in");
  expect(said[1]).toContain("1 of 1 task fit");
  expect(said[2]).toContain("search-repair: 0 of 1 resolved");
  expect(said[3]).toContain("| acme__ledger-3 | unresolved |");
  expect(said[5]).toContain("1 task in");
  expect(said[6]).toContain("1 task in");
  expect(said[7]).toContain("1 of 1 task fit");
  expect(said[8]).toContain("2 tasks in");
  expect(said[9]).toContain("2 of 2 tasks fit; version 2 has 2 tasks");
  expect(said[10]).toContain("0 environments of 2 tasks");
  expect(said[11]).toContain("2 of 2 tasks fit; version 2 has 2 tasks");
  const seeded = readLines(join(cwd, "seeded", "tasks.jsonl"));
  expect(seeded).toHaveLength(2);
  for (const { statement } of seeded) {
    expect(statement).toContain("I expect that this passes.");
    expect(statement).not.toMatch(/account\.py|transfer\.py|test_/);
  }
  for (const { basePatch, lists } of readLines(join(cwd, "seeded", "tasks.hidden.jsonl"))) {
    expect(basePatch).toContain("-    def test_");
    expect(lists).not.toHaveProperty("failToPass.length", 0);
  }
  const [double] = readLines(join(cwd, "double", "tasks.jsonl"));
  expect(double?.["statement"]).toContain("A further failure:");
  const check = await playground.start([
    ...[
      "bench",
      "check",
      join(cwd, "seeded", "tasks.jsonl"),
      "--repo",
      join(cwd, "repositories/acme__ledger"),
    ],
    ...["--bench-dir", join(cwd, "bench"), "--repeats", "1"],
  ]).ended;
  expect(check.stdout).toContain("2 of 2 tasks fit");
});
