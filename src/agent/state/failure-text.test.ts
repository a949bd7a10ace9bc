import { expect, test } from "vitest";
import type { StackFrame } from "../../domain/test-outcome.ts";
import { failureText, wholeText } from "./failure-text.ts";

function textOf(text: string, frames: readonly StackFrame[] = []): string {
  return failureText({ failure: { type: "Error", message: "it failed", frames: [...frames], text } });
}

test("of a JavaScript or Java stack the raising frame, the repository's innermost ones and the test's stay", () => {
  const stack = [
    "Error: body larger than the limit",
    "    at Sender.write (node_modules/sender/index.js:102:10)",
    "    at Sender.emit (node:events:524:28)",
    "    at dispatch (lib/http.js:453:11)",
    "    at new Promise (<anonymous>)",
    "    at request (lib/core.js:59:10)",
    "    at wrap (lib/bind.js:5:15)",
    "    at Server.<anonymous> (test/http.js:35:13)",
    "    at process.processTicksAndRejections (node:internal/process/task_queues:81:21)",
  ];
  const frames = [
    { file: "test/http.js", line: 35 },
    { file: "lib/bind.js", line: 5 },
    { file: "lib/core.js", line: 59 },
    { file: "lib/http.js", line: 453 },
  ];
  expect(textOf(stack.join("\n"), frames).split("\n")).toEqual([
    stack[0],
    stack[1],
    "    … 1 frames",
    stack[3],
    "    … 1 frames",
    stack[5],
    "    … 1 frames",
    stack[7],
    "    … 1 frames",
  ]);
});

test("the test's own file has no folder of the checkout, also if no frame names it", () => {
  const failure = {
    type: "FixtureLookupError",
    message: "",
    frames: [],
    text: "file /project/a/tests/test_a.py, line 6",
  };
  const key = { package: "", target: "tests/test_a.py", name: "test_a" };
  expect(failureText({ failure, key })).toBe("file tests/test_a.py, line 6");
});

test("files of installed packages are named without the folder of their environment", () => {
  const text =
    'File "/home/me/.venv/lib/python3.12/site-packages/yaml/reader.py", line 9, in read\n/opt/x/node_modules/a/i.js:3';
  expect(wholeText({ failure: { type: "E", message: "", frames: [], text } })).toBe(
    'File "site-packages/yaml/reader.py", line 9, in read\nnode_modules/a/i.js:3',
  );
  expect(textOf(text)).not.toContain("/home/me");
});

test("of a Ruby stack the repository's own frames stay, without the folder of the checkout", () => {
  const stack = [
    "Minitest::Assertion: Expected: false",
    "  Actual: true",
    "/usr/share/gems/minitest-5.17.0/lib/minitest/assertions.rb:183:in `assert'",
    "/usr/share/gems/minitest-5.17.0/lib/minitest/assertions.rb:218:in `assert_equal'",
    "/srv/copy-1/shop/test/cart_test.rb:81:in `block (2 levels) in <top (required)>'",
    "/usr/share/gems/minitest-5.17.0/lib/minitest/test.rb:102:in `block (3 levels) in run'",
  ];
  expect(textOf(stack.join("\n"), [{ file: "test/cart_test.rb", line: 81 }]).split("\n")).toEqual([
    stack[0],
    stack[1],
    "    … 2 frames",
    "test/cart_test.rb:81:in `block (2 levels) in <top (required)>'",
    "    … 1 frames",
  ]);
});

test("of a Python stack the repository's files have no folder of the checkout", () => {
  const text = '  File "/srv/copy-1/shop/cart.py", line 3, in total\n    raise KeyError(key)\nKeyError: 0';
  expect(textOf(text, [{ file: "shop/cart.py", line: 3 }])).toContain('File "shop/cart.py", line 3');
  const library = text.replace("/srv/copy-1", "/srv/env/site-packages");
  expect(textOf(library, [{ file: "shop/cart.py", line: 3 }])).toContain('File "site-packages/shop/cart.py"');
  expect(textOf(text, [{ file: "op/cart.py", line: 3 }])).toContain('File "/srv/copy-1/shop/cart.py"');
});

