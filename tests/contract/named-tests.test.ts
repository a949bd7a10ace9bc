/** Tests that are asked for by name: with unusual names, under a command that chooses itself, and those that need others. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findStatus } from "../../src/domain/test-outcome.ts";
import { findFramework } from "../../src/languages/find-framework.ts";
import { testFrameworks } from "../../src/languages/index.generated.ts";
import { viewProject } from "../../src/workspace/project-view.ts";
import { runTests } from "../../src/workspace/test-runner.ts";
import { type Files, localSandbox, makeRepository, openTestWorkspace } from "./workspace-fixture.ts";

interface Row {
  readonly framework: string;
  readonly command: string;
  /** Shows that the framework is installed. */
  readonly version: readonly [string, ...string[]];
  readonly files: Files;
  readonly target: string;
  /** All outcomes by the names that are asked for. */
  readonly expected: Readonly<Record<string, string>>;
}

const rows: Readonly<Record<string, Row>> = {
  "pytest with its own choice by name and mark": {
    framework: "pytest",
    command: "python3 -m pytest -k first -m fast",
    version: ["python3", "-m", "pytest", "--version"],
    files: { "test_a.py": "def test_first():\n    pass\n\n\ndef test_second():\n    assert False\n" },
    target: "test_a.py",
    expected: { test_first: "passed", test_second: "failed" },
  },
  "RSpec with its own choice by name": {
    framework: "rspec",
    command: "rspec -e one --tag fast",
    version: ["rspec", "--version"],
    files: {
      "spec/a_spec.rb": 'RSpec.describe "a" do\n  it("two") { raise "no" }\n  it("one", :fast) {}\nend\n',
    },
    target: "spec/a_spec.rb",
    expected: { "a > two": "failed", "a > one": "passed" },
  },
  "busted with its own choice by name": {
    framework: "busted",
    command: "busted --filter=one",
    version: ["busted", "--version"],
    files: { "spec/a_spec.lua": 'it("two", function() error("no") end)\nit("one", function() end)\n' },
    target: "spec/a_spec.lua",
    expected: { two: "failed", one: "passed" },
  },
  "PHPUnit with its own choice by name": {
    framework: "phpunit",
    command: "phpunit --filter testOne tests",
    version: ["phpunit", "--version"],
    files: {
      "tests/ATest.php":
        "<?php\nfinal class ATest extends PHPUnit\\Framework\\TestCase {\n  public function testOne() { self::assertTrue(true); }\n  public function testTwo() { self::fail(); }\n}\n",
    },
    target: "tests/ATest.php",
    expected: { "ATest::testOne": "passed", "ATest::testTwo": "failed" },
  },
  "cargo with its own choice by name": {
    framework: "cargo-test",
    command: "cargo test one -- --exact --skip two --test-threads 1",
    version: ["cargo", "--version"],
    files: {
      "Cargo.toml": '[package]\nname = "a"\nversion = "0.1.0"\nedition = "2018"\n',
      "src/lib.rs": "#[test]\nfn one() {}\n#[test]\nfn two() {\n    panic!();\n}\n",
    },
    target: "src/lib.rs",
    expected: { one: "passed", two: "failed" },
  },
  "RSpec with a name of two lines": {
    framework: "rspec",
    command: "rspec",
    version: ["rspec", "--version"],
    files: {
      "spec/a_spec.rb": 'RSpec.describe "a" do\n  it("two\\nlines") { raise "no" }\n  it("one") {}\nend\n',
    },
    target: "spec/a_spec.rb",
    expected: { "a > two\nlines": "failed", "a > one": "passed" },
  },
  "PHPUnit with a data set's name of two lines": {
    framework: "phpunit",
    command: "phpunit",
    version: ["phpunit", "--version"],
    files: {
      "phpunit.xml":
        '<phpunit><testsuites><testsuite name="a"><directory>tests</directory></testsuite></testsuites></phpunit>',
      "tests/ATest.php":
        '<?php\nfinal class ATest extends PHPUnit\\Framework\\TestCase {\n  public function pairs() { return ["two\\nlines" => [1], "one" => [2]]; }\n  /** @dataProvider pairs */ public function testIs($a) { self::assertSame(2, $a); }\n}\n',
    },
    target: "tests/ATest.php",
    expected: {
      'ATest::testIs with data set "two\nlines"': "failed",
      'ATest::testIs with data set "one"': "passed",
    },
  },
  "PHPUnit with a test that takes another's result": {
    framework: "phpunit",
    command: "phpunit tests",
    version: ["phpunit", "--version"],
    files: {
      "tests/ATest.php":
        "<?php\nfinal class ATest extends PHPUnit\\Framework\\TestCase {\n  public function testMakes() { self::assertTrue(true); return 2; }\n  /** @depends testMakes */ public function testTakes($a) { self::assertSame(3, $a); }\n  public function testOther() { self::fail(); }\n}\n",
    },
    target: "tests/ATest.php",
    expected: { "ATest::testTakes": "failed" },
  },
  "busted with a name of two lines": {
    framework: "busted",
    command: "busted",
    version: ["busted", "--version"],
    files: {
      "spec/a_spec.lua": 'it("two\\nlines", function() error("no") end)\nit("one", function() end)\n',
    },
    target: "spec/a_spec.lua",
    expected: { "two\nlines": "failed", one: "passed" },
  },
};

test.each(Object.entries(rows))("%s", async (_, row) => {
  if (spawnSync(row.version[0], row.version.slice(1)).status !== 0) return;
  const workspace = await openTestWorkspace(makeRepository(row.files), localSandbox, {
    runtimeDirectory: join(import.meta.dirname, "../../src/languages/runtime"),
  });
  const checkout = await workspace.openCheckout();
  const command = {
    ...{ framework: row.framework, directory: "", command: row.command },
    ...{ foundBy: "", likelihood: 1 },
  };
  const keyOf = (name: string) => ({ package: "", target: row.target, name });
  const { report } = await runTests({
    ...{ checkout, command, signal: new AbortController().signal, coverage: false },
    project: viewProject(checkout, Object.keys(row.files)),
    framework: findFramework(testFrameworks, command),
    selection: { kind: "tests", tests: Object.keys(row.expected).map(keyOf) },
    testTimeoutMs: 20_000,
    timeoutMs: 60_000,
    stallMs: 60_000,
  });
  const found = Object.keys(row.expected).map((name) => [name, findStatus(report.outcomes, keyOf(name))]);
  expect(Object.fromEntries(found)).toEqual(row.expected);
  expect(report.invalid).toBeUndefined();
});
