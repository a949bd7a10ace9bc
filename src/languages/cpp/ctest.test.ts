import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import type { ProjectView } from "../contract.ts";
import { nothingReceived } from "../report-frames.ts";
import ctest from "./ctest.ts";
import { parseCtestReport } from "./ctest-report.ts";

function commands(texts: Record<string, string>): string[] {
  const project: ProjectView = {
    files: Object.keys(texts),
    read: (path) => texts[path],
    exists: (path) => path in texts,
  };
  return ctest.detect(project).map(({ directory, command }) => {
    const options = [...(command.split("&&")[0]?.matchAll(/-D\S+/g) ?? [])].map(([option]) => option);
    return [directory === "" ? "." : directory, ...options].join(" ");
  });
}

const declared = "project(prices)\nenable_testing()\nadd_test(NAME a COMMAND a)\n";

test("finds the outermost project that declares tests", () => {
  expect(commands({ "CMakeLists.txt": declared, "sub/CMakeLists.txt": declared })).toEqual(["."]);
  expect(commands({ "CMakeLists.txt": "project(prices)\n", "main.cpp": "" })).toEqual([]);
});

test("finds programs that are tests where none is declared, also in a project of its own further in", () => {
  expect(commands({ "CMakeLists.txt": "project(p)\nadd_executable(unit_tests a.c)\n" })).toEqual(["."]);
  const inner = "project(t)\nadd_executable(all main.c test.c)\n";
  expect(commands({ "lib.h": "", "test/CMakeLists.txt": inner })).toEqual(["test"]);
});

test("switches tests on, those of vendored libraries not", () => {
  const options = [
    'option(P_BUILD_TESTS "tests" OFF)',
    'cmake_dependent_option(P_TESTING "tests" OFF "BUILD_TESTING;P_MAIN" OFF)',
    'option(P_USE_SYSTEM_GTEST "system" OFF)',
    'option(P_TEST_ON "on already" ON)',
  ];
  const texts = {
    "CMakeLists.txt": `${declared}${options.join("\n")}\n`,
    "test/googletest-1.16.0/CMakeLists.txt": 'project(g)\noption(gtest_build_tests "own" OFF)\n',
  };
  expect(commands(texts)[0]).toBe(". -DP_BUILD_TESTS=ON -DP_TESTING=ON");
});

test("what ctest printed holds against its files, which tests can change", () => {
  const tests = "1\tprice_test.cpp\tprice\tprice\n2\tother_test.cpp\tother\tother\n";
  const line = (number: number, name: string, said: string): string =>
    `    Start ${number}: ${name}\n${number}/2 Test #${number}: ${name} ............${said}    0.01 sec\n`;
  const passed = "   Passed";
  const files = {
    "build-status": "0\n",
    tests: tests.replace("1\t", "3\t").replace("2\t", "1\t"),
    "ctest.log": line(1, "price", passed) + line(2, "other", passed),
  };
  const { outcomes } = parseCtestReport({
    received: nothingReceived,
    files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    stdout: `@@tests ${gzipSync(tests).toString("base64")}\n${line(1, "price", "***Failed")}${line(2, "other", passed)}${line(1, "price", passed)}`,
    stderr: "",
    exitCode: 8,
    root: "/home/dev/shop",
  });
  expect(outcomes.map(({ key, status }) => `${key.name} ${status}`)).toEqual([
    "price failed",
    "other passed",
  ]);
});

test("a long line of ctest takes no time, and a list of tests that nothing can unpack is an error", () => {
  const text = ` Start 1: a\n1/1 Test #1: ${"a .".repeat(20_000)}\n`;
  const files = new Map([["build-status", Buffer.from("0\n")]]);
  const request = { received: nothingReceived, files, stderr: "", exitCode: 0, root: "/r" };
  const began = performance.now();
  expect(parseCtestReport({ ...request, stdout: text }).invalid).toBe("no test ran");
  expect(performance.now() - began).toBeLessThan(2000);
  expect(() => parseCtestReport({ ...request, stdout: "@@tests AAAA\n" })).toThrow();
});
