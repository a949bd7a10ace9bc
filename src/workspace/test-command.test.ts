import { describe, expect, test } from "vitest";
import type { TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import type { ProjectView, TestCommand } from "../languages/contract.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import { findTestCommand, listTestCommands } from "./test-command.ts";
import type { TestRun } from "./test-runner.ts";

function project(texts: Record<string, string>): ProjectView {
  return { files: Object.keys(texts), read: (path) => texts[path], exists: (path) => path in texts };
}

function command(text: string, directory = "", likelihood = 0.9): TestCommand {
  return { framework: "pytest", directory, command: text, foundBy: "a file", likelihood };
}

/** `a:passed` is a test, `:errored` a target that did not load. Each has its own target, except those with a `/`. */
function outcomes(tests: readonly string[]): TestOutcome[] {
  return tests.map((text, at) => {
    const [name = "", status = ""] = text.split(":");
    const failing = status === "failed" || status === "errored";
    const failure = { type: "Error", message: `about ${at}`, frames: [], text: "" };
    const key = { package: "", target: name.includes("/") ? (name.split("/")[0] ?? "") : `t${at}`, name };
    return { key, status: status as TestStatus, durationMs: 1, ...(failing ? { failure } : {}) };
  });
}

function run(
  tests: readonly string[],
  more: Partial<TestRun> & { invalid?: string; said?: string } = {},
): TestRun {
  const { invalid, said = "", ...given } = more;
  const report = { outcomes: outcomes(tests), coverage: new Map(), invalid };
  return { report, end: "exited", exitCode: 1, durationMs: 1, output: said, ...given };
}

/** Runs the search on known trials and returns the commands that it tried. */
async function search(
  trials: Record<string, TestRun>,
  options = {},
  commands = Object.keys(trials).map((text) => command(text)),
) {
  const tried: string[] = [];
  const found = await findTestCommand(
    commands,
    async (one) => {
      tried.push(one.command);
      return trials[one.command] ?? run([], { invalid: "nothing" });
    },
    options,
  );
  return { found, tried };
}

describe("findTestCommand", () => {
  test("takes the first command whose report can be trusted, and tries no other", async () => {
    const { found, tried } = await search({
      a: run([], { invalid: "no" }),
      b: run(["x:passed"]),
      c: run(["x:passed"]),
    });
    expect(found).toMatchObject({ ok: true, value: { command: { command: "b" } } });
    expect(tried).toEqual(["a", "b"]);
  });

  test("passes over a command for which most targets do not load, and says so", async () => {
    const broken = run([":errored", ":errored", "x:passed"]);
    const { found } = await search({ broken, whole: run(["x:passed", "y:failed", ":errored"]) });
    expect(found).toMatchObject({ ok: true, value: { command: { command: "whole" } } });
    if (!found.ok) return;
    expect(found.value.remarks[0]).toMatch(/^1 of 3 targets did not load \(t2\): about 2/);
    expect(found.value.remarks[1]).toMatch(/^passed over `broken`: 2 of 3 targets did not load/);
  });

  test("takes no suite of fixtures for its failing tests, and says what a folder's tests leave out", async () => {
    const view = project(
      Object.fromEntries(["tests/test_a.py", "tests/test_b.py", "docs/test_c.py"].map((path) => [path, ""])),
    );
    const trials = {
      whole: run([], { invalid: "no configuration" }),
      documents: run(["x:passed"]),
      samples: run(["x:failed", "y:failed"]),
    };
    const commands = [
      command("whole"),
      command("documents", "docs"),
      command("samples", "tests/example_scripts"),
    ];
    const prefers = ({ report }: TestRun) => report.outcomes.some(({ status }) => status === "failed");
    const { found, tried } = await search(trials, { project: view, prefers }, commands);
    expect(tried).toEqual(["whole", "documents"]);
    expect(found.ok && found.value.command.directory).toBe("docs");
    expect(found.ok && found.value.remarks[0]).toBe(
      "Only the tests in docs run: 1 of 3 test files. The state of the other files is unknown, because `whole` does not run here",
    );
  });

  test("says once what a run that gave nothing printed", async () => {
    const said = "ERROR: file or directory not found: test_gone.py";
    const { found } = await search({
      a: run([], { invalid: `no test ran (exit code 4): ${said}`, said, exitCode: 4 }),
      b: run([], { invalid: "the run reported nothing", said, exitCode: 4 }),
    });
    expect(found).toMatchObject({
      ok: false,
      message: `No test command gave a usable report. Tried \`a\`: no test ran (exit code 4): ${said}; \`b\`: the run reported nothing (exited, exit code 4, ${said}). Give a test command that runs here.`,
    });
  });

  test.each<TestStatus>(["failed", "timed-out"])(
    "takes no plain command that the time limit stopped before its first result: %s",
    async (status) => {
      const failure = { type: "Crash", message: "the command was stopped", frames: [], text: "" };
      const key = { package: "", target: "command", name: "ends with exit code 0" };
      const stopped = run([], { end: "timed-out", exitCode: null });
      const report = { ...stopped.report, outcomes: [{ key, status, durationMs: 1, failure }] };
      const trials = { cargo: run([], { invalid: "cut off" }), make: { ...stopped, report } };
      const commands = [command("cargo"), { ...command("make"), framework: "command" }];
      const { found } = await search(trials, { isCut: () => true }, commands);
      expect(found.ok).toBe(false);
    },
  );

  test("takes a command that had results when the time limit stopped it", async () => {
    const part = run(["a:passed", "b:passed"], { end: "timed-out", invalid: "cut off" });
    expect((await search({ part }, { isCut: () => true })).found.ok).toBe(true);
  });

  test("tries no other command while a likelier one is still building", async () => {
    const building = run([], { end: "timed-out", invalid: "cut off" });
    const options = { isCut: () => true, isBuilding: (ran: TestRun) => ran === building };
    const { found, tried } = await search({ cargo: building, make: run(["a:passed"]) }, options);
    expect([found.ok, tried]).toEqual([false, ["cargo"]]);
  });

  test("takes no lines of a package manager that misses its network for failing tests", async () => {
    const said = "error: failed to get `bstr` as a dependency of package `similar v1.0.0`";
    const plain = { ...command("make test"), framework: "command" };
    const lines = run(["a:failed", "b:failed"], { said, exitCode: 101 });
    const { found } = await search({ "make test": lines }, { project: project({}) }, [plain]);
    expect(found).toMatchObject({ ok: false, message: expect.stringContaining("run `cargo fetch`") });
  });

  test("does not take a failure of the runner itself for a test", async () => {
    const { report, ...rest } = run(["x:errored"]);
    const own = report.outcomes.map((one) => ({ ...one, key: { ...one.key, target: "" } }));
    const { found } = await search({ broken: { ...rest, report: { ...report, outcomes: own } } });
    expect(found).toMatchObject({ ok: false });
    expect(!found.ok && found.message).toMatch(/`broken`: about 0/);
  });

  test("keeps it where nothing better is there: the one with the most tests", async () => {
    const { found } = await search({
      a: run([":errored", ":errored"]),
      b: run([":errored", ":errored", "x:failed"]),
      c: run([], { invalid: "no" }),
    });
    expect(found).toMatchObject({ ok: true, value: { command: { command: "b" } } });
  });

  test("takes a run that died in a test for what it shows", async () => {
    const died = run(["x:passed", "y:failed"], { invalid: "it ended early" });
    const [, last] = died.report.outcomes;
    const crashed = {
      ...died,
      report: {
        ...died.report,
        outcomes: [{ ...last, failure: { ...last?.failure, type: "Crash" } } as TestOutcome],
      },
    };
    expect((await search({ died })).found.ok).toBe(false);
    expect((await search({ crashed })).found.ok).toBe(true);
  });

  test("looks into the other suites for a preferred one, and takes the largest where there is none", async () => {
    const trials = {
      a: run(["x:passed"]),
      again: run(["x:failed"]),
      b: run(["x:passed", "y:passed"]),
      c: run(["x:failed"]),
    };
    const commands = [command("a"), command("again"), command("b", "web"), command("c", "api")];
    const prefers = ({ report }: TestRun): boolean => report.outcomes.some((one) => one.status === "failed");
    const first = await search(trials, { prefers }, commands);
    expect(first).toMatchObject({ tried: ["a", "b", "c"], found: { value: { command: { command: "c" } } } });
    const second = await search(trials, { prefers: () => false }, commands);
    expect(second.found).toMatchObject({ value: { command: { command: "b" } } });
    const ofWeb = (_: TestRun, { directory }: TestCommand): boolean => directory === "web";
    expect((await search(trials, { prefers: ofWeb }, commands)).tried).toEqual(["a", "b"]);
  });

  test("ends at a suite that is too slow, and says that it is found", async () => {
    const slow = run(["x:passed"], { invalid: "it was killed", end: "timed-out", durationMs: 1_800_000 });
    const { found, tried } = await search({ slow, other: run(["x:passed"]) });
    expect(tried).toEqual(["slow"]);
    expect(found).toMatchObject({
      ok: false,
      message: expect.stringMatching(
        /`slow` \(a file\) runs the tests, but the tests were still running after 30 minutes/,
      ),
    });
  });

  test("goes on after a run that hung soon", async () => {
    const hung = run(["x:passed"], { invalid: "it was killed", end: "timed-out", durationMs: 80_000 });
    expect((await search({ hung, other: run(["x:passed"]) })).tried).toEqual(["hung", "other"]);
  });

  test.each([
    ["keeps a likelier command that stalled after more tests", "", "all", true],
    ["takes another suite in its place", "web", "part", undefined],
  ])("%s", async (_, directory, expected, isStalled) => {
    const stalled = { invalid: "cut off (it was killed)", end: "timed-out", durationMs: 80_000 } as const;
    const trials = { all: run(["a:passed", "b:passed"], stalled), part: run(["a:passed"]) };
    const { found } = await search(trials, {}, [command("all"), command("part", directory)]);
    expect(found).toMatchObject({ ok: true, value: { command: { command: expected } } });
    expect(found.ok && found.value.isStalled).toBe(isStalled);
    const equal = { ...trials, part: run(["a:passed", "b:passed"]) };
    expect((await search(equal)).found).toMatchObject({ value: { command: { command: "part" } } });
  });

  test.each([
    [
      "No module named pytest",
      { "setup.py": "" },
      /the Python module pytest is not installed; run `python3 -m venv \.venv && \.venv\/bin\/python -m pip install -e \. pytest`/,
    ],
    ["/bin/sh: 1: exec: cargo: not found", {}, /the program cargo is not on the PATH/],
    [
      "python -m pytest: error: unrecognized arguments: --cov=a --cov-branch",
      { "setup.py": "" },
      /pytest-cov is not installed; run `.* -e \. pytest-cov`/,
    ],
    ['Unknown file extension ".ts" for a.ts', {}, /install Node 22\.18/],
    ["missing go.sum entry for module", {}, /run `go mod download`/],
    [
      "Cannot access central (url) in offline mode",
      {},
      /run `mvn test` or `.\/mvnw test` once with network access/,
    ],
    ["error: failed to download `a v1`", {}, /run `cargo fetch`/],
  ])("says what is missing: %s", async (said, texts, expected) => {
    const { found } = await search({ a: run([], { invalid: "nothing", said }) }, { project: project(texts) });
    expect(found).toMatchObject({ ok: false, message: expect.stringMatching(expected) });
  });

  test("does not take the lack of packages for a fault of the code", async () => {
    const view = project({ "package.json": '{ "devDependencies": { "mocha": "1" } }', "yarn.lock": "" });
    const trial = { ...command("npx mocha"), framework: "mocha" };
    const found = await findTestCommand([trial], async () => run([":errored"]), { project: view });
    expect(found).toMatchObject({
      ok: false,
      message: expect.stringMatching(/no node_modules\); run `yarn install`/),
    });
  });
});

