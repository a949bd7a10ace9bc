import { expect, test } from "vitest";
import command, { wholeCommand } from "./command.ts";

const read = (output: string, exitCode: number | null, files: Readonly<Record<string, string>> = {}) => {
  const report = command.parse({
    received: { streams: [], problem: undefined } as never,
    files: new Map(
      Object.entries({ output, ...files }).map(([name, text]) => [name, Buffer.from(text)] as const),
    ),
    stdout: "",
    stderr: "",
    exitCode,
    root: "/repo",
  });
  const statuses = Object.fromEntries(report.outcomes.map(({ key, status }) => [key.name, status]));
  return { ...report, statuses };
};

test("a command is one test, and its failure is what it said last", () => {
  expect(read("all is well\n", 0).statuses).toEqual({ [wholeCommand]: "passed" });
  const failed = read("building\n/repo/src/sum.c:4: sum(1) is 2\nmake: *** [check] Error 1\n", 2);
  expect(failed.statuses).toEqual({ [wholeCommand]: "failed" });
  expect(failed.outcomes[0]?.failure).toMatchObject({
    message: "sum(1) is 2",
    frames: [{ file: "src/sum.c", line: 4 }],
  });
});

test("printed results are tests where the exit code says the same", () => {
  expect(read("ok: one\nFAIL: two\n", 1).statuses).toEqual({ one: "passed", two: "failed" });
  expect(read("ok: one\nok: two\n", 0).statuses).toEqual({
    one: "passed",
    two: "passed",
    [wholeCommand]: "passed",
  });
  expect(read("ok: one\nFAIL: two\n", 0).statuses).toEqual({ [wholeCommand]: "passed" });
});

test("a list of failures alone lists no tests", () => {
  const output = "F.\n=====\nFAIL: test_b (t.T.test_b)\nAssertionError: 1 != 2\n\nFAILED (failures=1)\n";
  const failed = read(output, 1);
  expect(failed.statuses).toEqual({ [wholeCommand]: "failed" });
  // They are what the statement may name.
  expect(failed.outcomes[0]?.failure?.message).toContain("test_b (t.T.test_b)");
  expect(read("..\nRan 2 tests in 0.1s\n\nOK\n", 0).statuses).toEqual({ [wholeCommand]: "passed" });
  expect(read("--- FAIL: TestTax (0.00s)\nFAIL\n", 1).statuses).toEqual({ [wholeCommand]: "failed" });
});

test("no printed result excuses an exit code, or a plan that was not kept", () => {
  expect(read("1..2\nok 1 - one\nok 2 - two\n", 1).statuses[wholeCommand]).toBe("failed");
  expect(read("1..2\nok 1 - one\n", 0).statuses[wholeCommand]).toBe("failed");
  expect(read("1..1\nok 1 - one\nok 2 - two\n", 0).statuses[wholeCommand]).toBe("failed");
  expect(read("1..0 # SKIP\n1..1\nok 1 - one\nok 2 - two\n1..1\n", 0).statuses[wholeCommand]).toBe("passed");
  expect(read("1..1\nok 1 - one\n", null).outcomes.at(-1)?.failure?.type).toBe("Crash");
});

test("the line with which prove ends a file is no test", () => {
  const first = "t/a.t .. \n1..2\nok 1 - one\n    1..1\n    ok 1 - inner\nok 2 - two\nok\n";
  const output = `${first}t/b.t .. \nok 1 - three\n1..1\nok\nAll tests successful.\n`;
  expect(Object.keys(read(output, 0).statuses)).toEqual(["one", "two", "three", wholeCommand]);
  expect(read(output, 0).statuses[wholeCommand]).toBe("passed");
});

test("reports in JUnit's form come before what was printed", () => {
  const xml = `<testsuite name="s"><testcase classname="sum" name="adds"/><testcase classname="sum" name="subtracts"><failure message="3 and not 2"/></testcase></testsuite>`;
  const { statuses, outcomes } = read("ok: other\n", 1, { "junit-1.xml": xml });
  expect(statuses).toEqual({ "sum > adds": "passed", "sum > subtracts": "failed" });
  expect(outcomes[1]?.failure?.message).toBe("3 and not 2");
});

test("a command that the shell cannot start is no suite", () => {
  expect(read("sh: 1: nothing: not found\n", 127).invalid).toMatch(/exit code 127/);
  const noRule = "make: *** No rule to make target 'lint'.  Stop.\n";
  expect(read(noRule, 2).invalid).toContain("No rule");
  expect(read("sh: 0: cannot open check.sh: No such file\n", 2).invalid).toContain("check.sh");
  expect(read(`cc -c sum.c\n${noRule}`, 2).invalid).toBeUndefined();
});

test("finds what documents, Makefiles and names of scripts say", () => {
  const texts: Readonly<Record<string, string>> = {
    "README.md": "    $ sh check.sh\n    $ ./missing-test.sh\n    $ make check && rm -r build\n",
    "check.sh": "#!/bin/sh\n",
    "tests/run.sh": "#!/bin/bash\n",
    "web/manage.py": "from django.core.management import execute_from_command_line\n",
    Makefile: "all:\n\tcc a.c\ncheck:\n\t./a.out\n",
  };
  const view = { files: Object.keys(texts), read: (path: string) => texts[path], exists: () => false };
  expect(command.detect(view).map((each) => each.command)).toEqual([
    "sh check.sh",
    "python3 manage.py test -v 2",
    "make check",
    "bash tests/run.sh",
  ]);
});
