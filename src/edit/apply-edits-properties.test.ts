import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { succeed } from "../base/result.ts";
import { applyEdits } from "./apply-edits.ts";
import type { EditOutcome } from "./contract.ts";
import { parseEdits } from "./parse-edits.ts";
import { spliceText, splitText, squeeze } from "./text-lines.ts";

/** Few distinct lines, so that many repeat; some differ only in their spaces. */
const line = fc.constantFrom(
  "",
  "a",
  "  a",
  "a ",
  "b",
  "f(a, b)",
  "f(a,b)",
  "    return a",
  "}",
  "é",
  "-x",
  "== 1",
);
const lines = fc.array(line, { maxLength: 12 });
const ending = fc.constantFrom("\n", "\r\n");

interface Change {
  readonly text: string;
  readonly expected: string;
  readonly reply: string;
  readonly inverse: string;
}

function block(original: readonly string[], replacement: readonly string[]): string {
  return ["f.txt", "<<<<<<< ORIGINAL", ...original, "=======", ...replacement, ">>>>>>> UPDATED", ""].join(
    "\n",
  );
}

/** A file, some replaced lines, and the block that describes the change. */
const change: fc.Arbitrary<Change> = fc
  .tuple(
    lines,
    lines.filter((list) => list.some((each) => each.trim() !== "")),
    lines,
    lines,
    ending,
    fc.boolean(),
  )
  .map(([above, old, fresh, below, end, isClosed]) => {
    // An empty last line without a line break does not count.
    const isEnded = isClosed || [old, fresh, below].some((part) => part.at(-1) === "" || part.length === 0);
    const write = (middle: readonly string[]): string => {
      const all = [...above, ...middle, ...below];
      return all.length === 0 ? "" : all.join(end) + (isEnded ? end : "");
    };
    const text = write(old);
    return { text, expected: write(fresh), reply: block(old, fresh), inverse: block(fresh, old) };
  });

async function apply(text: string, reply: string): Promise<EditOutcome> {
  const { edits, problems } = parseEdits(reply);
  if (problems.length > 0) return { ok: false, problems };
  const files = {
    read: async (path: string) => succeed(path === "f.txt" ? text : undefined),
    list: async () => ["f.txt"],
  };
  return applyEdits(files, edits);
}

function textAfter(outcome: EditOutcome): string | undefined {
  return outcome.ok ? outcome.changes[0]?.after : undefined;
}

test("a text is put together again as it was, byte for byte", () => {
  const text = fc
    .array(fc.constantFrom("a", "\n", "\r\n", "\r", "\ufeff", " ", ""))
    .map((parts) => parts.join(""));
  fc.assert(fc.property(text, (each) => void expect(spliceText(splitText(each), [])).toBe(each)));
});

test("a block that has the file's very lines does what it says, or nothing", async () => {
  await fc.assert(
    fc.asyncProperty(change, async ({ text, expected, reply }) => {
      const after = textAfter(await apply(text, reply));
      if (after !== undefined) expect(after).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

test("a block and its inverse leave the file as it was", async () => {
  await fc.assert(
    fc.asyncProperty(change, async ({ text, reply, inverse }) => {
      const after = textAfter(await apply(text, reply));
      const again = after === undefined ? undefined : textAfter(await apply(after, inverse));
      if (again !== undefined) expect(again).toBe(text);
    }),
    { numRuns: 500 },
  );
});

test("whatever a reply says, no line appears that neither the file nor the reply has, and none goes that the reply does not name", async () => {
  const badly = fc
    .tuple(lines, lines, lines)
    .map(([text, original, replacement]) => ({ text, original, replacement }));
  await fc.assert(
    fc.asyncProperty(badly, async ({ text, original, replacement }) => {
      const outcome = await apply(text.join("\n"), block(original, replacement));
      const after = textAfter(outcome);
      if (after === undefined || !outcome.ok) return;
      const known = new Set(["", ...text, ...replacement].map(squeeze));
      const kept = new Set(after.split("\n").map(squeeze));
      const named = new Set(original.map(squeeze));
      for (const each of after.split("\n")) expect(known).toContain(squeeze(each));
      const isWhole = !["anchors", "similar"].includes(outcome.done[0]?.rung ?? "");
      for (const each of text.map(squeeze))
        if (isWhole && each !== "" && !kept.has(each)) expect(named).toContain(each);
    }),
    { numRuns: 500 },
  );
});

const piece = fc.constantFrom(
  "<<<<<<< SEARCH",
  "<<<<<",
  "=======",
  "=====",
  ">>>>>>> REPLACE",
  ">>>>>",
  "```",
  "```python a.py",
  "f.txt",
  "File: f.txt",
  "--- a/f.txt",
  "+++ b/f.txt",
  "@@ -1,2 +1 @@",
  "@@",
  "-a",
  "+b",
  " a",
  "*** Update File: f.txt",
  "*** Add File: g.txt",
  "*** Delete File: f.txt",
  "rename from f.txt",
  "rename to g.txt",
  "...",
  "# ... rest unchanged",
  "12: a",
  "&lt;a&gt;",
  "a",
  "",
  '{"path": "f.txt", "old": "a", "new": "b"}',
  "[",
  '{"edits": [{}]}',
  "<<<<<<< FUNCTION f",
  "\0",
  "\ud800",
);

test("reading never throws, and what is read is made as a whole or not at all", async () => {
  const reply = fc.array(fc.oneof({ weight: 9, arbitrary: piece }, fc.string()), { maxLength: 25 });
  await fc.assert(
    fc.asyncProperty(reply, lines, async (parts, text) => {
      const outcome = await apply(text.join("\n"), parts.join("\n"));
      if (!outcome.ok) expect(outcome.problems.length).toBeGreaterThan(0);
      else expect(outcome.changes.length).toBeGreaterThan(0);
    }),
    { numRuns: 1000 },
  );
});

test("git makes the same text of our diff", () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-edit-"));
  try {
    return fc.assert(
      fc.asyncProperty(change, async ({ text, reply }) => {
        const outcome = await apply(text, reply);
        if (!outcome.ok) return;
        const place = mkdtempSync(join(folder, "r"));
        mkdirSync(join(place, ".git"));
        writeFileSync(join(place, "f.txt"), text);
        execFileSync("git", ["apply", "--whitespace=nowarn", "-"], { cwd: place, input: outcome.diff });
        expect(readFileSync(join(place, "f.txt"), "utf8")).toBe(outcome.changes[0]?.after);
      }),
      { numRuns: 25 },
    );
  } finally {
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  }
});
