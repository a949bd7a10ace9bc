import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { emptyState, type Fact } from "../state/task-state.ts";
import { addNote, noteOf, readNotes, recall, testTimesIn } from "./memory.ts";

const note = (run: string, ...facts: string[]) => ({ run, date: "2026-01-02", facts });

test("the newest first, each with its run, and what several noted once", () => {
  const recalled = recall([note("r1", "old", "both"), note("r2", "both")]);
  expect(recalled.map(({ text }) => text)).toEqual([
    "both (noted by run r2 on 2026-01-02)",
    "old (noted by run r1 on 2026-01-02)",
  ]);
});

test("of two layouts the newer holds", () => {
  const recalled = recall([note("r1", "Layout: a/ (tests: 1)."), note("r2", "Layout: a/ (tests: 2).")]);
  expect(recalled.map(({ text }) => text)).toEqual([
    "Layout: a/ (tests: 2). (noted by run r2 on 2026-01-02)",
  ]);
});

test("what speaks of one task alone is not noted for others", () => {
  const facts: Fact[] = [
    { kind: "project", text: "Python 3.12" },
    { kind: "trace", of: "c1", text: "Traced on c1: pay > refuse" },
    { kind: "project", arm: "1", text: "The user was asked: all of it? yes (from arm 1)" },
    { kind: "flaky", text: "Flaky on the base: test_late" },
    ...recall([note("r1", "old")]),
  ];
  const end = { state: { ...emptyState, facts } };
  const noted = noteOf(
    end,
    { run: "r2", outcome: "none", files: [] },
    { startedAt: "2026-01-03T10:00:00Z", files: [] },
  );
  expect(noted).toEqual({
    run: "r2",
    date: "2026-01-03",
    facts: ["Python 3.12", "Flaky on the base: test_late"],
  });
});

test("the last eight runs are kept, a run that goes on notes once, and a damaged file is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-notes-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "notes", "one.json");
  expect(await readNotes(path)).toEqual([]);
  for (let run = 1; run <= 10; run += 1) await addNote(path, "/r", note(`r${run}`, "a"));
  await addNote(path, "/r", note("r10", "b"));
  const runs = (await readNotes(path)).map((each) => each.run);
  expect(runs).toEqual(["r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10"]);
  writeFileSync(path, "{");
  expect(await readNotes(path)).toEqual([]);
});

test("the times of test files are noted, and the newest of each counts", () => {
  const outcome = (target: string, durationMs: number) => ({
    ...{ key: { package: "", target, name: `${durationMs}` }, status: "passed" as const, durationMs },
  });
  const noted = (run: string, ...outcomes: ReturnType<typeof outcome>[]) =>
    noteOf(
      { baseOutcomes: outcomes },
      { run, outcome: "none", files: [] },
      { startedAt: "2026-01-03T10:00:00Z", files: [] },
    );
  const first = noted(
    "r1",
    outcome("a.py", 300),
    outcome("a.py", 400.4),
    outcome("b.py", 9),
    outcome("c.py", 150),
  );
  expect(first.testMs).toEqual({ "a.py": 700, "c.py": 150 });
  expect(testTimesIn([first, noted("r2", outcome("a.py", 120))])).toEqual(
    new Map([
      ["a.py", 120],
      ["c.py", 150],
    ]),
  );
});
