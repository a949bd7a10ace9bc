import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createRedactor } from "../../base/redact.ts";
import type { Message } from "../../llm/contract.ts";
import { type Outputs, openOutputs, outputTool, shortenKept, showOutput } from "../record/outputs.ts";
import { condense, tokensOf } from "./condense.ts";

function outputs(): Outputs {
  const folder = mkdtempSync(join(tmpdir(), "millwright-outputs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return openOutputs(folder, createRedactor(["a-secret-of-mine"]));
}

function conversation(replies: number, length: number): Message[] {
  return [
    { role: "user", text: "Begin." },
    ...Array.from({ length: replies }, (_, at): Message[] => [
      { role: "assistant", parts: [{ type: "text", text: `I look at ${at}.` }] },
      {
        role: "tool",
        results: [{ callId: `c${at}`, tool: "view", text: `file ${at}\n${"x".repeat(length)}` }],
      },
    ]).flat(),
  ];
}

test("at a boundary what does not fit loses its oldest replies in one step, and never the last ones; the state comes after them", async () => {
  const kept = outputs();
  const long = conversation(12, 4_000);
  const at = (contextTokens: number | undefined) => ({
    contextTokens,
    outputs: kept,
    summary: () => "c1 passes.",
  });
  expect(condense(long, at(undefined))).toBeUndefined();
  const condensed = condense(long, at(16_000)) ?? [];
  expect(tokensOf(condensed)).toBeLessThan(0.6 * 0.6 * 16_000);
  expect(condensed.slice(-7, -1)).toEqual(long.slice(-6));
  expect(condensed.at(-1)).toEqual({
    role: "user",
    text: "Millwright shortened earlier replies. Known so far:\n\nc1 passes.",
  });
  expect(condensed.filter(({ role }) => role === "assistant")).toEqual(
    long.filter(({ role }) => role === "assistant"),
  );
  expect(condense(condensed, at(16_000))).toBeUndefined();
  const first = JSON.stringify(condensed[2]);
  expect(first).toContain("file 0 … (2 lines, condensed: output:");
  const handle = /output:(\w+)/.exec(first)?.[1] ?? "";
  const reply = await outputTool(kept).run({ handle });
  expect(reply.text).toContain(`${handle}, lines 1 to 2 of 2\nfile 0\nxxx`);
});

test("within an action nothing is condensed before the window would overflow", () => {
  const kept = outputs();
  const long = conversation(30, 4_000);
  expect(condense(long, { contextTokens: 200_000, outputs: kept })).toBeUndefined();
  expect(condense(long, { contextTokens: 200_000, outputs: kept, summary: () => "" })).toBeDefined();
  const pressed = condense(long, { contextTokens: 32_000, outputs: kept }) ?? [];
  expect(tokensOf(pressed)).toBeLessThan(0.75 * 32_000);
  expect(pressed.slice(-6)).toEqual(long.slice(-6));
});

test("a long opening is no reason to condense at each boundary: there is something to gain, or the window is nearly full", () => {
  const kept = outputs();
  const opening: Message = { role: "user", text: "y".repeat(100_000) };
  const at = { contextTokens: 100_000, outputs: kept, summary: () => "c1 passes." };
  const talk = (replies: number): Message[] => [opening, ...conversation(replies, 4_000)];
  expect(condense(talk(5), at)).toBeUndefined();
  expect(condense(talk(9), at)).toBeDefined();
  expect(condense(talk(5), { ...at, contextTokens: 40_000 })).toBeDefined();
});

test("where nothing can be taken away nothing is said to be", () => {
  expect(condense(conversation(3, 40_000), { contextTokens: 16_000, outputs: outputs() })).toBeUndefined();
});

test("a reply that is too long is shown by its ends, and read by lines; the user's keys are in neither", async () => {
  const kept = outputs();
  const text = Array.from({ length: 3_000 }, (_, at) => `line ${at + 1} a-secret-of-mine`).join("\n");
  const handle = /(output:\w+) has them/.exec(shortenKept(text, 1_000, kept))?.[1] ?? "";
  const { text: shown } = showOutput(kept, { handle, startLine: 1_500, endLine: 1_501 });
  expect(shown.split("\n").slice(1)).toEqual(["line 1500 [redacted]", "line 1501 [redacted]"]);
  expect(showOutput(kept, { handle: "nothing", startLine: 1 })).toMatchObject({ isError: true });
});
