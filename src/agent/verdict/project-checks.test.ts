import { expect, test } from "vitest";
import { compareRuns, listChecks, type ProjectCheck } from "./project-checks.ts";

const checksOf = (changed: readonly string[], base: readonly string[]) => listChecks(changed, new Set(base));
const run = (output: string, exitCode = output === "" ? 0 : 1) => ({ end: "exited", exitCode, output });
function checkOf(changed: readonly string[]): ProjectCheck {
  const [check] = checksOf(changed, ["tsconfig.json", "Cargo.toml", "go.mod"]);
  if (check === undefined) throw new Error("no check");
  return check;
}

test("each changed file is checked by the tool of its nearest configuration, once", () => {
  const base = ["tsconfig.json", "web/app/tsconfig.json", "core/Cargo.toml", "go.mod"];
  const changed = [
    "web/app/src/a.ts",
    "web/app/src/b.ts",
    "lib/c.ts",
    "core/src/lib.rs",
    "other/d.rs",
    "e.go",
    "f.py",
  ];
  expect(checksOf([...changed, "README.md"], base).map(({ tool, directory }) => [tool, directory])).toEqual([
    ["tsc", "web/app"],
    ["tsc", "."],
    ["cargo check", "core"],
    ["go vet", "."],
    ["python compileall", "."],
  ]);
  expect(checksOf(["web/app/src/a.ts"], base)[0]?.command).toContain("for folder in . .. ../..;");
});

test.each([
  ["a.ts", "a.ts(3,5): error TS2322: Type 'A'.", "a.ts(9,1): error TS2322: Type 'A'."],
  [
    "src/lib.rs",
    "src/lib.rs:3:5: error[E0308]: mismatched types",
    "src/lib.rs:9:5: error[E0308]: mismatched types",
  ],
  ["a.go", "vet: ./a.go:3:2: undefined: y", "vet: ./a.go:9:2: undefined: y"],
  ["a.py", "*** Error compiling 'a.py'...", "*** Error compiling 'a.py'..."],
])("only errors count that the base lacks: %s", (path, before, moved) => {
  const check = checkOf([path]);
  expect(compareRuns(check, run(before), run(moved)).errors).toEqual([]);
  expect(compareRuns(check, run(before), run(`${moved}\n${moved}`)).errors).toHaveLength(1);
  expect(compareRuns(check, run(""), run(before)).errors).toHaveLength(1);
  expect(compareRuns(check, run(before), run("")).errors).toEqual([]);
});

test("a tool that cannot run decides nothing, and says why", () => {
  const check = checkOf(["a.ts"]);
  const missing = run("the project has no installed tsc\n", 127);
  expect(compareRuns(check, missing, missing)).toEqual({
    unavailable: "the project has no installed tsc",
    errors: [],
  });
  const late = { end: "timed-out", exitCode: null, output: "" };
  expect(compareRuns(check, run(""), late)).toEqual({ unavailable: "it was timed-out", errors: [] });
});

test("a patch after which the tool fails otherwise has an error, unless the patch changes dependencies", () => {
  const failed = run("error: no matching package named `serde` found", 101);
  expect(compareRuns(checkOf(["src/lib.rs"]), run(""), failed).errors).toHaveLength(1);
  expect(compareRuns(checkOf(["src/lib.rs", "Cargo.toml"]), run(""), failed).unavailable).toContain("serde");
  const lacking = run("a.ts(1,1): error TS2307: Cannot find module 'x'.");
  expect(compareRuns(checkOf(["a.ts"]), run(""), lacking).errors).toHaveLength(1);
  expect(compareRuns(checkOf(["a.ts", "package.json"]), run(""), lacking).errors).toEqual([]);
});
