import { expect, test } from "vitest";
import { succeed } from "../base/result.ts";
import { applyEdits } from "./apply-edits.ts";
import type { EditableFiles } from "./contract.ts";
import { parseEdits } from "./parse-edits.ts";

function filesOf(texts: Readonly<Record<string, string>>): EditableFiles {
  return {
    read: async (path) => succeed(texts[path]),
    list: async () => Object.keys(texts),
  };
}

async function edited(text: string, reply: string): Promise<string | undefined> {
  const { edits, problems } = parseEdits(reply);
  expect(problems).toEqual([]);
  const outcome = await applyEdits(filesOf({ "a.py": text }), edits);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join("\n"));
  return outcome.changes[0]?.after;
}

const block = (original: string, replacement: string): string =>
  `a.py\n<<<<<<< ORIGINAL\n${original}\n=======\n${replacement}\n>>>>>>> UPDATED\n`;

test("changes the lines that a block names", async () => {
  expect(await edited("a\nb\nc\n", block("b", "x"))).toBe("a\nx\nc\n");
});

test("keeps the file's own line where the author remembered its spaces badly", async () => {
  const text = "def f():\n    a = g( 1 )\n    return a\n";
  expect(await edited(text, block("a = g(1)\nreturn a", "a = g(1)\nreturn -a"))).toBe(
    "def f():\n    a = g( 1 )\n    return -a\n",
  );
});

test("keeps CRLF, the byte order mark and a missing last line break", async () => {
  expect(await edited("\ufeffa\r\nb\r\nc", block("b", "x\ny"))).toBe("\ufeffa\r\nx\r\ny\r\nc");
});

test("refuses two places that fit as well, and names both", async () => {
  const { edits } = parseEdits(block("b", "x"));
  const outcome = await applyEdits(filesOf({ "a.py": "b\na\nb\n" }), edits);
  expect(outcome).toMatchObject({
    ok: false,
    problems: [{ kind: "ambiguous", places: [{ startLine: 1 }, { startLine: 3 }] }],
  });
});
