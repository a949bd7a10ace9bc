import { expect, test } from "vitest";
import {
  describeCollected,
  keepCollected,
  listUncollected,
  refuseUncollected,
  runFiles,
  tellLeftOut,
  tellPart,
} from "./collected-tests.ts";

const suiteOf = (command: string, ...targets: readonly string[]) => ({
  command: { framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
  outcomes: targets.map((target) => ({
    key: { package: "", target, name: "works" },
    status: "passed" as const,
    durationMs: 1,
  })),
});

const units = ["test/unit/core/headers.js", "test/unit/core/merge.js", "test/unit/utils/trim.js"];
const specs = ["test/specs/api.spec.js", "test/specs/form.spec.js"];

test("the command's own pattern says what it runs, in folders that are new too", () => {
  const suite = suiteOf("mocha 'test/unit/**/*.js' --exit", ...units);
  const files = [...units, ...specs, "lib/index.js"];
  expect(describeCollected(suite, files)).toBe(
    "The test command is `mocha 'test/unit/**/*.js' --exit`. It runs test/unit/core/*.js (2 files), test/unit/utils/*.js. It does not run test/specs/*.spec.js (2 files). A new test file counts only if the command runs it.",
  );
  expect(
    refuseUncollected(suite, files, ["test/unit/core/names.js", "test/unit/fresh/a.js"]),
  ).toBeUndefined();
  expect(refuseUncollected(suite, files, ["test/specs/names.spec.js"])).toMatch(
    /does not run test\/specs\/names\.spec\.js: .* a folder like test\/unit\/core\/\*\.js \(2 files\), test\/unit\/utils\/\*\.js\.$/,
  );
  expect(
    listUncollected(suite, files, ["test/unit/core/names.js", "test/specs/api.spec.js", "a.json"]),
  ).toEqual(["test/specs/api.spec.js"]);
});

test("files in test folders that the command does not run are not like those that it ran", () => {
  const beside = ["testing/__init__.py", "testing/helpers.py", "testing/example_scripts/test_first.py"];
  const files = ["testing/test_a.py", "testing/test_b.py", ...beside];
  expect(keepCollected(suiteOf("pytest", "testing/test_a.py"), files)).toEqual(files.slice(0, 2));
  expect(keepCollected(suiteOf("mocha", ...units.slice(0, 1)), [...units, ...specs])).toEqual(
    units.slice(0, 2),
  );
  expect(keepCollected(suiteOf("pytest"), files)).toEqual(files);
});

test("of a part of the tests, test data with test names is left out, unless the command ran such files there", () => {
  const data = "testing/example_scripts/config/test_foo.py";
  const files = ["testing/test_a.py", "testing/new/test_b.py", data, "testing/examples/test_c.py"];
  const part = { files: [], of: 4, why: "time" as const };
  const ran = suiteOf("pytest", "testing/test_a.py", "testing/examples/test_c.py");
  expect(keepCollected({ ...ran, part }, files)).toEqual(files.filter((path) => path !== data));
});

test("who judges by the tests is told where the command leaves many of them out, and of few nothing", () => {
  const suite = suiteOf("mocha 'test/unit/**/*.js' --exit", ...units);
  expect(tellLeftOut(suite, [...units, ...specs, "lib/index.js"])).toBe(
    "The test command runs 3 of 5 test files, but not test/specs/*.spec.js (2 files).",
  );
  expect(tellLeftOut(suite, [...units, "test/specs/api.spec.js"])).toBe("");
  expect(tellLeftOut(suiteOf("go test ./..."), ["a_test.go"])).toBe("");
});

test("of a workspace's command, all tests of other packages are left out, also those that are tests only by their folder", () => {
  const { command, ...rest } = suiteOf("npx mocha 'test/**/*.js'", "demo/cjs/test/samples.js");
  const suite = { ...rest, command: { ...command, directory: "demo/cjs" } };
  const others = ["packages/a/test/option.js", "packages/b/test/api.js", "packages/b/test/fixtures/big.js"];
  expect(tellLeftOut(suite, ["demo/cjs/test/samples.js", ...others])).toBe(
    "The test command runs 1 of 3 test files, but not packages/a/test/*.js, packages/b/test/*.js.",
  );
  expect(refuseUncollected(suite, ["demo/cjs/test/samples.js"], ["packages/a/test/fresh.js"])).toContain(
    "in demo/cjs does not run packages/a/test/fresh.js, and Millwright found no command that does",
  );
});

test("without a pattern, a file is run where those are that are named and placed alike", () => {
  const suite = suiteOf("npx jest", "src/a.test.ts", "src/deep/b.test.ts");
  const files = ["src/a.test.ts", "src/deep/b.test.ts", "e2e/c.test.ts", "src/a.ts"];
  expect(refuseUncollected(suite, files, ["src/new.test.ts", "src/other/new.test.ts"])).toBeUndefined();
  expect(refuseUncollected(suite, files, ["e2e/new.test.ts"])).toContain("does not run e2e/new.test.ts");
});

test("where reports name no files, or there are none yet, nothing is refused", () => {
  expect(refuseUncollected(suiteOf("mvn test", "org.A"), ["src/A.java"], ["src/B.java"])).toBeUndefined();
  expect(describeCollected(suiteOf("go test ./..."), ["a_test.go"])).toBe(
    "The test command is `go test ./...`.",
  );
});

test("of files that are named like any other none is refused, for the command may run a first one", () => {
  const suite = suiteOf("cargo test", "src/lib.rs");
  const files = ["src/lib.rs", "src/parse.rs", "tests/wasm.rs"];
  expect(refuseUncollected(suite, files, ["tests/zone.rs"])).toBeUndefined();
  expect(describeCollected(suite, files)).toBe("The test command is `cargo test`.");
});

test("of a part, what the command's own pattern leaves out is not run, and what it names is", () => {
  const part = { files: ["test/unit/core/merge.js"], of: 3, why: "first" as const };
  const suite = { ...suiteOf("mocha test/unit/**/*.js --exit", "test/unit/core/merge.js"), part };
  const told = describeCollected(suite, [...units, ...specs, "lib/index.js"]);
  expect(told).toContain(
    "It runs test/unit/core/*.js (2 files), test/unit/utils/*.js. It does not run test/specs",
  );
});

test("of a part without a pattern, files with names like any other are meant too below the folders of those that ran", () => {
  const part = { files: ["test/index.js"], of: 4, why: "first" as const };
  const suite = { ...suiteOf("npx tap", "test/index.js"), part };
  const files = ["test/index.js", "test/functions/inc.js", "test/fixtures/increments.js", "functions/inc.js"];
  expect(runFiles(suite, files)).toEqual(["test/index.js", "test/functions/inc.js"]);
  expect(runFiles(suiteOf("npx tap", "test/index.js"), files)).toEqual(["test/index.js"]);
});

test("of a part, a file with another ending of the same language is meant too", () => {
  const part = { files: ["src/hono.test.ts"], of: 3, why: "first" as const };
  const suite = { ...suiteOf("npx vitest run", "src/hono.test.ts"), part };
  const files = ["src/hono.test.ts", "src/jsx/index.test.tsx", "bench/main_test.go"];
  expect(runFiles(suite, files)).toEqual(["src/hono.test.ts", "src/jsx/index.test.tsx"]);
  expect(refuseUncollected(suite, files, ["src/jsx/fresh.test.tsx"])).toBeUndefined();
});

test("a part of the tests is told by what is known of it", () => {
  const { outcomes } = suiteOf("cargo test", "src/lib.rs", "tests/map.rs");
  const files = ["src/lib.rs", "tests/map.rs"];
  expect(tellPart({ part: { files, of: 0, why: "time" }, outcomes })).toMatch(
    /^Only part of the tests ran, 2 test files \(src\/lib\.rs, tests\/map\.rs\)/,
  );
  expect(tellPart({ part: { files, of: 5, why: "time" }, outcomes })).toContain("2 of 5 test files");
  expect(tellPart({ part: { files, of: 2, why: "time" }, outcomes })).toContain(
    "not all tests of 2 test files",
  );
  expect(tellPart({ part: { files: [], of: 0, why: "time" }, outcomes: [] })).toBe("No test of the base ran");
  const first = { files: [], of: 0, why: "first" as const };
  expect(tellPart({ part: first, outcomes })).toContain("The whole suite takes longer");
  // A build that was cut off may be one that cannot work.
  expect(tellPart({ part: first, outcomes: [] })).toMatch(
    /^The first run reached its time limit before any test ended. .* during the work$/,
  );
  expect(tellPart({ part: { ...first, why: "invalid" }, outcomes: [] })).toMatch(/^No test result counts/);
});

test("a written file that prepares tests and does not load is refused with its error", () => {
  const suite = suiteOf("python3 -m pytest", "tests/test_a.py");
  const files = ["tests/test_a.py", "tests/conftest.py", "tests/test_b.py"];
  const message = "No module named 'absent'";
  const failure = { type: "ModuleNotFoundError", message, frames: [], text: message };
  const key = { package: "", target: "tests/conftest.py", name: "" };
  const outcomes = [{ key, status: "errored" as const, durationMs: 0, failure }];
  const glob = { ...suite, command: { ...suite.command, command: "python3 -m pytest 'tests/test_*.py'" } };
  const written = ["tests/conftest.py"];
  expect(refuseUncollected(glob, files, written)).toContain("does not run tests/conftest.py");
  expect(refuseUncollected(glob, files, written, outcomes)).toBe(
    `tests/conftest.py does not load, so the tests that need it do not run: ModuleNotFoundError: ${message}`,
  );
});
