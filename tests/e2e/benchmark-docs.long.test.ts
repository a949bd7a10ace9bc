/** docs/benchmark.md, done: each command of the page, in its order, as it stands there. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashText } from "../../src/base/hash.ts";
import { makeRepository, mendLedger, writeLines } from "./bench-fixture.ts";
import { createPlayground, type Playground, type ProgramEnd } from "./millwright.ts";

const page = readFileSync(join(import.meta.dirname, "..", "..", "docs", "benchmark.md"), "utf8");
let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("every command of the page does what the page says", async () => {
  const { folder: cwd } = playground;
  const repository = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  const patch = repository.patch((folder) => mendLedger(folder));
  writeLines(join(cwd, "tasks.jsonl"), [
    {
      instance_id: "acme__ledger-1",
      ...{ repo: "acme/ledger", base_commit: repository.baseCommit, patch, problem_statement: "" },
      test_cmd: "python3 -m unittest",
    },
  ]);
  writeLines(join(cwd, "predictions.jsonl"), [
    { instance_id: "acme__ledger-1", model_name_or_path: "my-agent", model_patch: patch },
  ]);
  mkdirSync(join(cwd, "my-agent"));
  const agent = "#!/bin/sh\nsed -i 's/amount < available/amount <= available/' ledger/account.py\n";
  writeFileSync(join(cwd, "my-agent", "my-agent"), agent, { mode: 0o755 });
  const commands = [...page.matchAll(/^```sh\nmillwright (.*)\n```$/gm)].map(([, words = ""]) => words);
  const ends: ProgramEnd[] = [];
  for (const command of commands) {
    if (command.startsWith("bench compare")) layEarlierBatch(cwd);
    const end = await playground.start(command.split(" "), {
      cwd,
      env: { XDG_STATE_HOME: join(cwd, "state") },
    }).ended;
    expect(end.exitCode, `${command}\n${end.stdout}\n${end.stderr}`).toBe(0);
    ends.push(end);
  }
  const said = ends.map(({ stdout }) => stdout);
  expect(said).toHaveLength(10);
  expect(said[0]).toContain("1 of 1 task fit");
  expect(said[1]).toContain("1 of 1 resolved (100.0 %, 95 % interval: 20.7 to 100.0 %), 0 unresolved");
  const [timed, again] = [said[1], said[2]].map((text) => text?.replaceAll(/\(\S+ m?s\)|; .*/g, ""));
  expect(again).toBe(timed);
  expect(said[3]).toContain("search-repair: 1 of 1 resolved");
  const report = JSON.parse(readFileSync(join(cwd, "batch", "report.json"), "utf8"));
  expect(report).toMatchObject({
    tasks: { file: "tasks.jsonl", count: 1, sha256: hashText(readFileSync(join(cwd, "tasks.jsonl"))) },
    rules: ["pass-and-fail"],
    arms: [{ strategy: "search-repair", model: null, attempts: [{ resolved: 1, rate: 1 }] }],
    tries: [{ work: { located: { file: true, function: true, snippet: true } } }],
  });
  expect(said[4]).toMatch(/^resolved acme__ledger-1: .*\(known\)$/m);
  expect(said[5]).toContain("external: 1 of 1 resolved");
  expect(said[6]).toContain("| search-repair | 1 | 1 | 100.0 | 20.7 to 100.0 | 0 | 0 |");
  expect(said[6]).toContain("| acme__ledger-1 | resolved |");
  expect(readFileSync(join(cwd, "report.html"), "utf8")).toContain("<td>20.7 to 100.0</td>");
  expect(said[8]).toContain("1 of 1 patches of resolved attempts are in labels");
  await labelBatch(cwd);
  expect(said[9]).toContain("first:  search-repair (before)");
  expect(said[9]).toContain("only by the first: 0, only by the second: 1");
  expect(said[9]).toContain("sequential test, valid after each task: not decided");
  expect(said[9]).toContain("both runs take the same steps; only the gradings differ");
  expect(said[9]).toContain("1 called verified, 1 of them not resolved (acme__ledger-1)");
  expect(said[9]).toContain(
    "resolved, second minus first: +100.0 percentage points (95 % interval: +100.0 to +100.0)",
  );
  expect(said[9]).toMatch(
    /resolved only by the second: acme__ledger-1\n {2}first: {2}unresolved: .*\n {2}second: resolved: /,
  );
});

/** Two people label the one patch, which shows neither its arm nor its verdict. */
async function labelBatch(cwd: string): Promise<void> {
  const template = readFileSync(join(cwd, "labels", "labels.jsonl"), "utf8");
  const [item = ""] = /(?<="item":")[0-9a-f]+/.exec(template) ?? [];
  const shown = readFileSync(join(cwd, "labels", `${item}.md`), "utf8");
  expect(shown).toMatch(/## Patch\n\n```diff\n[\s\S]*\n```\n\n## Known fix\n\n```diff\n/);
  expect(shown).not.toMatch(/search-repair|verified/);
  for (const [person, label] of Object.entries({ ann: "correct", bob: "anomaly", consensus: "correct" }))
    writeFileSync(join(cwd, `${person}.jsonl`), template.replace("null", `"${label}"`));
  const labels = ["--labels", "ann.jsonl", "--labels", "bob.jsonl"];
  const report = async (...flags: string[]) =>
    (await playground.start(["bench", "report", "batch", ...labels, ...flags], { cwd }).ended).stdout;
  const open = await report();
  expect(open).toContain("| ann, bob | 1 | 0.0 | 0.00 |");
  expect(open).toContain(`- not decided: ${item}`);
  expect(await report("--consensus", "consensus.jsonl")).toContain(
    "| search-repair | correct | 1 | 1 | 100.0 | 20.7 to 100.0 | 0 |",
  );
}

/** A batch in which the same attempt did not resolve its task. */
function layEarlierBatch(cwd: string): void {
  const report = readFileSync(join(cwd, "batch", "report.json"), "utf8");
  mkdirSync(join(cwd, "before"));
  writeFileSync(
    join(cwd, "before", "report.json"),
    report.replaceAll('"outcome": "resolved"', '"outcome": "unresolved"'),
  );
}
