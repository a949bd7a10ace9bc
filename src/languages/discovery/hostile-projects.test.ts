import { expect, test } from "vitest";
import { testFrameworks } from "../index.generated.ts";

const length = 100_000;
const repeat = (text: string): string => text.repeat(Math.ceil(length / text.length));

test.each([
  ["pyproject.toml", `[tool.tox]\ncommands = [["a"${repeat("\n")}`],
  ["pyproject.toml", `[tool.tox]\ncommands = [["a"]${repeat(" ")}`],
  ["pyproject.toml", `[tool.poe.tasks]\na = ${repeat("\n")}`],
  ["Rakefile", repeat("\n")],
  ["CMakeLists.txt", `project(a)\nenable_testing()\n${repeat("\n")}`],
  ["CMakeLists.txt", `project(a)\nenable_testing()\noption(A_TESTS "x" ${repeat(" ")}`],
  ["package.json", JSON.stringify({ scripts: { test: `mocha ${repeat("a:\n")}` } })],
  ["Gruntfile.js", repeat("mochaTest: {")],
  ["Jakefile.js", repeat('"mocha ')],
  ["tests/test_a.py", repeat("\n")],
])("a long %s does not hold up the search for commands: %#", (path, text) => {
  const texts: Readonly<Record<string, string>> = {
    ...{
      "package.json": "{}",
      "tests/test_a.py": "import pytest\n",
      "test/a_test.rb": 'require "minitest"\n',
    },
    [path]: text,
  };
  const project = {
    files: Object.keys(texts),
    read: (name: string) => texts[name],
    exists: (name: string) => name in texts,
  };
  expect(testFrameworks.flatMap((framework) => framework.detect(project)).length).toBeGreaterThan(0);
});
