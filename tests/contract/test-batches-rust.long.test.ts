/** That a Rust candidate has the same verdict in one program with many others as in a program of its own. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import type { Variant } from "../../src/instrument/compose-schema.ts";
import rust from "../../src/languages/rust/rust.ts";
import { proposeRepairs } from "../../src/repair/propose-repairs.ts";
import { makeVariant, type Program, runAll } from "./test-batches-program.ts";
import { type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { rustFixtures, rustPrograms } from "./test-frameworks-rust.ts";

const [fixture] = rustFixtures;
if (fixture === undefined) throw new Error("there is no fixture of Rust");
const { prepare: _, ...plainFixture } = fixture;
const path = "src/deck.rs";
const base = readFileSync(join(import.meta.dirname, "../fixtures/repos/repair-rust", path), "utf8");
const tests: TestKey[] = [
  { package: "", target: "tests/loading.rs", name: "fills_a_deck_to_its_last_metre" },
  { package: "", target: "tests/loading.rs", name: "goes_to_the_next_deck" },
  { package: "", target: "src/lib.rs", name: "deck::tests::refuses_what_has_no_length" },
];

const program: Program = { path, base, language: rust, tests };
const variant = (id: number, before: string, after: string): Variant =>
  makeVariant(program, id, before, after);

const variants = {
  right: variant(1, "vehicle.length < free", "vehicle.length <= free"),
  "has another type": variant(2, "vehicle.length < free", "vehicle.length"),
  wrong: variant(3, "vehicle.length < free", "vehicle.length > free"),
  hangs: variant(4, "let free = self.free();", "let free = loop {};"),
  "moves what it may not": variant(5, "let free = self.free();", "drop(self.vehicles); let free = 1;"),
  panics: variant(6, "self.length - self.used()", "self.used() - self.length"),
};
const refusedByCompiler = [variants["has another type"].id, variants["moves what it may not"].id];

function statusesOf(outcomes: readonly TestOutcome[] | undefined): Record<string, string> {
  // A batch screens: it says of a test that meets our limit that it fails.
  return Object.fromEntries(
    (outcomes ?? []).map(({ key, status }) => [
      formatTestKey(key),
      status === "timed-out" ? "failed" : status,
    ]),
  );
}

describe.skipIf(rustPrograms === undefined)("candidates of cargo test in one program", () => {
  let open: OpenFixture;

  beforeAll(async () => {
    open = await openFixture({ ...plainFixture, repository: "repair-rust" });
  });
  afterAll(() => open?.close());

  test("have the verdicts that each has alone, and errors of their own", async () => {
    const { report, refused } = await runAll(open, program, Object.values(variants));
    expect(refused.sort()).toEqual(refusedByCompiler);
    expect(report.invalid).toBeUndefined();
    for (const [title, { id, start, end, replacement }] of Object.entries(variants)) {
      if (refusedByCompiler.includes(id)) continue;
      writeFileSync(join(open.root, path), base.slice(0, start) + replacement + base.slice(end));
      const plain = await open.run({
        command: "cargo test",
        selection: { kind: "tests", tests },
        testTimeoutMs: 2000,
      });
      expect(statusesOf(report.outcomes.get(id)), title).toEqual(statusesOf(plain.report.outcomes));
    }
    const hung = report.outcomes.get(variants.hangs.id);
    expect(hung?.find((outcome) => outcome.status === "failed")?.failure?.type).toBe("TimeoutError");
  });

  test("of all templates are built in one program once those are out that do not compile", async () => {
    const lines = base.split("\n").map((__, index) => index + 1);
    const statements = lines.map((line) => ({ file: path, startLine: line, endLine: line, score: 1 }));
    const proposals = await proposeRepairs({ file: path, text: base, language: rust, statements });
    const all = proposals.map(({ start, end, replacement }, index) => ({
      id: index + 1,
      start,
      end,
      replacement,
    }));
    const { report, refused } = await runAll(
      open,
      program,
      all.filter((__, index) => index % 8 === 0),
    );
    expect(report.outcomes.size).toBeGreaterThan(refused.length / 4);
    expect(report.invalid).toBeUndefined();
  });
});
