import { expect, test } from "vitest";
import { readFrames } from "./report-frames.ts";

const key = "0123456789abcdef0123456789abcdef";

function frame(stream: string, number: number, payload: string, from = key): string {
  return `${from} ${stream} ${number} ${Buffer.byteLength(payload)}\n${payload}`;
}

function read(...parts: string[]) {
  const { streams, problem } = readFrames(Buffer.from(parts.join("")), key);
  const texts = streams.map(({ name, origin, lines }) => [name, origin, lines.toString()]);
  return { texts, problem };
}

test("puts together what each process wrote, whoever wrote between", () => {
  expect(read(frame("a", 0, "one "), frame("b", 0, "ü\n", "-"), frame("a", 1, "line\n"))).toEqual({
    texts: [
      ["a", "keyed", "one line\n"],
      ["b", "open", "ü\n"],
    ],
    problem: undefined,
  });
});

test("without the key nobody adds to the stream of who has it", () => {
  const { texts, problem } = read(frame("a", 0, "ours\n"), frame("a", 0, "theirs\n", "-"));
  expect(problem).toBeUndefined();
  expect(texts).toEqual([
    ["a", "keyed", "ours\n"],
    ["a", "open", "theirs\n"],
  ]);
});

test.each([
  ["a part that is missing", [frame("a", 0, "x"), frame("a", 2, "y")], /incomplete/],
  ["a part that comes twice", [frame("a", 0, "x"), frame("a", 0, "y")], /incomplete/],
  ["a stream that begins in the middle", [frame("a", 1, "x")], /incomplete/],
  ["another key", [frame("a", 0, "x", key.replace("0", "1"))], /something other/],
  ["no frame", [frame("a", 0, "x"), "{}\n", frame("a", 1, "y")], /something other/],
  ["a length that swallows what follows", [`- a 0 90\n{}`, frame("a", 0, "x")], /something other/],
  ["a length beyond what a write can have", [`- a 0 99999\n{}`], /something other/],
])("refuses %s", (_, parts, problem) => {
  expect(read(...parts).problem).toMatch(problem);
});

test("keeps what came before it", () => {
  expect(read(frame("a", 0, "x\n"), "junk").texts).toEqual([["a", "keyed", "x\n"]]);
});

test("a key that the owner of one grants is as good, and nobody else can grant one", () => {
  const granted = "f".repeat(32);
  const child = frame("b", 0, "two\n", granted);
  const { texts, problem } = read(frame("grant", 0, `${granted}\n`), frame("a", 0, "one\n"), child);
  expect(problem).toBeUndefined();
  expect(texts).toEqual([
    ["a", "keyed", "one\n"],
    ["b", "keyed", "two\n"],
  ]);
  expect(read(frame("grant", 0, `${granted}\n`, "-"), child).problem).toMatch(/something other/);
});