describe("listTestCommands", () => {
  test("ranks by likelihood, and the language that most files are in before the others", () => {
    const texts = {
      "package.json": '{ "scripts": { "test": "mocha" } }',
      "test/a.js": "",
      "pytest.ini": "",
      "test_a.py": "import pytest\n",
    };
    const python = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p/m${at}.py`, ""]));
    const script = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`p/m${at}.js`, ""]));
    expect(listTestCommands(project({ ...texts, ...python }), testFrameworks, undefined)[0]?.framework).toBe(
      "pytest",
    );
    expect(listTestCommands(project({ ...texts, ...script }), testFrameworks, undefined)[0]?.framework).toBe(
      "mocha",
    );
  });

  test("of equally likely packages, the one with the nearest tests comes first", () => {
    const manifest = '{ "scripts": { "test": "mocha" } }';
    const view = project({
      "packages/a/package.json": manifest,
      "packages/a/test/one.js": "",
      "packages/b/package.json": manifest,
      "packages/b/test/two.js": "",
    });
    const first = (near: readonly string[]) =>
      listTestCommands(view, testFrameworks, undefined, near)[0]?.directory;
    expect(first([])).toBe("packages/a");
    expect(first(["packages/b/test/two.js"])).toBe("packages/b");
  });

  test("of equally likely packages, the one that the statement names comes first", () => {
    const manifest = '{ "scripts": { "test": "mocha" } }';
    const files = ["packages/csv-parse", "packages/csv-write", "packages/util"].flatMap((folder) => [
      [`${folder}/package.json`, manifest],
      [`${folder}/test/one.js`, ""],
    ]);
    const first = (statement: string, near: readonly string[] = []) =>
      listTestCommands(project(Object.fromEntries(files)), testFrameworks, undefined, near, statement)[0]
        ?.directory;
    expect(first("fix(csv-write): quote fields", ["packages/csv-parse/test/one.js"])).toBe(
      "packages/csv-write",
    );
    expect(first("`@scope/csv-write` loses a field")).toBe("packages/csv-write");
    expect(first("See packages/util/index.js")).toBe("packages/util");
    expect(first("a util that is csv-write-like")).toBe("packages/csv-parse");
  });

  test.each([
    ["cargo test -p a && cargo test -p b", ["cargo test -p a", "cargo test -p b"]],
    ["bundle exec rspec a && bundle exec rspec b", ["bundle exec rspec a", "bundle exec rspec b"]],
    ["vendor/bin/phpunit a && vendor/bin/phpunit b", ["vendor/bin/phpunit a", "vendor/bin/phpunit b"]],
    ["npx jest -c a.js && npx jest -c b.js", ["npx jest -c a.js", "npx jest -c b.js"]],
    ["npx jest && pytest", ["npx jest && pytest", "pytest"]],
    ["npx jest a.js && npx jest b.js", ["npx jest a.js && npx jest b.js"]],
    ["go test ./a && go test ./b", ["go test ./a && go test ./b"]],
    ["cargo build && cargo test", ["cargo test"]],
  ])("takes each run of tests of %s", async (given, commands) => {
    const view = project({
      "Cargo.toml": "[package]\n",
      "package.json": "{}",
      "a_spec.rb": "",
      "a/x_test.go": "",
    });
    const found = listTestCommands(view, testFrameworks, given);
    const parsed = found.filter(({ framework }) => framework !== "command");
    expect(parsed.map(({ command }) => command)).toEqual(commands);
    const chosen = await findTestCommand(found, async () => run(["x:passed"]));
    const others = commands.slice(1).map((command) => expect.stringContaining(command));
    expect(chosen.ok && chosen.value.remarks).toEqual(others);
  });

  test("follows a given command to what it calls", () => {
    const view = project({ Makefile: "test:\n\tcd sub && A=1 pytest -x tests\n", "sub/tests/test_a.py": "" });
    const [found] = listTestCommands(view, testFrameworks, "make test");
    expect(found).toMatchObject({
      framework: "pytest",
      directory: "sub",
      foundBy: "--test-command → make test",
    });
    expect(found?.command).toContain("pytest -x tests");
    expect(listTestCommands(view, testFrameworks, "make lint")).toMatchObject([
      { framework: "command", command: "make lint" },
    ]);
    expect(() => listTestCommands(view, testFrameworks, " ")).toThrow(/runs no framework/);
  });
});
