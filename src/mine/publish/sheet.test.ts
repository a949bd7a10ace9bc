import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Published } from "./published.ts";
import { renderSheet } from "./sheet.ts";

test("the sheet shows all that a reviewer needs, and text with fences stays inside its own fence", () => {
  const task = partOf<Published["candidates"][number]>({
    change: { id: "acme__ledger-3", statement: "It fails:\n```\nsum([])\n```" },
    split: { goldPatch: "-a\n+b\n", testPatch: "+assert sum([]) == 0\n" },
    validation: { lists: { failToPass: Array.from({ length: 12 }, (_, at) => `test_${at}`) } },
    review: { findings: [{ check: "weak-tests", score: 0.666, isBad: false, reason: "2 of 3 variants" }] },
  });
  const sheet = renderSheet([task], "canary 1");
  expect(sheet).toContain("canary 1");
  expect(sheet).toContain('{"id":"acme__ledger-3","reviewer":"…","verdict":"good","reason":""}');
  expect(sheet).toContain("````text\nIt fails:\n```\nsum([])\n```\n````");
  expect(sheet).toContain("```diff\n+assert sum([]) == 0\n```");
  expect(sheet).toContain("- `test_9`\n- 2 more");
  expect(sheet).toContain("- weak-tests (0.67): 2 of 3 variants");
});
