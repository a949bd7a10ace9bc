import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { MillwrightError } from "../../base/errors.ts";
import {
  createRun,
  findRun,
  isRunAlive,
  lockRun,
  newRunId,
  type RunDescription,
  readRun,
} from "./run-store.ts";
import { exitCodeOfEnd } from "./solve-report.ts";

let runs: string;
beforeEach(() => {
  runs = mkdtempSync(join(tmpdir(), "millwright-runs-"));
});
afterEach(() => rmSync(runs, { recursive: true, force: true }));

function describeRun(run: string): RunDescription {
  return {
    schema: "millwright.run/1",
    run,
    version: "0.0.0",
    startedAt: "2026-01-01T00:00:00.000Z",
    task: { id: "t", kind: "repair", statement: "", repository: "/r" },
    strategy: "search-repair",
    model: null,
    sandbox: "local",
    network: false,
    parallel: 1,
    limits: { memoryBytes: 1, cpus: 1, processes: 1 },
    apply: false,
  };
}

test("a run is found by its id, by a unique part of it, by its folder and as the last", async () => {
  const first = await createRun(runs, describeRun("20260101-000000-a-0001"));
  const second = await createRun(runs, describeRun("20260102-000000-b-0002"));
  expect(await findRun(runs, "0001")).toBe(first);
  expect(await findRun(runs, second)).toBe(second);
  expect(await findRun(runs, "last")).toBe(second);
  await expect(findRun(runs, "2026010")).rejects.toMatchObject({ code: "usage" });
  await expect(findRun(runs, "nothing")).rejects.toMatchObject({ code: "usage" });
  expect(await readRun(first)).toEqual(describeRun("20260101-000000-a-0001"));
});

test("a damaged description is told in one line, with what to do", async () => {
  const directory = await createRun(runs, describeRun("20260103-000000-a-0003"));
  const damage = async (text: string): Promise<MillwrightError> => {
    writeFileSync(join(directory, "run.json"), text);
    return readRun(directory).then(
      () => expect.unreachable(),
      (error: MillwrightError) => error,
    );
  };
  const error = await damage("{}");
  expect(error.message).toMatch(
    /run\.json cannot be read: schema: [^\n]*expected "millwright\.run\/1"[^\n]* \(and \d+ more fields\)$/,
  );
  expect(error.hint).toContain("millwright solve");
  expect((await damage("[]")).message).toMatch(/run\.json cannot be read: the document: [^\n]*$/);
  expect((await damage('{"run": ')).message).toMatch(/^[^\n]*run\.json cannot be read: [^\n]{1,200}$/);
});

test("ids sort by time and hold only characters that are safe in a path", () => {
  const id = newRunId("Ünïcode repo/..", new Date("2026-01-02T03:04:05Z"));
  expect(id).toMatch(/^20260102-030405-[a-z0-9-]+-[0-9a-f]{4}$/);
});

test("one process at a time works on a run, and the lock of a dead one is taken over", async () => {
  const directory = await createRun(runs, describeRun("r"));
  const unlock = lockRun(directory);
  expect(isRunAlive(directory)).toBe(true);
  expect(() => lockRun(directory)).toThrow("Another process");
  unlock();
  expect(isRunAlive(directory)).toBe(false);
  writeFileSync(join(directory, "lock"), JSON.stringify({ pid: process.pid, startTime: "1" })); // another process once
  expect(isRunAlive(directory)).toBe(false);
  lockRun(directory)();
});

test("each end has the exit code of the contract", () => {
  expect(exitCodeOfEnd({ outcome: "verified", limited: false })).toBe(0);
  expect(exitCodeOfEnd({ outcome: "verified", limited: true })).toBe(0);
  expect(exitCodeOfEnd({ outcome: "unverified", limited: false })).toBe(10);
  expect(exitCodeOfEnd({ outcome: "none", limited: false })).toBe(11);
  expect(exitCodeOfEnd({ outcome: "unverified", limited: true })).toBe(12);
  expect(exitCodeOfEnd({ outcome: "none", limited: true })).toBe(12);
});
