import { expect, test } from "vitest";
import { joinOutput, lastException, longestOutput } from "./program-output.ts";

const python = [
  "ValueError: logged before",
  "Traceback (most recent call last):",
  '  File "show.py", line 3, in <module>',
  "    withdraw(5)",
  "ledger.InsufficientFunds: no",
  "",
];
const node = [
  "/r/fee.js:2",
  '  throw new RangeError("too much");',
  "",
  "RangeError [ERR_RANGE]: too much",
  "    at fee (/r/fee.js:2:9)",
  "",
  "Node.js v22.0.0",
];

test.each([
  ["Python, whatever the exception's name is", python, "ledger.InsufficientFunds: no"],
  ["Node.js", node, "RangeError [ERR_RANGE]: too much"],
  ["several: the last one", [...python, ...node], "RangeError [ERR_RANGE]: too much"],
  [
    "Rust, with the message on the next line",
    ["thread 'main' panicked at src/main.rs:3:5:", "no fee"],
    "thread 'main' panicked at src/main.rs:3:5: no fee",
  ],
  [
    "Go",
    ["panic: runtime error: index out of range [3]", "", "goroutine 1"],
    "panic: runtime error: index out of range [3]",
  ],
  [
    "Ruby",
    ["show.rb:3:in 'fee': no (ArgumentError)", "\tfrom show.rb:9"],
    "show.rb:3:in 'fee': no (ArgumentError)",
  ],
  [
    "Java",
    ['Exception in thread "main" java.lang.IllegalStateException: no', "\tat Fee.main(Fee.java:3)"],
    'Exception in thread "main" java.lang.IllegalStateException: no',
  ],
  [
    "C",
    ["show: show.c:4: main: Assertion `f() == 3' failed.", "Aborted"],
    "show: show.c:4: main: Assertion `f() == 3' failed.",
  ],
  ["none", ["3 of 4 are right", "no Error here"], ""],
])("reads the last exception of %s", (_, lines, expected) => {
  expect(lastException(lines.join("\n"))).toBe(expected);
});

test("keeps the last characters of both streams, and cuts a long exception", () => {
  const output = joinOutput("a".repeat(30_000), "ValueError: b\n");
  expect(output).toHaveLength(longestOutput);
  expect(output.endsWith("a\nValueError: b")).toBe(true);
  expect(lastException(`ValueError: ${"x".repeat(5_000)}`)).toHaveLength(301);
});

test("reads only the end of an output, whose length the code under test decides", () => {
  expect(lastException(`ValueError: early\n${"Error: x ".repeat(longestOutput)}`)).toBe("");
  expect(lastException("Error: x\n".repeat(1_000_000))).toBe("Error: x");
});
