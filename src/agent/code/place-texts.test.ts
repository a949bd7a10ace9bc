import { expect, test } from "vitest";
import { renderPlaceTexts } from "./place-texts.ts";

const numbered = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `  line ${from + index}`);
const place = (startLine: number, endLine: number, file = "a.py") => ({ file, startLine, endLine, why: "" });
const heads = (text: string): string[] => text.split("\n").filter((line) => /^\w\.py/.test(line));
const definition = (startLine: number, endLine: number, kind: string, name: string) => ({
  startLine,
  endLine,
  kind,
  name,
  signature: "",
});

test("places that touch are one, and stand where their lines are now", async () => {
  const base = numbered(1, 90).join("\n");
  const now = ["new", "newer", ...numbered(1, 90)].join("\n");
  const text = await renderPlaceTexts([place(10, 10), place(14, 15), place(30, 30)], {
    base: async () => base,
    now: async () => now,
  });
  expect(heads(text)).toEqual(["a.py:9-20", "a.py:29-35"]);
  expect(text).toContain("12\t  line 10");
  const added = { ...place(1, 2), isNow: true as const };
  const shown = await renderPlaceTexts([added], { base: async () => base, now: async () => now });
  expect(shown).toContain("1\tnew\n2\tnewer\n");
});

test("by rank until the budget is spent: what is left is named with what it is, and a file that is gone is left out", async () => {
  const files: Readonly<Record<string, string | undefined>> = {
    "a.py": numbered(1, 900).join("\n"),
    "b.py": numbered(1, 900).join("\n"),
  };
  const read = async (file: string) => files[file];
  const definitions = async (file: string) =>
    file === "b.py" ? [definition(290, 850, "class", "Debt")] : [];
  const places = [place(1, 100), place(300, 800, "b.py"), place(1, 2, "c.py")];
  const text = await renderPlaceTexts(places, { base: read, now: read, definitions }, 500);
  expect(text).toContain("100\t  line 100");
  expect(text.split("\n").at(-1)).toBe("Not shown: b.py:297-803 class Debt.");
});

test("nothing is cut inside of a definition, and what a long one leaves out is seen at its head", async () => {
  const read = async () => numbered(1, 400).join("\n");
  const definitions = async () => [
    definition(8, 9, "function", "near"),
    definition(10, 39, "function", "pay"),
    definition(12, 14, "function", "inner"),
    definition(100, 300, "class", "Debt"),
    definition(120, 130, "method", "settle"),
    definition(140, 290, "method", "long"),
  ];
  const shown = (one: ReturnType<typeof place>) =>
    renderPlaceTexts([one], { base: read, now: read, definitions });
  expect(heads(await shown(place(13, 13)))).toEqual(["a.py:10-39"]);
  expect(heads(await shown(place(38, 38)))).toEqual(["a.py:10-39"]);
  expect(heads(await shown(place(125, 160)))).toEqual(["a.py:120-163, in 100-300 class Debt"]);
  expect(heads(await shown(place(200, 210)))).toEqual(["a.py:197-213, in 140-290 method long"]);
  const text = await shown(place(13, 13));
  expect(text).toContain("Also in a.py: 8-9 near, 100-300 Debt, ");
  expect(text).not.toContain("function inner");
});

test("a file of which most is shown is shown whole", async () => {
  const read = async () => `${numbered(1, 60).join("\n")}\n`;
  const definitions = async () => [
    definition(5, 40, "function", "pay"),
    definition(42, 60, "function", "owe"),
  ];
  const wanted = [{ ...place(7, 8), why: "it decides" }];
  const text = await renderPlaceTexts(wanted, { base: read, now: read, definitions });
  expect(heads(text)).toEqual(["a.py:1-60 (it decides)"]);
  const tight = await renderPlaceTexts(wanted, { base: read, now: read, definitions }, 150);
  expect(heads(tight)).toEqual(["a.py:5-40 (it decides)"]);
  expect(tight).toContain("Also in a.py: 42-60 owe");
});

test("the budget goes by rank, also where a later place stands in another file", async () => {
  const read = async () => numbered(1, 200).join("\n");
  const places = [place(1, 20), place(1, 20, "b.py"), place(60, 120)];
  const text = await renderPlaceTexts(places, { base: read, now: read, definitions: async () => [] }, 250);
  expect(heads(text)).toEqual(["a.py:1-23", "b.py:1-23"]);
  expect(text).toContain("Not shown: a.py:57-123.");
});
