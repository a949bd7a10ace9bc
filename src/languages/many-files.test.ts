import { expect, test } from "vitest";
import { testFrameworks } from "./index.generated.ts";

const paths = { root: "/r", runtime: "/runtime", report: "/report", channel: "/channel" };

test.each([
  ["minitest", "rake test", ".rb", 'require "minitest/autorun"'],
  ["phpunit", "phpunit tests", "Test.php", "class A extends TestCase {}"],
  ["busted", "busted", "_spec.lua", ""],
])("%s runs each of many files", (name, text, ending, content) => {
  const files = Array.from({ length: 2500 }, (_, at) => `tests/test_${at}${ending}`);
  const project = { files, read: () => content, exists: () => false };
  const framework = testFrameworks.find((each) => each.name === name);
  const invocation = framework?.invoke({
    command: { framework: name, directory: "", command: text, foundBy: "", likelihood: 1 },
    selection: { kind: "tests", tests: files.map((target) => ({ package: "", target, name: "a" })) },
    ...{ coverage: false, testTimeoutMs: 1000, stopAtFirstFailure: false, paths, project },
  });
  const words = new Set(invocation?.run);
  expect(files.filter((file) => !words.has(file))).toEqual([]);
});
