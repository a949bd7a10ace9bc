import { expect, test } from "vitest";
import java from "../languages/java/java.ts";
import { proposeRepairs } from "./propose-repairs.ts";
import { applyChange } from "./syntax-check.ts";

const text = `class A {
    int find(String key, List<String> names, boolean deep, int limit) {
        if (limit > 1 && deep) {
            limit = names.indexOf(key);
        }
        return limit;
    }
    void clear(int limit) {
        limit = 1;
    }
}
`;

async function linesFor(startLine: number): Promise<string[]> {
  const statements = [{ file: "A.java", startLine, endLine: startLine, score: 1 }];
  const proposals = await proposeRepairs({ file: "A.java", text, language: java, statements });
  return proposals.flatMap((proposal) => applyChange(text, proposal).split("\n"));
}

test("proposes nothing that the declared types rule out", async () => {
  const lines = [
    ...(await linesFor(3)),
    ...(await linesFor(4)),
    ...(await linesFor(6)),
    ...(await linesFor(9)),
  ];
  for (const wrong of [
    "limit == null",
    "limit != null",
    "!limit",
    "!names &&",
    "!names)",
    "!names ||",
    "limit.isEmpty()",
    "deep.isEmpty()",
    "&& key",
    "|| names",
    "key * key",
    "return key;",
    "return true;",
    "return null;",
    'return "";',
  ]) {
    expect(
      lines.filter((line) => line.includes(wrong)),
      wrong,
    ).toEqual([]);
  }
  const find = (line: string): boolean => lines.some((each) => each.trim() === line);
  expect(find("return 0;")).toBe(true);
  expect(find("if (names == null) { return 0; }")).toBe(true);
  expect(find("if (limit > 1 || deep) {")).toBe(true);
  expect(find("if (!names.isEmpty() && limit > 1 && deep) {")).toBe(true);
});

test("leaves a method as its type says: with a value, or without", async () => {
  const own = (lines: string[]): string[] => lines.filter((line) => /^\s+if .*\breturn\b/.test(line));
  expect(own(await linesFor(4)).filter((line) => line.includes("return;"))).toEqual([]);
  expect(own(await linesFor(9)).filter((line) => !line.includes("return;"))).toEqual([]);
});
