/** Checks the promises of every test framework: runs the tests of one small repository for each. */
import { globSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, isFailing, type TestOutcome } from "../../src/domain/test-outcome.ts";
import { crashType } from "../../src/languages/report-lines.ts";
import {
  type FixtureRun,
  type FrameworkFixture,
  type OpenFixture,
  openFixture,
} from "./test-frameworks-fixture.ts";

/** The repositories of the everyday tests: at least one for each language that a change often breaks. The long tests have the others. */
const everyday = new Set([
  "python-pytest",
  "javascript-node-test",
  "javascript-jest",
  "go-test",
  "cargo-test",
  "maven-junit5",
  "ruby-minitest",
  "php-phpunit",
]);

/** Those of each `test-frameworks-LANGUAGE.ts` in this folder: what it exports with a name that ends in `Fixtures`. */
async function loadFixtures(): Promise<FrameworkFixture[]> {
  const fixtures: FrameworkFixture[] = [];
  for (const file of globSync("test-frameworks-*.ts", { cwd: import.meta.dirname }).sort()) {
    const name = file.slice("test-frameworks-".length, -".ts".length);
    if (/\.test$|^(?:fixture|own-pytest)$/.test(name)) continue;
    const exported: Record<string, unknown> = await import(`./test-frameworks-${name}.ts`);
    for (const [key, value] of Object.entries(exported))
      if (key.endsWith("Fixtures") && Array.isArray(value)) fixtures.push(...value);
  }
  return fixtures;
}

export async function describeFrameworks(which: "everyday" | "others"): Promise<void> {
  for (const fixture of await loadFixtures())
    if (everyday.has(fixture.repository) === (which === "everyday")) await describeFramework(fixture);
}

