/** JUnit reports in the format that Gradle and surefire publish, and runs that end otherwise than their reports say. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { Selection } from "../contract.ts";
import { nothingReceived } from "../report-frames.ts";
import gradle from "./gradle.ts";
import { parseBuildReport } from "./java-report.ts";
import { encodeBuildRequest } from "./java-request.ts";

const shelfReport = `<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="org.example.ShelfTest" tests="4" skipped="1" failures="1" errors="0" timestamp="2024-03-01T10:00:00" hostname="host" time="0.052">
  <properties/>
  <testcase name="places()" classname="org.example.ShelfTest" time="0.012"/>
  <testcase name="finds(int)[1]" classname="org.example.ShelfTest" time="0.002"/>
  <testcase name="weighs()" classname="org.example.ShelfTest" time="0.003">
    <failure message="org.opentest4j.AssertionFailedError: expected: &lt;3&gt; but was: &lt;2&gt;" type="org.opentest4j.AssertionFailedError">org.opentest4j.AssertionFailedError: expected: &lt;3&gt; but was: &lt;2&gt;
	at org.junit.jupiter.api.AssertionUtils.fail(AssertionUtils.java:55)
	at org.example.Shelf.weigh(Shelf.java:17)
	at org.example.ShelfTest.weighs(ShelfTest.java:31)
	at java.base/java.util.ArrayList.forEach(ArrayList.java:1511)
</failure>
  </testcase>
  <testcase name="later()" classname="org.example.ShelfTest" time="0.0">
    <skipped/>
  </testcase>
  <system-out><![CDATA[]]></system-out>
  <system-err><![CDATA[]]></system-err>
</testsuite>`;

interface Left {
  readonly results: string;
  readonly exitCode: number | null;
  readonly output?: string;
  readonly selection?: Selection;
  readonly modules?: readonly string[];
}

function parse({ results, exitCode, output = "", selection = { kind: "all" }, modules = [""] }: Left) {
  const asked = encodeBuildRequest({ selection, testTimeoutMs: 1000 }, modules);
  const sources = [
    "core/src/main/java/org/example/Shelf.java",
    "core/src/test/java/org/example/ShelfTest.java",
  ];
  const files = {
    "where.txt": "/home/dev/shop\n",
    "request.txt": asked["MILLWRIGHT_REQUEST"] ?? "",
    "sources.txt": sources.map((file) => `./${file}\n`).join(""),
    "output.log": output,
    "results.txt": results,
  };
  return parseBuildReport({
    received: nothingReceived,
    files: new Map(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)])),
    stdout: output,
    stderr: "",
    exitCode,
    root: "/home/dev/shop",
  });
}

const placed = (text: string): string =>
  `\n@@report ./core/build/test-results/test/TEST-org.example.ShelfTest.xml\n${text}`;

test("reads names, statuses and frames of a module's report", () => {
  const output = "4 tests completed, 1 failed, 1 skipped\n";
  const report = parse({ results: placed(shelfReport), exitCode: 1, modules: ["core", ""], output });
  expect(report.invalid).toBeUndefined();
  expect(report.outcomes.map(({ key, status }) => `${formatTestKey(key)} ${status}`)).toEqual([
    "core/org.example.ShelfTest::places() passed",
    "core/org.example.ShelfTest::finds(int)[1] passed",
    "core/org.example.ShelfTest::weighs() failed",
    "core/org.example.ShelfTest::later() skipped",
  ]);
  const failure = report.outcomes[2]?.failure;
  expect(failure?.type).toBe("AssertionFailedError");
  expect(failure?.frames).toEqual([
    { file: "core/src/test/java/org/example/ShelfTest.java", line: 31, function: "ShelfTest.weighs" },
    { file: "core/src/main/java/org/example/Shelf.java", line: 17, function: "Shelf.weigh" },
  ]);
});

test("does not trust a report that the exit code contradicts, or one that is torn", () => {
  expect(parse({ results: placed(shelfReport), exitCode: 0 }).invalid).toMatch(/a test failed, but/);
  const passing = shelfReport.replace(/<failure[\s\S]*<\/failure>/, "");
  expect(parse({ results: placed(passing), exitCode: 0 }).invalid).toBeUndefined();
  expect(parse({ results: placed(passing), exitCode: 1 }).invalid).toMatch(/no test failed, but/);
  expect(parse({ results: placed(shelfReport.slice(0, 700)), exitCode: 1 }).invalid).toMatch(
    /cannot be read/,
  );
  expect(parse({ results: "", exitCode: 0 }).invalid).toMatch(/no test ran/);
});

test("does not trust files in which fewer tests fail than the build tool said", () => {
  const results = placed(shelfReport);
  const of = (output: string): string | undefined => parse({ results, exitCode: 1, output }).invalid;
  const lines = (failures: number): string =>
    `[ERROR] Tests run: 4, Failures: ${failures}, Errors: 0, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE!\n[ERROR] Tests run: 4, Failures: ${failures}, Errors: 0, Skipped: 1\n`;
  expect(of(lines(1))).toBeUndefined();
  expect(of(lines(2))).toMatch(/counts 2 failed tests, but its reports contain 1/);
  expect(of("")).toMatch(/failed without reporting a number of failed tests/);
});

test("fails the tests of a module that does not compile, with the compiler's message", () => {
  const output = [
    "[ERROR] COMPILATION ERROR : ",
    "[ERROR] /home/dev/shop/core/src/main/java/org/example/Shelf.java:[12,8] cannot find symbol",
    "  symbol:   variable lenght",
    "  location: class org.example.Shelf",
  ].join("\n");
  const all = parse({ results: "", exitCode: 1, output, modules: ["core", ""] });
  expect(all.outcomes).toMatchObject([
    {
      key: { package: "core", target: "org.example.ShelfTest", name: "" },
      status: "errored",
      failure: {
        type: "CompilationError",
        message: "cannot find symbol; symbol: variable lenght; location: class org.example.Shelf",
        frames: [{ file: "core/src/main/java/org/example/Shelf.java", line: 12 }],
      },
    },
  ]);
  const key = { package: "core", target: "org.example.ShelfTest", name: "weighs()" };
  const one = parse({
    results: "",
    exitCode: 1,
    output,
    selection: { kind: "tests", tests: [key] },
    modules: ["core"],
  });
  expect(one.outcomes).toMatchObject([{ key, status: "failed", failure: { type: "CompilationError" } }]);
});

test("says of a test that was asked for and not reported that it was not run", () => {
  const gone = { package: "", target: "org.example.ShelfTest", name: "gone()" };
  const report = parse({
    results: placed(shelfReport),
    exitCode: 1,
    selection: { kind: "tests", tests: [gone] },
  });
  expect(report.outcomes.map(({ status }) => status)).toEqual(["not-run"]);
});

test("finds Gradle's command: the wrapper first, and what a workflow says", () => {
  const texts: Record<string, string> = {
    gradlew: "",
    "settings.gradle.kts": "",
    "build.gradle.kts": "",
    "core/build.gradle.kts": "",
    "core/src/test/java/org/example/ShelfTest.java": "",
    ".github/workflows/ci.yml": "      - run: ./gradlew clean :core:check --info\n",
  };
  const project = { files: Object.keys(texts), read: (path: string) => texts[path], exists: () => false };
  const commands = gradle.detect(project);
  expect(commands.map(({ command }) => command)).toEqual([
    "sh ./gradlew test",
    "gradle test",
    "./gradlew :core:test",
  ]);
  expect(commands.every(({ directory }) => directory === "")).toBe(true);
  expect(gradle.recognise("cd app && ./gradlew build -x lint")?.command).toBe("./gradlew test");
});

test("a selection of one Gradle project's tests does not fail the other projects", () => {
  const runtime = join(import.meta.dirname, "../runtime");
  const { run } = gradle.invoke({
    command: {
      ...{ framework: "gradle", directory: "", command: "gradle test" },
      ...{ foundBy: "", likelihood: 1 },
    },
    selection: { kind: "files", files: ["org.example.ShelfTest"] },
    ...{ coverage: false, testTimeoutMs: 1000, stopAtFirstFailure: false, varied: false },
    paths: { root: "/repo", runtime, report: "/report", channel: "/channel" },
    project: { files: [], read: () => undefined, exists: () => false },
  });
  const [, script = ""] = /-I "\$0\/(\S+)"/.exec(run[2] ?? "") ?? [];
  expect(run[2]).toContain("--tests org.example.ShelfTest");
  expect(readFileSync(join(runtime, script), "utf8")).toContain("failOnNoMatchingTests = false");
});

test("a long stack keeps its cause at the end", () => {
  const frames = Array.from(
    { length: 200 },
    (_, at) => `\tat org.framework.Proxy${at}.call(Proxy.java:${at + 1})`,
  );
  const stack = [
    "org.framework.NestedException: the shelf cannot be made",
    ...frames,
    "Caused by: java.lang.IllegalStateException: no width",
    "\tat org.example.Shelf.weigh(Shelf.java:17)",
  ].join("\n");
  const long = shelfReport.replace(
    /(<failure[^>]*>)[\s\S]*?<\/failure>/,
    (_, open: string) => `${open}${stack}</failure>`,
  );
  const report = parse({ results: placed(long), exitCode: 1, modules: ["core", ""] });
  const failure = report.outcomes.find(({ status }) => status === "failed")?.failure;
  expect(failure?.text).toContain("NestedException: the shelf cannot be made");
  expect(failure?.text).toContain("Caused by: java.lang.IllegalStateException: no width");
  expect(failure?.text.length).toBeLessThan(4_100);
});
