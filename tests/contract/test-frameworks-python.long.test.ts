/** What only Python's frameworks promise. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { copyPytest } from "./test-frameworks-own-pytest.ts";
import { pythonFixtures } from "./test-frameworks-python.ts";

const fixture = pythonFixtures.find(({ framework }) => framework.name === "pytest");
if (fixture === undefined) throw new Error("there is no fixture of pytest");
const reason = await fixture.unavailable();

function describeOutcomes(outcomes: readonly TestOutcome[]): string[] {
  return outcomes.map(({ key, status, failure }) => {
    const last = failure?.frames.at(-1);
    return [formatTestKey(key), status, failure?.type, last && `${last.file}:${last.line}`]
      .filter((part) => part !== undefined)
      .join(" ");
  });
}

describe.skipIf(reason !== undefined)(`pytest${reason === undefined ? "" : ` (skipped: ${reason})`}`, () => {
  let open: OpenFixture;
  beforeAll(async () => {
    open = await openFixture(fixture);
  });
  afterAll(() => open.close());

  test("a call that never comes back to the interpreter ends the run, and its test is named", async () => {
    const run = await open.run({ command: "python3 -m pytest crash/test_stuck.py", testTimeoutMs: 500 });
    expect(describeOutcomes(run.report.outcomes)).toEqual([
      "crash/test_stuck.py::test_before passed",
      "crash/test_stuck.py::test_stuck timed-out TimeoutError crash/test_stuck.py:9",
      "crash/test_stuck.py::test_never_reached not-run",
    ]);
  });

  test("what swallows the time limit ends all the same, fails, and the next test runs", async () => {
    const swallowing = [
      "import asyncio",
      "import time",
      "",
      "",
      "def test_loop():",
      "    loop = asyncio.new_event_loop()",
      "",
      "    def again():",
      "        loop.call_soon(again)",
      "        time.sleep(0.2)",
      "",
      "    loop.call_soon(again)",
      "    loop.run_forever()",
      "",
      "",
      "def test_caught():",
      "    try:",
      "        time.sleep(30)",
      "    except BaseException:",
      "        pass",
      "",
      "",
      "def test_next():",
      "    pass",
      "",
    ].join("\n");
    const own = await openFixture({
      ...fixture,
      prepare: async (root) => writeFileSync(join(root, "swallow_test.py"), swallowing),
    });
    try {
      const run = await own.run({ command: "python3 -m pytest swallow_test.py", testTimeoutMs: 500 });
      expect(run.report.invalid).toBeUndefined();
      expect(run.report.outcomes.map(({ key, status }) => `${key.name} ${status}`)).toEqual([
        "test_loop timed-out",
        "test_caught timed-out",
        "test_next passed",
      ]);
    } finally {
      await own.close();
    }
  });

  test("the traceback of a test that took too long ends in its own code", async () => {
    const command = "python3 -m pytest tests/test_hostile.py -k test_hangs";
    const run = await open.run({ command, testTimeoutMs: 500 });
    const failure = run.report.outcomes.find(({ status }) => status === "timed-out")?.failure;
    expect(failure?.message).toContain("took longer than");
    expect(failure?.text).not.toContain("millwright_limit.TimeLimit");
  });

  test("where the runner is the repository's own, its report of a failure is not what the test runs", async () => {
    const failing = ["def test_good():", "    pass", "", "", "def test_bad():", "    raise ValueError(1)"];
    const own = await openFixture({ ...fixture, prepare: async (root) => copyPytest(root, failing) });
    try {
      const run = await own.run({ command: "python3 -m pytest own_test.py", coverage: true });
      expect(describeOutcomes(run.report.outcomes)).toEqual([
        "own_test.py::test_good passed",
        "own_test.py::test_bad failed ValueError own_test.py:6",
      ]);
      const [good, bad] = ["good", "bad"].map(
        (name) => run.report.coverage.get(`own_test.py::test_${name}`) ?? {},
      );
      expect(good?.["_pytest/python.py"]?.length).toBeGreaterThan(0);
      const more = ["_pytest/reports.py", "_pytest/terminal.py"].flatMap((file) =>
        (bad?.[file] ?? []).filter((line) => !good?.[file]?.includes(line)),
      );
      expect(more).toEqual([]);
    } finally {
      own.close();
    }
  });

  test("a module of the repository that has a name of the standard library is its tests' alone", async () => {
    const own = await openFixture({
      ...fixture,
      prepare: async (root) => {
        writeFileSync(join(root, "json.py"), "KEPT = 1\n");
        writeFileSync(
          join(root, "own_test.py"),
          "import json\n\ndef test_own():\n    assert json.KEPT == 1\n",
        );
      },
    });
    try {
      const run = await own.run({ command: "python3 -m pytest own_test.py" });
      expect(describeOutcomes(run.report.outcomes)).toEqual(["own_test.py::test_own passed"]);
    } finally {
      own.close();
    }
  });

  test("a parameter that is named by its address has the same name in each run, and is asked for by it", async () => {
    const lines = [
      "import pytest",
      "class Day:",
      "    pass",
      "days = [Day(), Day()]",
      "@pytest.mark.parametrize('day', days, ids=str)",
      "def test_day(day):",
      "    assert day is days[0]",
    ];
    const prepare = async (root: string) => writeFileSync(join(root, "own_test.py"), lines.join("\n"));
    const own = await openFixture({ ...fixture, prepare });
    const name = "test_day[<own_test.Day object at 0x>]";
    try {
      const run = await own.run({ command: "python3 -m pytest own_test.py" });
      expect(run.report.outcomes.map(({ key, status }) => [key.name, status])).toEqual([
        [name, "passed"],
        [`${name} #2`, "failed"],
      ]);
      const second = run.report.outcomes.slice(1).map(({ key }) => key);
      const again = await own.run({
        command: "python3 -m pytest own_test.py",
        selection: { kind: "tests", tests: second },
      });
      expect(again.report.outcomes.map(({ key, status }) => [key.name, status])).toEqual([
        [`${name} #2`, "failed"],
      ]);
    } finally {
      own.close();
    }
  });

  test("a conftest.py that does not load fails the tests that were asked for", async () => {
    const tests = ["test_one", "test_two"].map((name) => ({
      package: "",
      target: "broken/test_broken.py",
      name,
    }));
    const run = await open.run({ selection: { kind: "tests", tests } });
    expect(run.report.invalid).toBeUndefined();
    expect(describeOutcomes(run.report.outcomes)).toEqual([
      "broken/test_broken.py::test_one failed ImportError broken/conftest.py:1",
      "broken/test_broken.py::test_two failed ImportError broken/conftest.py:1",
    ]);
  });

  test("a target that was asked for as a whole is reported as loaded, with its tests", async () => {
    const load = { package: "", target: "crash/test_endless.py", name: "" };
    const run = await open.run({ selection: { kind: "tests", tests: [load] }, testTimeoutMs: 300 });
    expect(
      describeOutcomes(run.report.outcomes).map((line) => line.replace(/ timed-out .*/, " timed-out")),
    ).toEqual([
      "crash/test_endless.py:: passed",
      "crash/test_endless.py::test_before passed",
      "crash/test_endless.py::test_endless timed-out",
      "crash/test_endless.py::test_never_reached passed",
    ]);
  });

  test("what pytest is configured to do for reports and speed does not change the run", async () => {
    const addopts = "--override-ini='addopts=-x --maxfail=1 --lf'";
    const run = await open.run({
      command: `python3 -m pytest ${addopts} tests/test_prices.py`,
      coverage: true,
    });
    const wanted = Object.entries(fixture.statuses).filter(([key]) => key.startsWith("tests/test_prices.py"));
    const statuses = run.report.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]);
    expect(Object.fromEntries(statuses)).toEqual(Object.fromEntries(wanted));
  });

  test("the run leaves nothing in the repository", async () => {
    await open.run({ selection: { kind: "tests", tests: [fixture.oneTest] }, coverage: true });
    const left = open.project.files.filter((file) => /__pycache__|\.pyc$|\.pytest_cache|\.jsonl$/.test(file));
    expect(left).toEqual([]);
    expect(open.project.exists(".pytest_cache")).toBe(false);
    expect(open.project.exists("tests/__pycache__")).toBe(false);
  });
});

