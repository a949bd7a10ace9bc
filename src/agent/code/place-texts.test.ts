import { expect, test } from "vitest";
import { renderPlaceTexts } from "./place-texts.ts";

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);
const place = (startLine: number, endLine: number, file = "a.py") => ({ file, startLine, endLine, why: "" });

test("places that touch are one, and stand where their lines are now", async () => {
  const base = numbered(1, 40).join("\n");
  const now = ["new", "newer", ...numbered(1, 40)].join("\n");
  const text = await renderPlaceTexts([place(10, 10), place(14, 15), place(30, 30)], {
    base: async () => base,
    now: async () => now,
  });
  expect(text.split("\n").filter((line) => line.startsWith("a.py"))).toEqual(["a.py:9-20", "a.py:29-35"]);
  expect(text).toContain("12\tline 10");
});

test("what would be too much is named, and a file that is gone is left out", async () => {
  const base = numbered(1, 900).join("\n");
  const files: Readonly<Record<string, string | undefined>> = { "a.py": base, "b.py": base };
  const read = async (file: string) => files[file];
  const places = [place(1, 100), place(300, 800, "b.py"), place(1, 2, "c.py")];
  const text = await renderPlaceTexts(places, { base: read, now: read }, 500);
  expect(text).toContain("line 100");
  expect(text.split("\n").at(-1)).toBe("Not shown, for it would be too much: b.py:297-803.");
});

test("around what is shown of a file stands what else it defines, in a line each", async () => {
  const read = async () => numbered(1, 60).join("\n");
  const definitions = async () => [
    { startLine: 10, endLine: 12, kind: "function", name: "pay", signature: "def pay(amount)" },
    { startLine: 40, endLine: 50, kind: "class", name: "Debt", signature: "" },
  ];
  const text = await renderPlaceTexts([place(10, 12)], { base: read, now: read, definitions });
  expect(text).toContain("Also in a.py:\n");
  expect(text).toContain("40-50  class Debt");
  expect(text).not.toContain("def pay");
});
