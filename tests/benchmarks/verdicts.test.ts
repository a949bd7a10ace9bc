import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drawFixes } from "../../benchmarks/unseen-draw.ts";
import { isRight, renderVerdicts, type Verdict } from "../../benchmarks/verdicts-table.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "draw-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function commit(files: Readonly<Record<string, string>>, subject: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...parameters: string[]) =>
    execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@localhost", ...parameters]);
  git("add", "--all");
  git("commit", "--quiet", "--message", subject);
}

const draw = { seed: 1, repositories: 1, each: 9, since: 2000 };
const code = "pub fn fits(a: u32, b: u32) -> bool {\n    a < b\n}\n";
const tests = "\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn fits() {}\n}\n";

test("draws small fixes of one source file with tests, and puts the code alone back", () => {
  execFileSync("git", ["init", "--quiet", folder]);
  commit({ "src/lib.rs": code + tests, "src/more.rs": "" }, "begin");
  commit({ "src/lib.rs": code.replace("<", "<=") + tests.replace("{}", "{ a(); }") }, "Fix the end");
  commit({ "src/more.rs": "fn a() {}\n" }, "Fix what has no tests");
  commit({ "src/more.rs": "fn b() {}\n", "tests/a.rs": "" }, "Rename");
  const fixes = drawFixes([folder], draw);
  expect(fixes.map(({ subject, file, language }) => [subject, file, language])).toEqual([
    ["Fix the end", "src/lib.rs", "rust"],
  ]);
  expect(fixes[0]?.before).toBe(code + tests.replace("{}", "{ a(); }"));
  expect(drawFixes([folder], draw)).toEqual(fixes);
});

const verdict: Verdict = {
  ...{ repository: "a", language: "go", commit: "0123456789", subject: "Fix" },
  ...{ outcome: "verified", strength: "moderate", patch: "-a\n+b\n", candidates: 3, seconds: 4 },
};

test.each<[Partial<Verdict>, boolean | undefined]>([
  [{ passes: true, likeness: "equal" }, true],
  [{ passes: true, likeness: "unknown" }, undefined],
  [{ passes: true, likeness: "unknown", read: "wrong" }, false],
  [{ passes: false, likeness: "unknown" }, false],
])("%j is right: %j", (changed, right) => {
  expect(isRight({ ...verdict, ...changed })).toBe(right);
});

test("the table counts what each word is worth", () => {
  const table = renderVerdicts([
    { ...verdict, passes: true, likeness: "equal" },
    { ...verdict, passes: true, likeness: "unknown", read: "wrong" },
    { ...verdict, outcome: "none", strength: null, patch: "", candidates: 0 },
    { repository: "b", language: "go", commit: "1", subject: "Fix", unfit: "set-up: no" },
  ]);
  expect(table).toContain("verified 2: 1 right, 1 wrong");
  expect(table).toContain("moderate: 1 right, 1 wrong, 0 unknown of 2");
  expect(table).toContain("0 candidates 1, changes of test code 0");
  expect(table).toContain("3 run, 1 not run");
});
