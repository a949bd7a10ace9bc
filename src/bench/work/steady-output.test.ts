import { expect, test } from "vitest";
import { steadyOutput } from "./steady-output.ts";

const python = (line: number, code: string) =>
  `Traceback (most recent call last):\n  File "a/b.py", line ${line}, in pay\n    ${code}\n    ^^^^^^^\nValueError: x`;
const rustc = (line: number, code: string) =>
  `warning: unused variable: \`x\`\n  --> src/lib.rs:${line}:9\n   |\n${line} |     ${code}\n   |         ^ help: prefix it\n   |\n   = note: on by default`;
const node = (line: number, code: string) =>
  `/r/a.js:${line}\n    ${code}\n    ^\n\nError: x\n    at pay (/r/a.js:${line}:9)`;
const pytest = (line: number, code: string) =>
  `self = 3\n\n    def pay():\n        ${code}\n>       raise ValueError\nE       ValueError\n\na.py:${line}: ValueError`;

test.each([
  ["a Python traceback", python(40, "return 1"), python(42, "return 2")],
  [
    "a Rust panic",
    "thread 'main' panicked at src/lib.rs:120:5:\nx",
    "thread 'main' panicked at src/lib.rs:99:13:\nx",
  ],
  ["a Go trace", "main.f()\n\t/r/a.go:12 +0x1d", "main.f()\n\t/r/a.go:9 +0x2f"],
  ["a compiler warning", rustc(99, "let x = 1;"), rustc(10, "let x = 2;")],
  [
    "a C compiler's error",
    "a.c:3:5: error: x\n    3 |  int a;\n      |  ^~~",
    "a.c:4:5: error: x\n    4 |  int b;\n      |  ^~~",
  ],
  ["Node's uncaught error", node(3, "a()"), node(4, "b()")],
  ["code in pytest's report", pytest(3, "a()"), pytest(4, "b()")],
  ["a PHP warning", "Warning: x in /r/a.php on line 3", "Warning: x in /r/a.php on line 5"],
  ["a TypeScript error", "src/a.ts(3,5): error", "src/a.ts(4,5): error"],
])("%s on moved code stays equal", (_, one, other) => {
  expect(steadyOutput(one)).toBe(steadyOutput(other));
});

test.each([
  ["the exception", python(40, "a()"), python(40, "a()").replace("ValueError", "KeyError")],
  ["the function in a traceback", python(40, "a()"), python(40, "a()").replace("pay", "get")],
  ["a line number that the program computes", "error on line 3", "error on line 4"],
  ["an address of a server", "example.com:80", "example.com:81"],
  ["a time", "12:30", "12:31"],
  ["a table", "| a | 1 |", "| a | 2 |"],
  ["a value in pytest's report", "E   assert 1 == 2", "E   assert 1 == 3"],
])("another value of %s stays a difference", (_, one, other) => {
  expect(steadyOutput(one)).not.toBe(steadyOutput(other));
});
