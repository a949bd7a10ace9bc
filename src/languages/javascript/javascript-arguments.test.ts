import { expect, test } from "vitest";
import type { InvocationRequest, TestCommand } from "../contract.ts";
import jest from "./jest.ts";
import mocha from "./mocha.ts";
import vitest from "./vitest.ts";

const project = { files: ["package.json"], read: () => "{}", exists: () => false };
const paths = { root: "/r", runtime: "/runtime", report: "/report", channel: "/channel" };
const tests = [{ package: "", target: "a.test.js", name: "adds one" }];

function runOf(
  framework: typeof jest | typeof mocha | typeof vitest,
  text: string,
  isNamed: boolean,
): string {
  const command: TestCommand = {
    framework: framework.name,
    directory: "",
    command: text,
    foundBy: "",
    likelihood: 1,
  };
  const selection: InvocationRequest["selection"] = isNamed ? { kind: "tests", tests } : { kind: "all" };
  const limits = { coverage: false, testTimeoutMs: 1000, stopAtFirstFailure: false };
  return String(framework.invoke({ ...limits, command, selection, paths, project }).run);
}

test.each([
  [jest, "npx jest -t adds --testPathPattern src --ci"],
  [vitest, "npx vitest run --testNamePattern=adds -t adds"],
])("chosen tests take the place of the command's own choice by name", (framework, text) => {
  const named = runOf(framework, text, true);
  expect(named).not.toMatch(/ -t |adds(?! one)| src /);
  expect(named).toContain("--testNamePattern=^");
  expect(runOf(framework, text, false)).toContain("adds");
});

test("mocha takes chosen tests without the command's own choice", () => {
  const text = "npx mocha -g adds -i --require ./hooks.js test.js";
  expect(runOf(mocha, text, true)).not.toMatch(/ -g | -i | adds /);
  expect(runOf(mocha, text, true)).toContain("--require ./hooks.js");
  expect(runOf(mocha, text, false)).toContain("-g adds -i");
});
