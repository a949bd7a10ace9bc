import { expect, test } from "vitest";
import { compareRuns, describeResults, listChecks, type ProjectCheck, whyEmpty } from "./project-checks.ts";

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
  ["a.py", "*** Error compiling 'a.py'...", "*** Error compiling 'a.py'..."],
])("only errors count that the base lacks: %s", (path, before, moved) => {
  const check = checkOf([path]);
  expect(compareRuns(check, run(before), run(moved))).toEqual({ errors: [] });
  expect(compareRuns(check, run(before), run(`${moved}\n${moved}`)).errors).toHaveLength(1);
  expect(compareRuns(check, run(""), run(before)).errors).toHaveLength(1);
  expect(compareRuns(check, run(before), run(""))).toEqual({ errors: [] });
});

test.each([
  ["src/lib.rs", "src/b.rs:3:5: error[E0308]: mismatched types", "src/lib.rs:9:5: error[E0382]: borrow"],
  ["a.go", "vet: ./a.go:3:2: undefined: y", "vet: ./b.go:9:2: undefined: z"],
  ["a.ts", "a.ts(3,5): error TS1005: ';' expected.", "a.ts(3,5): error TS2304: Cannot find name 'x'."],
  ["a.ts", "error TS5083: Cannot read file 'base.json'.", "a.ts(3,5): error TS2304: Cannot find name 'x'."],
])(
  "a tool that stops at an error of the base judges only a patch without errors: %s %s",
  (path, before, after) => {
    const check = checkOf([path]);
    const hidden = { unavailable: "an error without the patch may hide others", errors: [] };
    expect(compareRuns(check, run(before), run(after))).toEqual(hidden);
    expect(compareRuns(check, run(before), run(""))).toEqual({ errors: [] });
    expect(compareRuns(check, run(""), run(after)).errors).toHaveLength(1);
  },
);

test("if the base has errors, new errors in unchanged files do not count", () => {
  const check = checkOf(["a.ts"]);
  const known = "b.ts(3,5): error TS2322: Type 'A'.";
  const mine = "a.ts(1,1): error TS2304: Cannot find name 'x'.";
  const other = "c.ts(1,1): error TS2304: Cannot find name 'x'.";
  expect(compareRuns(check, run(known), run(`${known}\n${other}`))).toEqual({
    unavailable: "these errors may have a cause other than the patch: c.ts: TS2304: Cannot find name 'x'.",
    errors: [],
  });
  expect(compareRuns(check, run(known), run(`${known}\n${mine}`)).errors).toHaveLength(1);
  expect(compareRuns(check, run(""), run(other)).errors).toHaveLength(1);
});

test("a known error may move to another file", () => {
  const check = checkOf(["src/b.ts", "src/lib/b.ts"]);
  const [before, after] = ["src/b.ts", "src/lib/b.ts"].map((path) => `${path}(3,5): error TS2322: Type 'A'.`);
  expect(compareRuns(check, run(before ?? ""), run(after ?? ""))).toEqual({ errors: [] });
  expect(compareRuns(check, run(before ?? ""), run(`${before}\n${after}`)).errors).toHaveLength(1);
});

test("a cut output decides nothing", () => {
  const error = "a.ts(3,5): error TS2322: Type 'A'.";
  const cut = run(`${error}\n[… 12 bytes left out …]\n${error}`);
  const long = { unavailable: "its output is too long", errors: [] };
  expect(compareRuns(checkOf(["a.ts"]), cut, run(error))).toEqual(long);
  expect(compareRuns(checkOf(["a.ts"]), run(error), cut)).toEqual(long);
});

test("only the compiler's errors count as go vet's", () => {
  expect(checkOf(["a.go"]).command).toContain("go vet -asmdecl ./...");
});

test("a configuration that names only other projects judges nothing", () => {
  const check = checkOf(["a.ts"]);
  const names = "tsconfig.json names only other projects";
  expect(whyEmpty(check, '{ "files": [], "references": [{ "path": "./app" }] }')).toBe(names);
  expect(whyEmpty(check, '{ // "include": ["src"]\n "references": [{ "path": "./app" }] }')).toBe(names);
  expect(whyEmpty(check, '{ "include": ["src"], "references": [{ "path": "./app" }] }')).toBeUndefined();
  expect(whyEmpty(check, "{}")).toBeUndefined();
  expect(whyEmpty(check, undefined)).toBe("the patch removes tsconfig.json");
  expect(whyEmpty(checkOf(["a.py"]), undefined)).toBeUndefined();
});

