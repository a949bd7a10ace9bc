import { expect, test } from "vitest";
import type { TestFailure } from "../../domain/test-outcome.ts";
import { failureText } from "./failure-text.ts";
import { raisedError, renderRaised, withoutEcho } from "./raised-error.ts";

const program = [
  "const at = new URL('http://localhost:40427/page');",
  "            globalThis.window = {location: at};",
  "            const {get} = await import('index.js');",
];
const stack = [
  "lib/origin.js:11",
  "    const old = /trident/i.test(navigator.userAgent);",
  "                                ^",
  "",
  "ReferenceError: navigator is not defined",
  "    at origin (lib/origin.js:11:41)",
  "    at async [eval1]:3:38",
  "",
  "Node.js v20.20.2",
];
const message = ["Command failed: /usr/bin/node --input-type=module -e ", ...program, ...stack].join("\n");
const failure: TestFailure = {
  type: "Error",
  message,
  frames: [
    { file: "[eval1]", line: 3 },
    { file: "lib/origin.js", line: 11 },
  ],
  text: `Error: ${message}\n    at genericNodeError (node:internal/errors:984:15)`,
};

test("of a command that failed the error that it ended with is told, and no word of the program that it was given", () => {
  expect(renderRaised(raisedError(failure))).toBe(
    "ReferenceError: navigator is not defined (lib/origin.js:11)",
  );
  const text = failureText({ failure });
  expect(text.split("\n")[0]).toBe("ReferenceError: navigator is not defined (lib/origin.js:11)");
  expect(text).toContain("Command failed: /usr/bin/node …\n");
  expect(text).toContain("const old = /trident/i");
  expect(text).not.toMatch(/localhost|globalThis|Node\.js/);
});

test("a line of the given program that is shown as the error's place is its author's too", () => {
  const uncaught = ["[eval1]:2", "  globalThis.windw.location", "            ^", "", "TypeError: no windw"];
  const text = withoutEcho(["Command failed: node -e x", "  y", ...uncaught].join("\n"));
  expect(text).toBe("Command failed: node …\n[eval1]:2\n\nTypeError: no windw");
});

test("what a program of Python repeats of a command is cut, and other failures stay as they are", () => {
  const type = "subprocess.CalledProcessError";
  const told = "Command '['python', '-c', 'import shop; shop.pay(250)']' returned non-zero exit status 1.";
  expect(renderRaised(raisedError({ type, message: told, frames: [], text: "" }))).toBe(
    `${type}: Command … returned non-zero exit status 1.`,
  );
  const plain = { type: "AssertionError", message: "expected 1 to be 2\nKeyError: 7", frames: [], text: "" };
  expect(raisedError(plain)).toEqual({ type: plain.type, message: plain.message });
  expect(withoutEcho("Command failed: make check\ncc: no such file")).toBe(
    "Command failed: make …\ncc: no such file",
  );
});
