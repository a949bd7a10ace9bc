/** A tear-down that fails after the tests passed: each reporter says it of the file, in a run of all tests and of one. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatTestKey } from "../../src/domain/test-outcome.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";
import { openFixture } from "./test-frameworks-fixture.ts";
import { javascriptFixtures } from "./test-frameworks-javascript.ts";
import { otherJavascriptFixtures } from "./test-frameworks-javascript-other.ts";
import { pythonFixtures } from "./test-frameworks-python.ts";

interface Sample {
  readonly framework: string;
  readonly file: string;
  readonly text: string;
  readonly command: string;
}

const fails = 'throw new Error("a handle is left open");';
const group = (open: string, close: string): string =>
  `describe("group", () => {\n  it("passes", () => {});\n  ${open}(() => { ${close} });\n});\n`;

const samples: Record<string, Sample> = {
  "mocha, a hook of a group": {
    framework: "mocha",
    file: "test/hook.test.js",
    text: group("after", fails),
    command: "npx mocha test/hook.test.js",
  },
  "mocha, a hook outside of any group": {
    framework: "mocha",
    file: "test/hook.test.js",
    text: `${group("after", "")}after(() => { ${fails} });\n`,
    command: "npx mocha test/hook.test.js",
  },
  jest: {
    framework: "jest",
    file: "test/hook.test.js",
    text: group("afterAll", fails),
    command: "npx jest test/hook.test.js",
  },
  "vitest, a hook of a group": {
    framework: "vitest",
    file: "test/hook.test.ts",
    text: `import { afterAll, describe, it } from "vitest";\n${group("afterAll", fails)}`,
    command: "npx vitest run test/hook.test.ts",
  },
  "vitest, an error that nobody handles": {
    framework: "vitest",
    file: "test/hook.test.ts",
    text: `import { describe, it } from "vitest";\ndescribe("group", () => { it("passes", () => { Promise.reject(new Error("a handle is left open")); }); });\n`,
    command: "npx vitest run test/hook.test.ts",
  },
  "node:test": {
    framework: "node-test",
    file: "test/hook.test.js",
    text: `const { after, describe, it } = require("node:test");\n${group("after", fails)}`,
    command: "node --test test/hook.test.js",
  },
  "jasmine, a hook of a group": {
    framework: "jasmine",
    file: "spec/hookSpec.js",
    text: group("afterAll", fails),
    command: "npx jasmine spec/hookSpec.js",
  },
  unittest: {
    framework: "unittest",
    file: "tests/test_hook.py",
    text: [
      "import unittest",
      "class group(unittest.TestCase):",
      "    def test_passes(self): pass",
      "    @classmethod",
      '    def tearDownClass(cls): raise ValueError("a handle is left open")',
      "",
    ].join("\n"),
    command: "python3 -m unittest discover -s tests -p test_hook.py",
  },
};

const fixtures: readonly FrameworkFixture[] = [
  ...javascriptFixtures,
  ...otherJavascriptFixtures,
  ...pythonFixtures,
];

test.for(Object.entries(samples))("%s", async ([, { framework, file, text, command }], context) => {
  const fixture = fixtures.find((each) => each.framework.name === framework);
  if (fixture === undefined) throw new Error(`no fixture of ${framework}`);
  const missing = await fixture.unavailable();
  context.skip(missing !== undefined, missing);
  const open = await openFixture(fixture);
  try {
    rmSync(join(open.root, "crash"), { recursive: true, force: true });
    writeFileSync(join(open.root, file), text);
    const statusesOf = async (selection?: Parameters<typeof open.run>[0]["selection"]) => {
      const { report } = await open.run({ command, ...(selection && { selection }) });
      expect(report.invalid).toBeUndefined();
      return report.outcomes.map(({ key, status }) => [formatTestKey(key), status]);
    };
    const all = await statusesOf();
    const passing = all.find(([, status]) => status === "passed")?.[0]?.slice(`${file}::`.length) ?? "";
    const expected = [
      [`${file}::${passing}`, "passed"],
      [`${file}::`, "errored"],
    ];
    expect(all).toEqual(expected);
    const one = { kind: "tests", tests: [{ package: "", target: file, name: passing }] } as const;
    expect(await statusesOf(one)).toEqual(expected);
  } finally {
    open.close();
  }
});