test("a tool that cannot run decides nothing, and says why", () => {
  const check = checkOf(["a.ts"]);
  const missing = run("the project has no installed tsc\n", 127);
  expect(compareRuns(check, missing, missing)).toEqual({
    unavailable: "the project has no installed tsc",
    errors: [],
  });
  const late = { end: "timed-out", exitCode: null, output: "" };
  expect(compareRuns(check, run(""), late)).toEqual({
    unavailable: "its run ended early: timed-out",
    errors: [],
  });
});

test("a patch after which the tool fails otherwise has an error, unless dependencies may be missing", () => {
  const cycle = run("package shop: import cycle not allowed", 1);
  expect(compareRuns(checkOf(["a.go"]), run(""), cycle).errors).toHaveLength(1);
  expect(compareRuns(checkOf(["a.go", "go.mod"]), run(""), cycle).unavailable).toContain("cycle");
  expect(compareRuns(checkOf(["a.go"]), run(""), run("signal: killed", 137)).unavailable).toContain("killed");
  const failed = run("error: no matching package named `serde` found", 101);
  expect(compareRuns(checkOf(["src/lib.rs"]), run(""), failed).unavailable).toContain("serde");
});

test.each([
  ["a.ts", "a.ts(1,1): error TS2307: Cannot find module 'x' or its corresponding type declarations."],
  ["a.ts", "a.ts(1,1): error TS2582: Cannot find name 'test'. Do you need to install type definitions?"],
  ["a.go", "a.go:4:2: github.com/x/y@v1.0.0: module lookup disabled by GOPROXY=off"],
  ["a.go", "a.go:4:2: no required module provides package github.com/x/y; to add it:"],
  ["src/lib.rs", "src/lib.rs:1:5: error[E0432]: unresolved import `serde`"],
])("an error of a missing dependency does not count: %s %s", (path, output) => {
  const { errors, unavailable } = compareRuns(checkOf([path]), run(""), run(output));
  expect(errors).toEqual([]);
  expect(unavailable).toContain("may have a cause other than the patch");
});

test.each([
  ["a.ts", "a.ts(1,1): error TS2307: Cannot find module './x' or its corresponding type declarations."],
  ["src/lib.rs", "src/lib.rs:1:5: error[E0432]: unresolved import `crate::fee`"],
])("a missing file of the project counts: %s", (path, output) => {
  expect(compareRuns(checkOf([path]), run(""), run(output)).errors).toHaveLength(1);
});

test("a missing dependency excuses further errors of its file, also if the base lacks it elsewhere", () => {
  const lacking = (file: string) => `${file}(1,1): error TS2307: Cannot find module 'react'.`;
  const further = (file: string) => `${file}(2,1): error TS7031: Binding element 'x' has an 'any' type.`;
  const check = checkOf(["a.ts", "c.ts"]);
  const after = [lacking("b.ts"), lacking("c.ts"), further("c.ts")];
  expect(compareRuns(check, run(lacking("b.ts")), run(after.join("\n"))).errors).toEqual([]);
  after.push(further("a.ts"));
  expect(compareRuns(check, run(lacking("b.ts")), run(after.join("\n"))).errors).toHaveLength(1);
});

test("the evidence tells each result, and the number of checks that did not run", () => {
  const checks = ["a", "b", "c"].map((directory) => ({ tool: "tsc", directory }));
  const results = [{ errors: [] }, { unavailable: "its run ended early: timed-out", errors: [] }];
  const told =
    "tsc in a reports no new error; tsc in b cannot judge the patch (its run ended early: timed-out)";
  expect(describeResults(checks, results)).toEqual({
    holds: true,
    evidence: `${told}; 1 further check did not run, because the patch changes many projects`,
  });
  expect(describeResults(checks.slice(0, 1), [{ errors: ["a.ts: TS1"] }])).toEqual({
    holds: false,
    evidence: "tsc in a reports 1 new error: a.ts: TS1",
  });
});
