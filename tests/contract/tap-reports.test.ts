/** What tape, node-tap and AVA print, as recorded from their releases: a program of the same name prints it again. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatTestKey, type TestStatus } from "../../src/domain/test-outcome.ts";
import type { TestFramework } from "../../src/languages/contract.ts";
import ava from "../../src/languages/javascript/ava.ts";
import tap from "../../src/languages/javascript/tap.ts";
import tape from "../../src/languages/javascript/tape.ts";
import { type FrameworkFixture, openFixture } from "./test-frameworks-fixture.ts";

const samples = join(import.meta.dirname, "../fixtures/tap");

function fixtureOf(framework: TestFramework, sample: string, exitCode: number): FrameworkFixture {
  return {
    framework,
    repository: "javascript-tap",
    unavailable: async () => undefined,
    async prepare(root) {
      const programs = join(root, "node_modules/.bin");
      mkdirSync(programs, { recursive: true });
      cpSync(join(samples, sample), join(programs, "said.tap"));
      const program = join(programs, framework.name);
      writeFileSync(program, `#!/bin/sh\ncat "$(dirname "$0")/said.tap"\nexit ${exitCode}\n`);
      chmodSync(program, 0o755);
    },
    detected: `npx ${framework.name} test/*.js`,
    statuses: {},
    failures: {},
    coverage: {},
    oneTest: { package: "", target: "", name: "" },
    hangingTest: { package: "", target: "", name: "" },
  };
}

const tapStatuses: Record<string, TestStatus> = {
  "test/a.js::a.js": "passed",
  "test/a.js::adds": "failed",
  "test/a.js::outer > inner": "passed",
  "test/a.js::skipped": "skipped",
  "test/a.js::todo": "skipped",
  "test/a.js::throws": "failed",
  "test/b.js::passes": "passed",
};

test.each<[TestFramework, string, number, Record<string, TestStatus>, Record<string, RegExp>]>([
  [tap, "tap-21.tap", 1, tapStatuses, { "test/a.js::adds": /^two is bad/, "test/a.js::throws": /^boo/ }],
  [tap, "tap-16.tap", 1, tapStatuses, { "test/a.js::adds": /^two is bad/, "test/a.js::throws": /^boo/ }],
  [tap, "buffered.tap", 1, { "test/a.js::adds": "passed", "test/b.js::adds": "failed" }, {}],
  [
    ava,
    "ava-6.tap",
    1,
    {
      "test/one.js::adds": "failed",
      "test/one.js::sk": "skipped",
      "test/one.js::later": "skipped",
      "test/one.js::known": "passed",
      "test/one.js::throws": "failed",
      "test/two.js::fine": "passed",
      "test/bad.js::": "errored",
    },
    {},
  ],
])("%o reads %s", async (framework, sample, exitCode, statuses, messages) => {
  const open = await openFixture(fixtureOf(framework, sample, exitCode));
  try {
    const { report } = await open.run({});
    expect(report.invalid).toBeUndefined();
    const found = report.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]);
    expect(Object.fromEntries(found)).toEqual(statuses);
    for (const [key, message] of Object.entries(messages)) {
      const failure = report.outcomes.find((outcome) => formatTestKey(outcome.key) === key)?.failure;
      expect(failure?.message).toMatch(message);
      expect(failure?.frames.at(-1)?.file).toBe(key.split("::")[0]);
    }
  } finally {
    open.close();
  }
});

test("tape: the assertions up to the next name are the test's", async () => {
  const open = await openFixture(fixtureOf(tape, "tape-5.tap", 1));
  try {
    const { report } = await open.run({ command: "npx tape test/a.js" });
    expect(report.invalid).toBeUndefined();
    expect(Object.fromEntries(report.outcomes.map(({ key, status }) => [key.name, status]))).toEqual({
      adds: "failed",
      outer: "passed",
      inner: "passed",
      skipped: "skipped",
      todo: "expected-failure",
      throws: "failed",
    });
    const one = await open.run({
      command: "npx tape test/a.js",
      selection: { kind: "tests", tests: [{ package: "", target: "test/a.js", name: "inner" }] },
    });
    expect(one.report.outcomes.map(({ key, status }) => [key.name, status])).toEqual([["inner", "passed"]]);
  } finally {
    open.close();
  }
});

test.each<[TestFramework, string, string, string]>([
  [
    tape,
    "says its plan twice",
    "npx tape test/a.js",
    "# adds\nok 1 yes\n\n1..1\n# pass 1\nnot ok 1 no\n1..1\n",
  ],
  [
    tap,
    "is told of a process that left before it",
    "npx tap test/a.js",
    "# Subtest: test/a.js\n    # Subtest: adds\n        ok 1 - yes\n        1..1\n    ok 1 - adds\n    1..1\nnot ok 1 - test/a.js\n  ---\n  exitCode: 97\n  ...\n1..1\n",
  ],
])("%o that %s is not believed", async (framework, _, command, said) => {
  const fixture = fixtureOf(framework, "tape-5.tap", 1);
  const open = await openFixture({
    ...fixture,
    async prepare(root) {
      await fixture.prepare?.(root);
      writeFileSync(join(root, "node_modules/.bin/said.tap"), said);
    },
  });
  try {
    const { report } = await open.run({ command });
    expect(report.invalid).toMatch(/is cut off/);
  } finally {
    open.close();
  }
});

/** A `tape` that runs one test for each file that asks for it, and leaves in its own exit handler, as tape does. */
const tapeLike = `#!/usr/bin/env node
const Test = require(process.cwd() + "/node_modules/tape/lib/test");
process.on("exit", (code) => {
  console.log("\\n1..1\\n# pass 1");
  process.exit(code);
});
for (const file of process.argv.slice(2)) {
  const name = require(process.cwd() + "/" + file).test;
  if (!name) continue;
  const test = Object.assign(new Test(), { name });
  test.run();
  console.log("# " + name + "\\nok 1 yes");
  test.emit("end");
}
`;

test.each<[string, string, RegExp | undefined]>([
  ["without a test does not spoil", "module.exports = [1];", undefined],
  ["that ends the process does spoil", "process.exit(0);", /is cut off/],
  ["that plays a natural end does spoil", 'process.emit("beforeExit"); process.exit(0);', /is cut off/],
])("a file %s tape's report", async (_, text, invalid) => {
  const open = await openFixture({
    ...fixtureOf(tape, "tape-5.tap", 0),
    async prepare(root) {
      const library = join(root, "node_modules/tape/lib");
      for (const folder of [library, join(root, "node_modules/.bin"), join(root, "more")])
        mkdirSync(folder, { recursive: true });
      writeFileSync(
        join(library, "test.js"),
        'module.exports = class extends require("events") { run() {} comment() {} };',
      );
      writeFileSync(join(root, "node_modules/.bin/tape"), tapeLike, { mode: 0o755 });
      writeFileSync(join(root, "more/a.js"), 'module.exports = { test: "adds" };');
      writeFileSync(join(root, "more/data.js"), text);
    },
  });
  try {
    const { report } = await open.run({ command: "npx tape more/*.js" });
    if (invalid !== undefined) expect(report.invalid).toMatch(invalid);
    else {
      expect(report.invalid).toBeUndefined();
      expect(report.outcomes.map(({ key, status }) => [formatTestKey(key), status])).toEqual([
        ["more/a.js::adds", "passed"],
      ]);
    }
  } finally {
    open.close();
  }
});
