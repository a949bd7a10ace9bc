import { expect, test } from "vitest";
import { findTestSpans } from "./test-spans.ts";

const spansIn = (text: string) => findTestSpans("a.rs", text, { items: true, examples: false });

test("attributes on the lines before a test belong to it", async () => {
  const text = "fn b() {}\n\n#[test]\n  #[should_panic(expected = 1)]\n\nfn a() {}\n";
  expect(await spansIn(text)).toEqual([{ start: text.indexOf("#[test]"), end: text.length - 1 }]);
});

test("a line of many attributes that belong to nothing is read in linear time", async () => {
  const line = `${"#[a]".repeat(500)}x\n`;
  expect(await spansIn(`${line}#[test]\nfn a() {}\n`)).toEqual([
    { start: line.length, end: line.length + 17 },
  ]);
});

test("many lines of attributes before a test belong to it", async () => {
  const text = `${"#[a]\n".repeat(20_000)}#[test]\nfn a() {}\n`;
  expect(await spansIn(text)).toEqual([{ start: 0, end: text.length - 1 }]);
});
