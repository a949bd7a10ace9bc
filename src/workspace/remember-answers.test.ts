import { expect, test } from "vitest";
import { rememberAnswers } from "./remember-answers.ts";

test("asks once while the answer is among the last, in each direction, and again what failed", async () => {
  const asked: string[] = [];
  const ask = rememberAnswers(2, async (from, to) => {
    asked.push(from + to);
    if (from === "x" && asked.length === 1) throw new Error("the disk is full");
    return `${from}-${to}`;
  });
  await expect(ask("x", "a")).rejects.toThrow("full");
  expect(await Promise.all([ask("x", "a"), ask("x", "a"), ask("a", "x")])).toEqual(["x-a", "x-a", "a-x"]);
  expect(await ask("x", "b")).toBe("x-b");
  expect(await ask("a", "x")).toBe("a-x");
  expect(await ask("x", "a")).toBe("x-a");
  expect(asked).toEqual(["xa", "xa", "ax", "xb", "xa"]);
});
