import { expect, test } from "vitest";
import { rankByWords } from "./first-tests.ts";

const texts = new Map([
  ["tests/test_repr.py", "from pkg.shorten import ellipsize\n"],
  ["tests/io/test_shorten.py", "import pkg\n"],
  ["tests/test_words.py", "text = 1\n"],
  ...Array.from({ length: 10 }, (_, at) => [`tests/test_${at}.py`, "text and reports\n"] as const),
]);

test("a rare name in a text and a word in a file's own name count, and what most files say does not", () => {
  expect(rankByWords("`ellipsize` of shorten: the text is cut", texts)).toEqual([
    "tests/io/test_shorten.py",
    "tests/test_repr.py",
  ]);
  expect(rankByWords("it crashes", texts)).toEqual([]);
});
