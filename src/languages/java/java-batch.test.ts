/** Judges a batch of candidates by the results of the unchanged program. */
import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { nothingReceived } from "../report-frames.ts";
import { parseJavaBatch } from "./java-batch.ts";

const key = (name: string): TestKey => ({ package: "", target: "ShelfTest", name });
const lines = [
  { candidate: 0, target: "ShelfTest", name: "adds", status: "passed", durationMs: 1 },
  { candidate: 7, target: "ShelfTest", name: "adds", status: "failed", durationMs: 1 },
];

function parse(failing: readonly TestKey[]) {
  const text = lines.map((line) => JSON.stringify(line)).join("\n");
  return parseJavaBatch({
    received: nothingReceived,
    files: new Map([["candidates-0.txt", Buffer.from(text)]]),
    stdout: "",
    stderr: "",
    exitCode: 0,
    root: "/home/dev/shop",
    candidates: [{ id: 7 }],
    tests: [key("adds")],
    failing,
  });
}

test("judges candidates by tests that pass on the unchanged program", () => {
  const { outcomes, invalid } = parse([]);
  expect(invalid).toBeUndefined();
  expect(outcomes.get(7)?.map(({ status }) => status)).toEqual(["failed"]);
});

test("judges no candidate if a failing test passes on the unchanged program without the build tool", () => {
  const { outcomes, invalid } = parse([key("adds")]);
  expect(invalid).toMatch(/ShelfTest::adds fails in the build, but not/);
  expect(outcomes.size).toBe(0);
});
