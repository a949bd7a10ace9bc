import { expect, test } from "vitest";
import { changeContent } from "./find-read-results.ts";

test("another content keeps the first line, by which code may know a file", () => {
  expect(changeContent("Shopping\n- milk\n")).toBe("Shopping\n- njml\n");
  expect(changeContent("milk")).toBe("njml");
  expect(changeContent("milk\n")).not.toContain("milk");
  expect(changeContent("")).not.toBe("");
});