function statusesOf(outcomes: readonly TestOutcome[]): Record<string, string> {
  return Object.fromEntries(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

async function describeFramework(fixture: FrameworkFixture): Promise<void> {
  const reason = await fixture.unavailable();
  const title = `${fixture.framework.name} on ${fixture.repository}`;
  describe.skipIf(reason !== undefined)(
    reason === undefined ? title : `${title} (skipped: ${reason})`,
    () => {
      let open: OpenFixture;
      let whole: FixtureRun;

      beforeAll(async () => {
        open = await openFixture(fixture);
        whole = await open.run({ coverage: true, testTimeoutMs: 1000 });
      });
      afterAll(() => open.close());

      test("detects its command first", () => {
        const [first] = [...fixture.framework.detect(open.project)].sort(
          (a, b) => b.likelihood - a.likelihood,
        );
        expect(first?.command).toBe(fixture.detected);
        expect(first?.framework).toBe(fixture.framework.name);
        expect(first && open.recognise(first.command).command).toBe(fixture.detected);
      });

      test("reports each test once, with its status", () => {
        expect(whole.report.invalid).toBeUndefined();
        expect(statusesOf(whole.report.outcomes)).toEqual(fixture.statuses);
        expect(whole.report.outcomes).toHaveLength(Object.keys(fixture.statuses).length);
      });

      test("says of each failure its type, its message and where it was raised", () => {
        for (const outcome of whole.report.outcomes) {
          expect(outcome.failure !== undefined, formatTestKey(outcome.key)).toBe(isFailing(outcome.status));
        }
        for (const [key, expected] of Object.entries(fixture.failures)) {
          const failure = whole.report.outcomes.find(
            (outcome) => formatTestKey(outcome.key) === key,
          )?.failure;
          expect(failure?.type, key).toBe(expected.type);
          expect(failure?.message, key).toMatch(expected.message);
          const frames = failure?.frames.map((frame) => `${frame.file}:${frame.line}`) ?? [];
          expect(frames.slice(frames.length - expected.frames.length), key).toEqual(expected.frames);
          expect(failure?.text.length, key).toBeLessThan(5000);
        }
      });

      test("attributes executed lines to tests, and those of a load to what was loaded", () => {
        for (const [key, files] of Object.entries(fixture.coverage)) {
          for (const [path, lines] of Object.entries(files)) {
            expect(whole.report.coverage.get(key)?.[path], `${key} in ${path}`).toEqual(lines);
          }
        }
      });

      test("runs the tests of one file", async () => {
        const { target } = fixture.oneTest;
        const run = await open.run({ selection: { kind: "files", files: [target] } });
        const wanted = Object.entries(fixture.statuses).filter(([key]) => key.startsWith(`${target}::`));
        expect(statusesOf(run.report.outcomes)).toEqual(Object.fromEntries(wanted));
      });

      test.skipIf(fixture.framework.canary === undefined)(
        "tells a canary that fails from one that passes, beside a test, in a varied run",
        async () => {
          const canary = await open.addCanary(fixture.oneTest);
          const tests = [fixture.oneTest, canary.fails, canary.passes];
          const run = await open.run({ selection: { kind: "tests", tests }, varied: true });
          canary.remove();
          expect(run.report.invalid).toBeUndefined();
          expect(statusesOf(run.report.outcomes)).toEqual({
            [formatTestKey(fixture.oneTest)]: "passed",
            [formatTestKey(canary.fails)]: "failed",
            [formatTestKey(canary.passes)]: "passed",
          });
        },
      );

      test("runs one test with its coverage, though asked for thousands, and says of those that are not there that they were not run", async () => {
        const many = Array.from({ length: 20_000 }, (_, number) => ({
          ...fixture.oneTest,
          name: `a test with a long name that is not there, number ${number * 7919}`,
        }));
        const key = formatTestKey(fixture.oneTest);
        const run = await open.run({
          selection: { kind: "tests", tests: [...many, fixture.oneTest] },
          coverage: true,
        });
        expect(run.report.invalid).toBeUndefined();
        const absent = many.map((each) => [formatTestKey(each), "not-run"]);
        expect(statusesOf(run.report.outcomes)).toEqual({ ...Object.fromEntries(absent), [key]: "passed" });
        expect(run.report.coverage.get(key)).toEqual(whole.report.coverage.get(key));
      });

      test.skipIf(fixture.runsAllTests)("stops at the first failure when told to", async () => {
        const { target } = fixture.hangingTest;
        const selection = { kind: "files", files: [target] } as const;
        const run = await open.run({ selection, testTimeoutMs: 1000, stopAtFirstFailure: true });
        const failing = run.report.outcomes.filter((outcome) => isFailing(outcome.status));
        const wouldFail = whole.report.outcomes.filter(
          (outcome) => outcome.key.target === target && isFailing(outcome.status),
        );
        // More than one where one cause fails several, such as a set-up that tests share.
        expect(failing.length).toBeGreaterThan(0);
        expect(failing.length).toBeLessThan(wouldFail.length);
        expect(run.report.outcomes.some((outcome) => outcome.status === "not-run")).toBe(true);
      });

      test.skipIf(fixture.crash === undefined)("blames the test in which the process died", async () => {
        if (!fixture.crash) return;
        const run = await open.run({ command: fixture.crash.command });
        expect(statusesOf(run.report.outcomes)).toEqual(fixture.crash.statuses);
        expect(run.report.outcomes.find((outcome) => outcome.status === "failed")?.failure?.type).toBe(
          crashType,
        );
        expect(run.report.invalid).toMatch(/ended early/);
      });

      test.skipIf(fixture.killed === undefined)("keeps what a killed run had finished", async () => {
        if (!fixture.killed) return;
        const { command, finished, during } = fixture.killed;
        const name = during.slice(during.indexOf("::") + 2);
        const run = await open.run({
          command,
          testTimeoutMs: 90_000,
          killAt: `"test-started","test":{"package":"","target":"${during.split("::")[0]}","name":"${name}"}`,
        });
        const statuses = statusesOf(run.report.outcomes);
        expect(run.result.aborted).toBe(true);
        expect(statuses[finished]).toBe("passed");
        expect(statuses[during]).toBe("failed");
        expect(Object.values(statuses)).toContain("not-run");
        expect(run.report.invalid).toBeDefined();
      });
    },
  );
}
