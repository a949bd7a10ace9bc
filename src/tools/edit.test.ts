import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { succeed } from "../base/result.ts";
import { absentServers } from "../lsp/with-fallback.ts";
import type { CodeContext } from "./contract.ts";
import edit from "./edit.ts";

/** A file in memory, and no language server. */
function open(remarks?: Set<string>): (before: string, after: string) => Promise<string> {
  let text = "one\ntwo\nthree\n";
  const context = partOf<CodeContext>({
    files: { read: async () => succeed(text), list: async () => ["a.txt"] },
    servers: async () => absentServers("None is installed."),
    graph: async () => ({ file: () => undefined, outline: () => [] }),
    write: async ([change]) => {
      text = change?.after ?? "";
      return succeed(["a.txt"]);
    },
    ...(remarks === undefined ? {} : { remarks }),
    signal: new AbortController().signal,
  });
  return async (before, after) => {
    const edits = `a.txt\n<<<<<<< ORIGINAL\n${before}\n=======\n${after}\n>>>>>>> UPDATED\n`;
    const answer = await edit.run(context, edit.input.parse({ edits }));
    return answer.ok ? answer.value.text : answer.message;
  };
}

const nobody = "(checked by nobody: None is installed.)";

test("that nobody looks for errors is said once in a conversation, and each time where answers stand alone", async () => {
  const told = open(new Set());
  expect(await told("one", "first")).toContain(nobody);
  const second = await told("two", "second");
  expect(second).toBe("a.txt is changed: line 2");
  expect(second).not.toContain("nobody");
  const alone = open();
  await alone("one", "first");
  expect(await alone("two", "second")).toContain(nobody);
});

test("who wrote an edit is told where it stands, and its text only where that is not what they wrote", async () => {
  const told = open(new Set([`checked by nobody: None is installed.`]));
  expect(await told("two\nthree", "2\n3\n4")).toBe("a.txt is changed: lines 2-4");
  const found = await told("  2\n  3", "  II\n  III");
  expect(found).toContain("matched by indentation");
  expect(found).toContain("-2\n-3\n+II\n+III");
});
