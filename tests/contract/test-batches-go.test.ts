/** That a Go candidate has the same verdict in one program with many others as in a program of its own. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderOutput } from "../../src/base/captured-output.ts";
import { runProcess } from "../../src/base/process.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { composeSchema, type Schema, type Variant } from "../../src/instrument/compose-schema.ts";
import type { BatchReport } from "../../src/languages/contract.ts";
import go from "../../src/languages/go.ts";
import goTest from "../../src/languages/go-test.ts";
import { proposeRepairs } from "../../src/repair/propose-repairs.ts";
import { type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { goFixtures } from "./test-frameworks-go.ts";

const [fixture] = goFixtures;
if (fixture === undefined) throw new Error("there is no fixture of Go");
const path = "stock/stock.go";
const target = "stock/stock_test.go";
const runtime = join(import.meta.dirname, "../../src/languages/runtime");
const base = readFileSync(join(import.meta.dirname, "../fixtures/repos/repair-go", path), "utf8");
const names = [
  "TestGood/on_the_last_day_of_milk",
  "TestGood/after_all",
  "TestTakeFromSeveral",
  "TestTakeTooMany",
];
const tests: TestKey[] = names.map((name) => ({ package: "", target, name }));

function variant(id: number, before: string, after: string): Variant {
  const start = base.indexOf(before);
  if (start === -1) throw new Error(`${before} is not in ${path}`);
  return { id, start, end: start + before.length, replacement: after };
}

/** The second does not compile, and the others do what their names say. */
const variants = {
  right: variant(1, "day < item.Until", "day <= item.Until"),
  unknown: variant(2, "packs -= taken", "packs -= takken"),
  wrong: variant(3, "day < item.Until", "day > item.Until"),
  hangs: variant(4, "packs -= taken", "for {\n}"),
  "does not return": variant(5, "\treturn left, nil\n", ""),
  panics: variant(6, "left[index].Packs -= taken", "left[len(left)].Packs -= taken"),
  "declares anew": variant(7, "taken := min(packs, item.Packs)", "taken := min(item.Packs, 1)"),
};

function statusesOf(outcomes: readonly TestOutcome[] | undefined): Record<string, string> {
  return Object.fromEntries((outcomes ?? []).map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

describe.skipIf((await fixture.unavailable()) !== undefined)("candidates of go test in one program", () => {
  let open: OpenFixture;
  let runs = 0;

  beforeAll(async () => {
    open = await openFixture({ ...fixture, repository: "repair-go" });
  });
  afterAll(() => open?.close());

  async function runBatch(schema: Schema): Promise<BatchReport> {
    runs += 1;
    const report = join(dirname(open.root), `batch-${runs}`);
    mkdirSync(report);
    writeFileSync(join(open.root, path), schema.text);
    const candidates = [...schema.places.keys()].map((id) => ({ id }));
    const invocation = goTest.batch.invoke({
      command: open.recognise("go test ./..."),
      testTimeoutMs: 2000,
      paths: { root: open.root, runtime, report },
      project: open.project,
      tests,
      candidates,
      parallel: 2,
      stopAtFirstFailure: false,
    });
    const words = typeof invocation.run === "string" ? [invocation.run] : invocation.run;
    const result = await runProcess(words, {
      cwd: open.root,
      env: { PATH: process.env["PATH"] ?? "", HOME: dirname(open.root), ...invocation.env },
      timeoutMs: 100_000,
    });
    const files = readdirSync(report).map((name) => [name, readFileSync(join(report, name))] as const);
    return goTest.batch.parse({
      files: new Map(files),
      stdout: renderOutput(result.stdout),
      stderr: renderOutput(result.stderr),
      exitCode: result.exitCode,
      root: open.root,
      candidates,
      tests,
    });
  }

  /** As the search does it: who does not compile is taken out until the program does. */
  async function runAll(all: readonly Variant[]): Promise<{ report: BatchReport; refused: number[] }> {
    const refused = new Set<number>();
    for (;;) {
      const left = all.filter(({ id }) => !refused.has(id));
      const schema = await composeSchema({ path, text: base }, go, left);
      const report = await runBatch(schema);
      if (report.complaints.length === 0) return { report, refused: [...refused] };
      for (const complaint of report.complaints) {
        expect(complaint.file).toBe(path);
        const blamed = [...schema.places].filter(
          ([, place]) => place.startLine <= complaint.line && complaint.line <= place.endLine,
        );
        expect(blamed, `${complaint.line}: ${complaint.message}`).not.toEqual([]);
        for (const [id] of blamed) refused.add(id);
      }
    }
  }

  test("have the verdicts that each has alone, and errors of their own", async () => {
    const { report, refused } = await runAll(Object.values(variants));
    expect(refused).toEqual([variants.unknown.id]);
    expect(report.invalid).toBeUndefined();
    for (const [title, { id, start, end, replacement }] of Object.entries(variants)) {
      if (id === variants.unknown.id || title === "does not return") continue;
      writeFileSync(join(open.root, path), base.slice(0, start) + replacement + base.slice(end));
      const plain = await open.run({
        command: "go test ./...",
        selection: { kind: "tests", tests },
        testTimeoutMs: 2000,
      });
      const failed = Object.entries(statusesOf(plain.report.outcomes)).filter(
        ([, status]) => status === "failed",
      );
      const found = Object.entries(statusesOf(report.outcomes.get(id))).filter(
        ([, status]) => status === "failed",
      );
      expect(found.length > 0, title).toBe(failed.length > 0);
      if (title !== "hangs" && title !== "panics") expect(new Map(found), title).toEqual(new Map(failed));
    }
    const [, , , hung] = Object.values(variants).map(({ id }) => report.outcomes.get(id));
    expect(hung?.find((outcome) => outcome.status === "failed")?.failure?.type).toBe("TimeoutError");
    // Alone it would not compile.
    const unfinished = report.outcomes.get(variants["does not return"].id);
    expect(unfinished?.some((outcome) => outcome.status === "failed")).toBe(true);
  });

  test("of all templates are built in one program once those are out that do not compile", async () => {
    const lines = base.split("\n").map((_, index) => index + 1);
    const statements = lines.map((line) => ({ file: path, startLine: line, endLine: line, score: 1 }));
    const proposals = await proposeRepairs({ file: path, text: base, language: go, statements });
    const all = proposals.map(({ start, end, replacement }, index) => ({
      id: index + 1,
      start,
      end,
      replacement,
    }));
    const { report, refused } = await runAll(all.filter((_, index) => index % 4 === 0));
    expect(report.outcomes.size).toBeGreaterThan(refused.length / 3);
    expect(report.invalid).toBeUndefined();
  });
});
