import { expect, test } from "vitest";
import { literally } from "./literal-pattern.ts";

test("matches a text with every special character literally", () => {
  const text = String.raw`a.b*c+d?e^f$g{h}i(j)k|l[m]n\o`;
  expect(new RegExp(`^${literally(text)}$`).test(text)).toBe(true);
  expect(new RegExp(`^${literally("a.b")}$`).test("a-b")).toBe(false);
});
