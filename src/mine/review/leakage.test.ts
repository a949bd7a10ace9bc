import { expect, test } from "vitest";
import type { Change, Split } from "../contract.ts";
import { judgeLeakage } from "./leakage.ts";

const change: Change = {
  ...{ id: "acme__ledger-3", repository: "acme/ledger", base: "a".repeat(40), commit: "b".repeat(40) },
  ...{ date: "2024-03-02T12:00:00Z", subject: "", foundBy: "commit", issues: [], statementFrom: "message" },
  ...{ language: "ruby", code: 1, statement: "" },
};

function splitOf(added: string): Split {
  const head = "diff --git a/lib/a.rb b/lib/a.rb\n--- a/lib/a.rb\n+++ b/lib/a.rb\n@@ -1 +1 @@\n-  old\n";
  const none = { testPatch: "", testFiles: [], mixedFiles: [], hunks: 1, lines: 2 };
  return { ...none, goldPatch: `${head}+  ${added}\n`, codeFiles: ["lib/a.rb"] };
}

const rows = [
  { added: "return amount <= available", statement: "Use `amount <= available` here", isBad: false },
  { added: "return amount <= available", statement: "Write return amount  <= available.", isBad: true },
  { added: "last = pop", statement: "It works with:\n\n    last = pop\n", isBad: true },
  { added: "last = pop", statement: "The last = popped", isBad: false },
  { added: "return amount <= available", statement: "return  total <= available", isBad: false },
  {
    added: "k = key(*args, **kwargs)",
    statement: "It works with `cache_key = key(*args, **kwargs)`.",
    isBad: true,
  },
  { added: "k = key(*args, **kwargs)", statement: "It calls `key(self)`, with one argument.", isBad: false },
  { added: "false", statement: "Expected:\nfalse", isBad: false },
];

test.each(rows)("$added in $statement: $isBad", ({ added, statement, isBad }) => {
  expect(judgeLeakage({ ...change, statement }, splitOf(added))).toMatchObject({ isBad });
});
