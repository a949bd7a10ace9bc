import { expect, test } from "vitest";
import { type Compared, sameTask } from "./duplicates.ts";

const base = "class Flag\n  def valid?(value)\n    VALUES.include?(value)\n  end\nend\n";

interface Given {
  readonly added: readonly string[];
  readonly tests?: readonly string[];
  readonly file?: string;
  readonly base?: string;
  /** The line before the added ones. */
  readonly behind?: string;
}

function taskOf({
  added,
  tests = ["assert result"],
  file = "lib/flag.rb",
  base: text = base,
  behind = "",
}: Given): Compared {
  const patch = (path: string, lines: readonly string[]): string =>
    `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n ${behind}\n${lines.map((line) => `+    ${line}\n`).join("")}`;
  return {
    change: { statement: "", statementFrom: "message" },
    split: {
      ...{ goldPatch: patch(file, added), testPatch: patch("test/flag_test.rb", tests) },
      ...{ codeFiles: [file], testFiles: ["test/flag_test.rb"] },
    },
    readBase: async () => text,
  };
}

const fix = ["# We do not want to check it.", "return true unless config[:validate_type]"];
const again = ["# Values matter only if asked.", "return true if !config[:validate_type]"];
const cases = [
  "result = parse %w(--quiet foo)",
  "assert_equal true, result[:quiet]",
  "assert_empty result.rest",
];
const otherWay = ["return VALUES.include?(value) if config[:validate_type]", "true"];

const rows = [
  { why: "the same fix with other words", one: { added: fix }, other: { added: again }, isSame: true },
  { why: "another file", one: { added: fix }, other: { added: again, file: "lib/a.rb" }, isSame: false },
  {
    why: "the same tests for another fix",
    one: { added: fix, tests: cases },
    other: { added: otherWay, tests: [...cases, "assert result"] },
    isSame: true,
  },
  {
    why: "other tests for another fix",
    one: { added: fix, tests: cases },
    other: {
      added: otherWay,
      tests: ["assert_raises(TypeError) { parse %w(--level x) }", "assert_nil level"],
    },
    isSame: false,
  },
  {
    why: "a change in the style of one that its base has",
    one: { added: fix },
    other: { added: again, base: `${base}${fix.join("\n")}\n` },
    isSame: false,
  },
  {
    why: "another fix of the same line",
    one: { added: fix, behind: "VALUES.include?(value)" },
    other: { added: ["raise ArgumentError, value"], behind: "VALUES.include?(value)" },
    isSame: true,
  },
  {
    why: "a fix behind another line",
    one: { added: fix, behind: "VALUES.include?(value)" },
    other: { added: ["raise ArgumentError, value"], behind: "def valid?(value)" },
    isSame: false,
  },
];

const cut = [
  "cut = len(url)",
  "question = url.find('?')",
  "if question != -1:",
  "cut = question",
  "hash = url.find('#')",
  "if hash != -1 and hash < cut:",
  "cut = hash",
  "url = url[:cut].replace('a', 'b') + url[cut:]",
];
const renamedCut = cut.map((line) =>
  line.replaceAll("cut", "end").replaceAll("question", "query").replaceAll("hash", "fragment"),
);
const otherCut = [
  "end = url.find('#')",
  "url = url[:end].replace('a', 'b') + url[end:]",
  "return url.lower()",
];

const more: typeof rows = [
  { why: "the same fix with other names", one: { added: cut }, other: { added: renamedCut }, isSame: true },
  { why: "a similar fix of another form", one: { added: cut }, other: { added: otherCut }, isSame: false },
  {
    why: "another fix behind the same line and a blank line",
    one: { added: fix, behind: "VALUES.include?(value)\n " },
    other: { added: ["raise ArgumentError, value"], behind: "VALUES.include?(value)\n " },
    isSame: true,
  },
];

test.each([...rows, ...more])("$why: the same task is $isSame", async ({ one, other, isSame }) => {
  expect((await sameTask(taskOf(one), taskOf(other))) !== undefined).toBe(isSame);
  expect((await sameTask(taskOf(other), taskOf(one))) !== undefined).toBe(isSame);
});
