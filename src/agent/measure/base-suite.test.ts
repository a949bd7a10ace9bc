import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { tellLeftOut } from "../code/collected-tests.ts";
import { openRecorder } from "../record/recorder.ts";
import type { ExecutorRequest, Suite, TestExecutor } from "../suite.ts";
import { openBaseSuite } from "./base-suite.ts";
import { measureSuite, type SuiteWanted } from "./measure-suite.ts";

const at = (target: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  key: { package: "", target, name: "test_it" },
  status,
  durationMs: 10,
});
const files = ["test_a.py", "test_b.py", "test_c.py"];

/**
 * A repository with three test files. `endsIn`: milliseconds that all of them take. `original`: the folder of the run
 * that this one repeats.
 */
async function open(remainingMs: number, endsIn = 0, original?: string) {
  const directory = mkdtempSync(join(tmpdir(), "millwright-base-suite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const recorder = await openRecorder(directory, () => {}, undefined, { original });
  onTestFinished(() => recorder.close());
  const asked: string[] = [];
  const command: TestCommand = { framework: "f", directory: "", command: "run", foundBy: "", likelihood: 1 };
  const framework = partOf<TestFramework>({ name: "f", detect: () => [], recognise: () => command });
  const context = partOf<Parameters<typeof openBaseSuite>[0]>({
    ...{ recorder, limits: { remainingMs: () => remainingMs }, frameworks: [framework], testCommand: "run" },
    workspace: { base: "b", isolated: false, trees: { list: async () => files.map((path) => ({ path })) } },
    task: { statement: "it is wrong" },
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { selection, timeoutMs }: ExecutorRequest) {
      const wanted = selection.kind === "files" ? selection.files : files;
      asked.push(`${selection.kind} ${selection.kind === "files" ? selection.files.join(" ") : ""}`.trim());
      const isCut = selection.kind === "all" && timeoutMs < endsIn;
      const outcomes = isCut
        ? [at("test_a.py"), at("test_b.py", "timed-out")]
        : wanted.map((each) => at(each));
      const report = { outcomes, coverage: new Map(), invalid: isCut ? "cut off" : undefined };
      return {
        report,
        end: isCut ? "timed-out" : "exited",
        exitCode: 0,
        durationMs: isCut ? timeoutMs : 30,
        output: "",
      };
    },
  });
  const measure = async (wanted: SuiteWanted): Promise<Suite> => {
    const suite = await measureSuite(context, executor, wanted);
    if (!suite.ok) throw new Error(suite.message);
    return suite.value;
  };
  return { context, executor, asked, measure, directory };
}

const ran = (suite: Suite) => suite.outcomes.map(({ key }) => key.target);
const first = { files: ["test_a.py"], of: 3 };

test("begins with the nearest tests, adds files that are asked for, and becomes whole once, in place", async () => {
  const { context, executor, asked, measure } = await open(Number.POSITIVE_INFINITY);
  const suite = await measure({ first });
  expect(ran(suite)).toEqual(["test_a.py"]);
  expect(tellLeftOut(suite, files)).toMatch(/nearest tests ran, 1 of 3 test files/);
  let changes = 0;
  const base = openBaseSuite(context, executor, suite, async () => {
    changes += 1;
  });
  await base.know(["test_a.py", "test_b.py", "new_test.py"]);
  expect(ran(suite)).toEqual(["test_a.py", "test_b.py"]);
  await base.whole();
  await base.whole();
  await base.know(["test_c.py"]);
  expect([ran(suite), suite.part, changes]).toEqual([files, undefined, 2]);
  expect(asked).toEqual(["files test_a.py", "files test_b.py", "all"]);
  await base.close();
});

test("tests of a file that the run of all tests does not contain are no tests of the suite", async () => {
  const { context, executor, measure } = await open(Number.POSITIVE_INFINITY);
  const suite = await measure({ first: { files: ["test_a.py", "other.spec.js"], of: 3 } });
  const base = openBaseSuite(context, executor, suite, async () => {});
  await base.whole();
  expect(suite.uncollected).toEqual(["other.spec.js::test_it"]);
});

test("what has no time is a part: the tests that ended, and the evidence says so", async () => {
  const { context, executor, measure } = await open(40_000, 120_000);
  const suite = await measure({ first });
  const base = openBaseSuite(context, executor, suite, async () => {});
  await base.whole();
  expect(suite.part?.why).toBe("time");
  expect(ran(suite)).toEqual(["test_a.py"]);
  expect(tellLeftOut(suite, files)).toMatch(
    /Only part of the tests ran, 1 of 3 test files .* did not end within/,
  );
  await base.know(["test_a.py", "test_b.py"]);
  expect([ran(suite), suite.part?.why]).toEqual([["test_a.py", "test_b.py"], "time"]);
});

test("the nearest tests whose build took too long at first stay known where all tests take too long", async () => {
  const { context, executor, measure } = await open(40_000, 120_000);
  const suite = await measure({ first });
  const part = { files: [], of: 0, why: "first" as const, isCut: true, nearest: ["test_b.py"] };
  Object.assign(suite, { outcomes: [], part });
  const base = openBaseSuite(context, executor, suite, async () => {});
  await base.whole();
  expect(suite.part).toMatchObject({ why: "time", nearest: ["test_b.py"] });
  await base.know(suite.part?.nearest ?? []);
  expect(ran(suite)).toEqual(["test_a.py", "test_b.py"]);
});

test("a repeated run that was cut off has a part, although the original says that all tests ran", async () => {
  const { directory } = await open(40_000, 120_000);
  const result = { outcomes: [at("test_a.py")], durationMs: 30, isEnded: true };
  const line = JSON.stringify({ event: "step-finished", at: 1, step: "whole-suite", result });
  appendFileSync(join(directory, "events.jsonl"), `${line}\n`);
  const again = await open(40_000, 120_000, directory);
  const suite = await again.measure({ first });
  await openBaseSuite(again.context, again.executor, suite, async () => {}).whole();
  expect([ran(suite), suite.part?.why]).toEqual([["test_a.py"], "time"]);
  expect(suite.own?.durationMs).toBeGreaterThan(30);
});

test("a small suite that exceeds its share of the time counts as far as it came", async () => {
  const { measure } = await open(40_000, 120_000);
  const suite = await measure({ timeMs: 10_000 });
  expect([ran(suite), suite.part?.why]).toEqual([["test_a.py"], "time"]);
  const unhurried = await open(Number.POSITIVE_INFINITY, 120_000);
  expect((await unhurried.measure({})).part).toBeUndefined();
});

test("all tests run again if the run in the background cannot be trusted", async () => {
  const { context, executor, asked, measure } = await open(Number.POSITIVE_INFINITY);
  const suite = await measure({ first });
  const { signal } = new AbortController();
  const isolated = { ...context, signal, workspace: { ...context.workspace, isolated: true } };
  const spoilt = {
    report: { outcomes: [at("test_a.py", "not-run")], coverage: new Map(), invalid: "the run ended early" },
    ...{ end: "exited" as const, exitCode: 1, durationMs: 30, output: "" },
  };
  const behind = { ended: Promise.resolve(), within: async () => spoilt };
  const base = openBaseSuite(
    isolated,
    executor,
    suite,
    async () => {},
    () => behind,
  );
  await base.whole();
  expect([ran(suite), suite.part, asked.at(-1)]).toEqual([files, undefined, "all"]);
});

test("files run alone if the run of all tests cannot be trusted", async () => {
  const { context, executor, measure } = await open(Number.POSITIVE_INFINITY);
  const suite = await measure({ first });
  const breaking = partOf<TestExecutor>({
    async run(command: TestCommand, wanted: ExecutorRequest) {
      const found = await executor.run(command, wanted);
      const isBroken =
        wanted.selection.kind === "all" ||
        (wanted.selection.kind === "files" && wanted.selection.files.includes("test_c.py"));
      return isBroken ? { ...found, report: { ...found.report, invalid: "the run ended early" } } : found;
    },
  });
  const base = openBaseSuite(context, breaking, suite, async () => {});
  await base.whole();
  expect(suite.part?.why).toBe("invalid");
  await base.know(["test_b.py"]);
  await base.know(["test_c.py"]);
  expect([ran(suite), suite.part?.why]).toEqual([["test_a.py", "test_b.py"], "invalid"]);
});

test("several processes run a long suite, and the suite says whether further runs may use them", async () => {
  const { context, executor, measure } = await open(Number.POSITIVE_INFINITY);
  const suite = await measure({ first });
  const long = { ...suite, durationMs: 20_000 };
  const divided: ExecutorRequest["divided"][] = [];
  const run: TestExecutor["run"] = async (command, request) => {
    divided.push(request.divided);
    const isDivided = request.divided !== undefined;
    return { ...(await executor.run(command, request)), isDivided, onlyTogether: ["test_a.py::test_it"] };
  };
  await openBaseSuite(context, { ...executor, run }, long, async () => {}).whole();
  expect([divided, long.isDivided]).toEqual([[{ times: {} }], false]);
});

test("noted times choose the files that fit, in the order of their importance; the others run when asked for again", async () => {
  const { context, executor, asked, measure } = await open(100_000, 120_000);
  const suite = await measure({ first });
  const rememberedTimes = new Map([["test_c.py", 60_000]]);
  const base = openBaseSuite({ ...context, rememberedTimes }, executor, suite, async () => {});
  await base.know(["test_b.py", "test_c.py"]);
  expect([ran(suite), asked.at(-1)]).toEqual([["test_a.py", "test_b.py"], "files test_b.py"]);
  expect(suite.part?.files).toEqual(["test_a.py", "test_b.py"]);
  await base.know(["test_b.py", "test_c.py"]);
  expect([ran(suite), asked.at(-1)]).toEqual([["test_a.py", "test_b.py", "test_c.py"], "files test_c.py"]);
});
