import { expect, test } from "vitest";
import type { Message } from "../../llm/contract.ts";
import { elideOld } from "./history.ts";

const observed = (count: number, text: string): Message[] => [
  { role: "user", text: "The task." },
  ...Array.from({ length: count }, (_, index): Message[] => [
    { role: "assistant", parts: [{ type: "text", text: `step ${index}` }] },
    { role: "tool", results: [{ callId: String(index), tool: "bash", text }] },
  ]).flat(),
];
const long = "a line of output\n".repeat(40);
const elided = (messages: readonly Message[]): number =>
  messages.filter((message) => message.role === "tool" && message.results[0]?.text.startsWith("(old output"))
    .length;

test("the last five outputs stay whole, and what was sent changes with every fifth one alone", () => {
  const counts = [5, 9, 10, 14, 15, 23].map((count) => elided(elideOld(observed(count, long))));
  expect(counts).toEqual([0, 0, 5, 5, 10, 15]);
  const before = elideOld(observed(13, long));
  expect(elideOld(observed(14, long)).slice(0, before.length)).toEqual(before);
});

test("calls stay paired with their results, and short outputs stay as they are", () => {
  const messages = elideOld(observed(20, long));
  expect(messages).toHaveLength(41);
  expect(messages[2]).toEqual({
    role: "tool",
    results: [{ callId: "0", tool: "bash", text: "(old output: 41 lines left out)" }],
  });
  expect(elideOld(observed(20, "exit code 0"))).toEqual(observed(20, "exit code 0"));
});