const unittest = pythonFixtures.find(({ framework }) => framework.name === "unittest");

describe.skipIf(unittest === undefined || (await unittest.unavailable()) !== undefined)("unittest", () => {
  test("a test that swallows the time limit fails, and the next test runs", async () => {
    if (unittest === undefined) return;
    const swallowing = [
      "import time",
      "import unittest",
      "",
      "",
      "class Swallow(unittest.TestCase):",
      "    def test_caught(self):",
      "        try:",
      "            time.sleep(30)",
      "        except BaseException:",
      "            pass",
      "",
      "    def test_next(self):",
      "        pass",
      "",
    ].join("\n");
    const prepare = async (root: string) => writeFileSync(join(root, "swallow_test.py"), swallowing);
    const own = await openFixture({ ...unittest, prepare });
    try {
      const run = await own.run({ command: "python3 -m unittest swallow_test", testTimeoutMs: 500 });
      expect(run.report.invalid).toBeUndefined();
      expect(run.report.outcomes.map(({ status }) => status)).toEqual(["timed-out", "passed"]);
    } finally {
      await own.close();
    }
  });

  test("runs a documentation test of a source by its key: another module loads it", async () => {
    if (unittest === undefined) return;
    const prepare = async (root: string): Promise<void> => {
      mkdirSync(join(root, "tests"), { recursive: true });
      const source = 'def twice(number):\n    """\n    >>> twice(2)\n    4\n    """\n    return number * 2\n';
      const gathers =
        "import doctest\n\nimport twice\n\n\ndef load_tests(loader, tests, ignore):\n    tests.addTests(doctest.DocTestSuite(twice))\n    return tests\n";
      writeFileSync(join(root, "twice.py"), source);
      writeFileSync(join(root, "tests", "test_docs.py"), gathers);
    };
    const own = await openFixture({ ...unittest, prepare });
    try {
      const key = { package: "", target: "twice.py", name: "twice.twice" };
      const command = "PYTHONPATH=. python3 -m unittest discover -s tests";
      const run = await own.run({ command, selection: { kind: "tests", tests: [key] } });
      expect(describeOutcomes(run.report.outcomes)).toEqual(["twice.py::twice.twice passed"]);
    } finally {
      own.close();
    }
  });
});
