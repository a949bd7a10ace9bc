import { expect, test } from "vitest";
import { readFunctions, readMentions } from "./read-mentions.ts";

test.each([
  ["This changes the Equal method to return true", ["Equal"]],
  ["The render() function and the parse constructor", ["render", "parse"]],
  ["the new method, the same function, a Total method, the GET method", []],
])("%j names the functions %j", (text, names) => {
  expect(readFunctions(text)).toEqual(names);
});

test("a word that prose calls a function weighs as much as one spelt like code", () => {
  const weightOf = (text: string) =>
    readMentions([{ kind: "prose", text }]).names.find(({ name }) => name === "Equal")?.weight;
  expect(weightOf("the Equal method")).toBe(weightOf("Equal()"));
  expect(weightOf("Equal parts")).toBeLessThan(weightOf("Equal()") ?? 0);
});
