/** Packages whose tests are started by something else than a runner's own command: a workspace's root, a tool of the project's. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatTestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import type { TestFramework } from "../../src/languages/contract.ts";
import workspaces from "../../src/languages/discovery/workspaces.ts";
import mocha from "../../src/languages/javascript/mocha.ts";
import { openFixture } from "./test-frameworks-fixture.ts";

function open(framework: TestFramework, repository: string, detected: string) {
  const nothing = { package: "", target: "", name: "" };
  return openFixture({
    framework,
    repository,
    detected,
    unavailable: async () => undefined,
    prepare: async (root) =>
      symlinkSync(join(import.meta.dirname, "../../node_modules"), join(root, "node_modules")),
    statuses: {},
    failures: {},
    coverage: {},
    oneTest: nothing,
    hangingTest: nothing,
  });
}

function statusesOf(outcomes: readonly TestOutcome[]): Record<string, string> {
  return Object.fromEntries(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

const parts =
  "(cd packages/broken && npx mocha --require ./missing.js); (cd packages/names && npx uvu test); (cd packages/sums && npx mocha test/*.js)";

test("runs each package of a workspace by its own runner", async () => {
  const fixture = await open(workspaces, "javascript-workspaces", parts);
  try {
    expect(workspaces.detect(fixture.project).map((one) => one.command)).toEqual([parts]);
    const { report } = await fixture.run({});
    expect(report.invalid).toBeUndefined();
    expect(statusesOf(report.outcomes)).toEqual({
      "@several/sums/packages/sums/test/sums.js::adds": "passed",
      "@several/sums/packages/sums/test/sums.js::multiplies": "failed",
      "@several/names/packages/names/test/names.js::it's joined": "passed",
      "packages/broken::": "errored",
    });
  } finally {
    fixture.close();
  }
});

test("runs one of many tests in its package, and starts no other", async () => {
  const fixture = await open(workspaces, "javascript-workspaces", parts);
  try {
    const key = { package: "@several/names", target: "packages/names/test/names.js", name: "it's joined" };
    const gone = Array.from({ length: 20_000 }, (_, at) => ({
      ...key,
      name: `${"not there ".repeat(6)}${at}`,
    }));
    const { report } = await fixture.run({ selection: { kind: "tests", tests: [...gone, key] } });
    expect(report.invalid).toBeUndefined();
    const ran = report.outcomes.filter(({ status }) => status !== "not-run");
    expect(ran.map((outcome) => [outcome.key, outcome.status])).toEqual([[key, "passed"]]);
  } finally {
    fixture.close();
  }
});

test("a script of the project's own that builds and starts mocha is run as it is", async () => {
  const fixture = await open(mocha, "javascript-inside", "npm test");
  try {
    expect(mocha.detect(fixture.project)[0]?.command).toBe("npm test");
    const { report } = await fixture.run({});
    expect(report.invalid).toBeUndefined();
    expect(statusesOf(report.outcomes)).toEqual({
      "test/sums.js::adds": "passed",
      "test/sums.js::fails": "failed",
    });
    const key = { package: "", target: "test/sums.js", name: "adds" };
    const one = await fixture.run({ selection: { kind: "tests", tests: [key] } });
    expect(statusesOf(one.report.outcomes)).toEqual({ "test/sums.js::adds": "passed" });
  } finally {
    fixture.close();
  }
});
