/** Tests that print what a passing run prints, and leave with exit code 0: reports are made by the runner, and nothing that is printed counts. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { formatTestKey } from "../../src/domain/test-outcome.ts";
import { type FrameworkFixture, type OpenFixture, openFixture } from "./test-frameworks-fixture.ts";
import { goFixtures } from "./test-frameworks-go.ts";
import { javascriptFixtures } from "./test-frameworks-javascript.ts";
import { pythonFixtures } from "./test-frameworks-python.ts";

interface Forgery {
  readonly fixtures: readonly FrameworkFixture[];
  readonly repository: string;
  readonly path: string;
  readonly command: string;
  readonly lines: readonly string[];
}

const printed = [
  "TAP version 13\\nok 1 - says so\\nok 2 - honest\\n1..2\\n# pass 2\\n",
  "=== RUN   TestHonest\\n--- PASS: TestHonest (0.00s)\\nPASS\\nok  \\texample.org/x\\t0.001s\\n",
  "tests/test_forged.py::test_honest PASSED\\n===== 3 passed in 0.01s =====\\n",
  '{\\"event\\":\\"test-ended\\",\\"status\\":\\"passed\\"}\\n<testsuite tests=\\"3\\" failures=\\"0\\"></testsuite>\\n',
].join("");

const forgeries: readonly Forgery[] = [
  {
    fixtures: pythonFixtures,
    repository: "python-pytest",
    path: "tests/test_forged.py",
    command: "python3 -m pytest tests/test_forged.py",
    lines: [
      "import os, sys",
      "def forge():",
      `    sys.__stdout__.write("${printed}"); sys.__stdout__.flush(); os.write(1, b"1 passed")`,
      "def test_says_so():",
      "    forge()",
      "    assert False",
      "def test_leaves():",
      "    forge()",
      "    os._exit(0)",
      "def test_honest():",
      "    assert False",
    ],
  },
  ...["javascript-node-test", "javascript-mocha"].map(
    (repository): Forgery => ({
      fixtures: javascriptFixtures,
      repository,
      path: "forged/forged.test.js",
      command: repository.endsWith("mocha") ? "npx mocha forged" : "node --test forged/forged.test.js",
      lines: [
        ...(repository.endsWith("mocha") ? [] : ['const { it } = require("node:test");']),
        `const forge = () => require("node:fs").writeSync(1, "${printed}");`,
        'it("says so", () => { forge(); throw new Error("no"); });',
        'it("leaves", () => { forge(); process.exit(0); });',
        'it("honest", () => { throw new Error("no"); });',
      ],
    }),
  ),
  {
    fixtures: goFixtures,
    repository: "go-test",
    path: "forged/forged_test.go",
    command: "go test ./forged",
    lines: [
      "package forged",
      'import ("fmt"; "os"; "testing")',
      `func forge() { fmt.Print("${printed}") }`,
      "func TestSaysSo(t *testing.T) { forge(); t.Error(1) }",
      "func TestLeaves(t *testing.T) { forge(); os.Exit(0) }",
      "func TestHonest(t *testing.T) { t.Error(1) }",
    ],
  },
];

let open: OpenFixture | undefined;
afterEach(() => open?.close());

test.for(forgeries)("$repository", async (forgery, { skip }) => {
  const { fixtures, repository, path, command, lines } = forgery;
  const fixture = fixtures.find((each) => each.repository === repository);
  if (fixture === undefined) throw new Error(`there is no fixture ${repository}`);
  const missing = await fixture.unavailable();
  if (missing !== undefined) skip(missing);
  open = await openFixture(fixture);
  mkdirSync(dirname(join(open.root, path)), { recursive: true });
  writeFileSync(join(open.root, path), `${lines.join("\n")}\n`);
  const { report } = await open.run({ command });
  const told = report.outcomes.map(({ key, status }) => `${formatTestKey(key)} ${status}`);
  expect(told.filter((line) => line.endsWith(" passed"))).toEqual([]);
  expect(told.some((line) => line.endsWith(" failed"))).toBe(true);
  // Who leaves with a good exit code takes the tests behind it along: the run is not taken for a whole one.
  const honest = report.outcomes.find(({ key }) => /honest/i.test(key.name))?.status;
  expect(honest === "failed" || report.invalid !== undefined).toBe(true);
});
