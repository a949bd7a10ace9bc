import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Mutant } from "../../agent/mutants/list-mutants.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { MillwrightError } from "../../base/errors.ts";
import { openResultStore } from "../../bench/result-store.ts";
import { type Candidate, drop, keep, type Outcome } from "../contract.ts";
import type { Suite } from "./open-suite.ts";
import { makeTask, observe, type SeedRequest, settle } from "./seed-tasks.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-seeds-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const fault = partOf<Mutant>({ file: "a.py", base: "a + b", start: 2, end: 3, replacement: "-" });

async function seedRequest(): Promise<SeedRequest> {
  return partOf<SeedRequest>({
    store: await openResultStore(folder),
    options: { signal: new AbortController().signal },
    ...{ conditions: [], settings: { repository: "acme/ledger" } },
  });
}

const fail = (): Promise<never> => Promise.reject(new MillwrightError("sandbox", "the sandbox broke"));

/** A suite with slow starts, in a sandbox that no longer works. */
function brokenSuite(setup: string, command: string): Suite {
  return partOf<Suite>({
    open: { trees: { base: "tree" }, workspace: {} },
    recipe: { name: "the given environment", setup },
    plan: { command: { directory: "", command }, framework: { batch: { kind: "swap" } } },
    run: { outcomes: [], seconds: 9 },
    change: { commit: "c", language: "python" },
  });
}

test("if the sandbox breaks during the screening, each fault runs alone, and the next call screens again", async () => {
  const executor = partOf<TestExecutor>({ runBatch: fail });
  const seen = await observe(await seedRequest(), brokenSuite("", "pytest"), executor, [fault, fault]);
  expect(seen).toEqual([
    { at: 0, told: "noticed", failing: [] },
    { at: 1, told: "noticed", failing: [] },
  ]);
  expect(readdirSync(folder)).toEqual([]);
});

test("a fault runs again with another setup or test command", async () => {
  const request = await seedRequest();
  const parts = [{ fault, failToPass: undefined }];
  const keys: string[] = [];
  for (const [setup, command] of [
    ["make", "pytest"],
    ["make", "pytest tests"],
    ["make all", "pytest"],
  ] as const) {
    const { key, outcome } = await makeTask(request, brokenSuite(setup, command), parts, 9);
    expect(outcome).toMatchObject({ verdict: "dropped", cause: "breaks-most" });
    keys.push(key);
  }
  expect(new Set(keys).size).toBe(3);
});

test("the ledger has one verdict for each fault: a repeated statement is a duplicate", () => {
  const noted: [string, Outcome<unknown>["verdict"], string][] = [];
  const request = {
    note(id: string, _key: string, outcome: Outcome<unknown>) {
      noted.push([id, outcome.verdict, outcome.verdict === "kept" ? "" : outcome.cause]);
    },
  };
  const kept: Candidate[] = [];
  const told: readonly (readonly [string, string])[] = [
    ["a", "add(1, 2) returns -1"],
    ["b", "add(1, 2) returns -1"],
    ["c", "add(1, 2) returns 0"],
  ];
  for (const [id, statement] of told) {
    const outcome = keep(partOf<Candidate>({ change: { id, statement } }));
    const task = settle(request, { id, key: id, language: "python", outcome }, kept);
    if (task !== undefined) kept.push(task);
  }
  settle(request, { id: "d", key: "d", language: "python", outcome: drop("hangs", "too slow") }, kept);
  expect(noted).toEqual([
    ["a", "kept", ""],
    ["b", "dropped", "duplicate"],
    ["c", "kept", ""],
    ["d", "dropped", "hangs"],
  ]);
});
