/** What a server's errors mean for changes; the server is a record that reports certain letters. */
import { expect, test } from "vitest";
import { succeed } from "../base/result.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";
import { absentServers } from "../lsp/with-fallback.ts";
import { checkChanges } from "./check-changes.ts";

const onDisk: Readonly<Record<string, string>> = {
  "shop/cart.py": "good",
  "shop/odd.py": "bad",
  "other/till.py": "good",
};

const servers: LanguageServers = {
  ...absentServers(""),
  diagnose: async (files) => {
    const value = files
      .filter(({ path, text = onDisk[path] }) => text?.includes("bad"))
      .map(({ path }) => {
        const at = { line: 1, column: 0 };
        return { path, severity: "error" as const, message: "bad", range: { start: at, end: at } };
      });
    return succeed({ value, by: "a server", isWhole: true });
  },
};

const files = {
  read: async (path: string) => succeed(onDisk[path]),
  list: async () => Object.keys(onDisk),
};

async function doubtOf(path: string): Promise<string | undefined> {
  const change = { path, before: onDisk[path], after: "bad" };
  const { errors } = await checkChanges(servers, { changes: [change], files }, new AbortController().signal);
  expect(errors).toHaveLength(1);
  return errors[0]?.doubt;
}

test("a new error is taken at its word, unless files beside it have its like, or it stands in tests", async () => {
  expect(await doubtOf("other/till.py")).toBeUndefined();
  expect(await doubtOf("shop/cart.py")).toBe("other files in its folder have errors of this kind too");
  expect(await doubtOf("tests/test_cart.py")).toBe("a run of the tests shows more than the language server");
});
