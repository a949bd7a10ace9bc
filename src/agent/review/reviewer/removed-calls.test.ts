import { expect, it } from "vitest";
import { partOf } from "../../../../tests/part-of.ts";
import type { ActionContext } from "../../action.ts";
import { compareTexts } from "../../code/change.ts";
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

it("leaves out a method of a language's own type, although the project has a method of this name", async () => {
  const text =
    "class Box {\n  map(f) {\n    return new Box(f(this.v)); // map\n  }\n}\n\nfunction f(list) {\n  return list.map(g);\n}\n";
  const context = partOf<ActionContext>({
    workspace: { base: "base", trees: { read: async () => Buffer.from(text) } },
    view: { context: { graph: async () => ({ named: () => [] }) } },
  });
  const removed = async (before: string, after: string) =>
    showRemovedCalls(context, { files: [compareTexts("a.js", text.replace("list.map(g)", before), after)] });
  expect(await removed("list.map(g)", text.replace("list.map(g)", "g"))).toEqual([]);
  const own = text.replace("return list.map(g)", "return this.map(g)");
  expect(
    await showRemovedCalls(context, { files: [compareTexts("a.js", own, own.replace("this.map(g)", "g"))] }),
  ).toHaveLength(1);
});
