import { expect, test } from "vitest";
import { readUncaught } from "./program-failure.ts";

test("Python's error has the frames of the program and of the code, the raising frame last", () => {
  const errors = [
    "a warning",
    "Traceback (most recent call last):",
    '  File "/work/tree/.millwright/programs/show.py", line 3, in <module>',
    "    withdraw(5)",
    '  File "/work/tree/ledger.py", line 19, in withdraw',
    '    raise InsufficientFunds("no")',
    "ledger.InsufficientFunds: no",
    "",
  ].join("\n");
  expect(readUncaught(errors, "/work/tree")).toEqual({
    type: "ledger.InsufficientFunds",
    message: "no",
    frames: [
      { file: ".millwright/programs/show.py", line: 3, function: "<module>" },
      { file: "ledger.py", line: 19, function: "withdraw" },
    ],
  });
});

test("Node.js's error has its frames without those of Node.js", () => {
  const errors = [
    "/r/src/fee.js:2",
    '  throw new RangeError("too much");',
    "  ^",
    "",
    "RangeError: too much",
    "    at fee (/r/src/fee.js:2:9)",
    "    at file:///r/.millwright/programs/show.mjs:4:1",
    "    at ModuleJob.run (node:internal/modules/esm/module_job:1:1)",
    "",
    "Node.js v22.0.0",
  ].join("\n");
  expect(readUncaught(errors, "/r")).toEqual({
    type: "RangeError",
    message: "too much",
    frames: [
      { file: ".millwright/programs/show.mjs", line: 4 },
      { file: "src/fee.js", line: 2, function: "fee" },
    ],
  });
});

test.each(["", "the fee is wrong\n", "Error: the fee is wrong\n"])(
  "an exit without a stack has no error: %j",
  (errors) => {
    expect(readUncaught(errors, "/r")).toBeUndefined();
  },
);
