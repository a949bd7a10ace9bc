import { expect, it } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { ActionContext } from "../action.ts";
import { compareTexts } from "../code/change.ts";
import { showRemovedCalls } from "./removed-calls.ts";

const checks = "def check(x):\n    if x < 0:\n        raise ValueError(x)\n    return x\n";
const long = `def long(x):\n${"    x = x + 1\n".repeat(20)}    return x\n`;
const before = `${checks}\n\n${long}\n\ndef f(x):\n    return other(check(long(x)))\n`;

async function show(text: string, after: string): Promise<string[]> {
  const context = {
    workspace: { base: "base", trees: { read: async () => Buffer.from(text) } },
    view: { context: { graph: async () => ({ named: () => [] }) } },
  };
  const change = { files: [compareTexts("a.py", text, after)] };
  return showRemovedCalls(partOf<ActionContext>(context), change);
}

it("shows the short body of what a patch no longer calls, and nothing that it still calls", async () => {
  const gone = before.replace("return other(check(long(x)))", "return other(x)");
  expect(await show(before, gone)).toEqual([`a.py:1-4\n${checks.trimEnd()}`]);
  expect(await show(before, before.replace("other(", "another("))).toEqual([]);
  expect(await show(before, gone.replace(checks, ""))).toEqual([]);
});
