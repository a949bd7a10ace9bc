/** A run done again from its recording: the same where nothing changed, and where something did, what. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { SolveReport } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
let repository: string;
let first: SolveReport;
let recording: string;
const says = (role: string, name: string, input: object): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});

beforeAll(async () => {
  playground = createPlayground();
  repository = playground.copyRepository("repair-python");
  recording = join(playground.folder, "recording");
  const edits = editBlock(
    "ledger/account.py",
    "    return amount < available",
    "    return amount <= available",
  );
  const { report } = await solveScripted(playground, {
    repository,
    statement: "",
    strategy: "unified",
    answers: [
      says("planning", "edit-code", { intent: "let all of it be paid" }),
      says("editing", "view", { path: "ledger/account.py" }),
      says("editing", "edit", { edits }),
      says("editing", "done", { summary: "all of it may be paid" }),
      says("planning", "finish", { candidate: "c1" }),
    ],
    args: ["--record", recording, "--without", "reproduction, ask, review-patch", "--no-held-back"],
  });
  first = report;
});
afterAll(() => playground.remove());

async function replay(run: string, ...args: string[]) {
  const end = await playground.start(["replay", run, "--output", "json", ...args]).ended;
  return { ...end, data: JSON.parse(end.stdout) };
}

test("what was turned off is in the report, and the calls are copied where the user wants them", () => {
  expect(first).toMatchObject({
    outcome: "verified",
    off: ["without reproduction, ask, review-patch", "no tests held back"],
  });
  const calls = readdirSync(join(first.runDirectory, "calls")).sort();
  const paces = calls.filter((name) => name.endsWith(".pace.jsonl"));
  expect(paces).toHaveLength(1);
  expect(calls).toHaveLength(2 * first.usage.calls + 1);
  expect(readdirSync(recording).sort()).toEqual(calls);
  const asked = calls.filter((name) => name.endsWith(".request.json"));
  const tools = asked.map((name) => readFileSync(join(recording, name), "utf8")).join("");
  expect(tools).toContain('"name": "probe-environment"');
  expect(tools).not.toContain('"name": "reproduction"');
});

/** A copy of the run's folder, as on another machine. */
function moveRun(name: string): string {
  const moved = join(playground.folder, name, first.run);
  cpSync(first.runDirectory, moved, { recursive: true });
  return moved;
}

test("what is shown of a run comes from its events alone, wherever its folder is", async () => {
  const moved = moveRun("bare");
  for (const name of readdirSync(moved))
    if (!["events.jsonl", "run.json"].includes(name)) rmSync(join(moved, name), { recursive: true });
  const show = async (...args: string[]) => (await playground.start(["show", ...args]).ended).stdout;
  for (const format of ["report", "calls", "events"])
    expect(await show(moved, "--as", format)).toBe(await show(first.run, "--as", format));
  expect(JSON.parse(await show(moved, "--json"))).toEqual({ ...first, runDirectory: moved });
  expect(await show(moved)).toBe(readFileSync(join(first.runDirectory, "report.md"), "utf8"));
  const lines = (await show(moved, "--as", "calls")).replaceAll(/\d+(?:\.\d)? s/g, "TIME").split("\n");
  const call = (order: number, role: string) =>
    expect.stringMatching(
      `^ *#${order} ${role}, scripted:\\S+: \\d+ tokens \\(0 cached\\), \\$0.0000 {2}TIME$`,
    );
  expect(lines).toEqual([
    call(1, "planning"),
    "  #2 edit-code: let all of it be paid, base  TIME",
    "    1. edit-code: let all of it be paid  TIME",
    call(3, "editing"),
    "        #4 view: ledger/account.py, 1  TIME",
    call(5, "editing"),
    expect.stringContaining("        #6 edit: ledger/account.py"),
    call(7, "editing"),
    "        #8 done: all of it may be paid  TIME",
    expect.stringContaining("2. finish: c1"),
    "",
  ]);
});

test("a run gives the same patch for the same calls, on another machine too; on another repository the first changed request is named", async () => {
  const elsewhere = join(playground.folder, "elsewhere", "repository");
  cpSync(repository, elsewhere, { recursive: true });
  const again = await replay(moveRun("moved"), "--repo", elsewhere);
  expect(again.data, again.stderr).toMatchObject({
    schema: "millwright.replay/1",
    of: first.run,
    same: true,
    repositoryChanged: false,
    changed: [],
    report: { outcome: "verified", patch: first.patch, usage: first.usage, off: first.off },
  });
  expect(again.exitCode).toBe(0);
  const file = join(repository, "ledger/account.py");
  writeFileSync(file, `${readFileSync(file, "utf8")}\n\nlater = True\n`);
  const changed = await replay(first.run);
  expect(changed.exitCode).toBe(1);
  expect(changed.data).toMatchObject({ same: false, repositoryChanged: true });
  expect(changed.stderr).toContain(
    "lacks the timing decisions of this run. It has the decisions of 1 other run",
  );
  expect(changed.data.changed[0]).toMatch(
    /differs from the nearest recorded request at messages\[0\].*now "ledger\/account\.py:1-27/,
  );
});

test("an action that there is not is a wrong use", async () => {
  const end = await playground.start(["solve", "--without", "paint", "--output", "json"]).ended;
  expect(end.exitCode).toBe(2);
  expect(JSON.parse(end.stdout).message).toBe("There is no action or stage paint");
  expect(JSON.parse(end.stdout).hint).toContain("code-retrieval");
});