test("the whole text is equal in each checkout, so that replayed requests are", () => {
  const wholeIn = (folder: string): string => {
    const text = `  File "${folder}/shop/cart.py", line 3, in total\nKeyError: 0`;
    const frames = [{ file: "shop/cart.py", line: 3 }];
    return wholeText({ failure: { type: "KeyError", message: "0", frames, text } });
  };
  expect(wholeIn("/srv/copy-1")).toBe(wholeIn("/tmp/run-2/a"));
});

test("of Rust's output what only repeats the test's name is left out, and frames of closures and libraries", () => {
  const text = `
thread 'parses' (12) panicked at tests/parse.rs:7:5:
assertion failed: left == right
stack backtrace:
   2: core::panicking::panic
             at /rustc/ab12/library/core/src/panicking.rs:145:5
   4: parse::parses
             at ./tests/parse.rs:7:5
   5: parse::parses::{{closure}}
             at ./tests/parse.rs:5:11
note: Some details are omitted, run with \`RUST_BACKTRACE=full\` for a verbose backtrace.

--- printed ---
failures:

failures:
    parses

test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 9 filtered out; finished in 0.09s
`;
  expect(textOf(text).trimEnd().split("\n")).toEqual([
    "thread 'parses' (12) panicked at tests/parse.rs:7:5:",
    "assertion failed: left == right",
    "stack backtrace:",
    "   4: parse::parses",
    "             at ./tests/parse.rs:7:5",
  ]);
  const printed = text.replace("failures:\n", "the parser said no\nfailures:\n");
  expect(textOf(printed)).toContain("the parser said no");
});

test("pytest's assertion comes before the text of the test", () => {
  const text =
    "    def test_a():\n        x = 1\n>       assert x == 2\nE       assert 1 == 2\n\ntest_a.py:3: AssertionError";
  expect(textOf(text).split("\n")[0]).toBe(">       assert x == 2");
  expect(textOf(text).split("\n").slice(1, 3)).toEqual([
    "E       assert 1 == 2",
    "test_a.py:3: AssertionError",
  ]);
});

test("of a Python traceback the frames of what runs tests are left out, and those of libraries stay", () => {
  const frame = (file: string, ...source: string[]): string[] => [
    `  File "${file}", line 7, in f`,
    ...source,
  ];
  const own = frame("/w/tests/test_a.py", "    self.assertTrue(load())", "                    ^^^^^^");
  const library = frame("/usr/lib/python3.11/json/decoder.py", "    raise JSONDecodeError");
  const runner = frame(
    "/usr/lib/python3.11/unittest/case.py",
    "    if method() is not None:",
    "       ^^^^^^^^",
  );
  const head = "Traceback (most recent call last):";
  const text = [head, ...runner, ...own, ...library, ...runner, "JSONDecodeError: no value"].join("\n");
  expect(textOf(text)).toBe([head, ...own, ...library, "JSONDecodeError: no value"].join("\n"));
});

test("a failure without a text is its error, and one line has its limit", () => {
  expect(textOf("")).toBe("Error: it failed");
  expect(textOf("x".repeat(5_000)).length).toBeLessThan(500);
});

test("two long values are shown from their first difference", () => {
  const equal = "complete -c app -s h -d 'Print help';".repeat(20);
  const lines = [
    "assertion `left == right` failed",
    `  left: "${equal}ends in one"`,
    ` right: "${equal}ends in two"`,
  ];
  const [title, left = "", right = ""] = textOf(lines.join("\n")).split("\n");
  expect(title).toBe(lines[0]);
  expect(left).toMatch(/^ {2}left: … .{60}one"$/);
  expect(right).toMatch(/^ right: … .{60}two"$/);
  const short = [`left: "${"a".repeat(300)}b"`, `right: "${"a".repeat(300)}c"`].join("\n");
  expect(textOf(short)).toBe(short);
});
