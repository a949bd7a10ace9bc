/** That a Go candidate has the same verdict in one program with many others as in a program of its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import type { Variant } from "../../src/instrument/compose-schema.ts";
import go from "../../src/languages/go/go.ts";
import { proposeRepairs } from "../../src/repair/propose-repairs.ts";
import { makeVariant, type Program, runAll } from "./test-batches-program.ts";
import { type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { goFixtures } from "./test-frameworks-go.ts";

const [fixture] = goFixtures;
if (fixture === undefined) throw new Error("there is no fixture of Go");
const path = "stock/stock.go";
const target = "stock/stock_test.go";
const base = readFileSync(join(import.meta.dirname, "../fixtures/repos/repair-go", path), "utf8");
const names = [
  "TestGood/on_the_last_day_of_milk",
  "TestGood/after_all",
  "TestTakeFromSeveral",
  "TestTakeTooMany",
];
const tests: TestKey[] = names.map((name) => ({ package: "", target, name }));

const program: Program = { path, base, language: go, tests };
const variant = (id: number, before: string, after: string): Variant =>
  makeVariant(program, id, before, after);

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

  beforeAll(async () => {
    open = await openFixture({ ...fixture, repository: "repair-go" });
  });
  afterAll(() => open?.close());

  test("have the verdicts that each has alone, and errors of their own", async () => {
    const { report, refused } = await runAll(open, program, Object.values(variants));
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
    const { report, refused } = await runAll(
      open,
      program,
      all.filter((_, index) => index % 4 === 0),
    );
    expect(report.outcomes.size).toBeGreaterThan(refused.length / 3);
    expect(report.invalid).toBeUndefined();
  });
});
