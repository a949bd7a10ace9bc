import { describe, expect, it } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { partOf } from "../../../tests/part-of.ts";
import { grep, searchedPaths } from "./grep.ts";

const files = {
  "a.txt": "one (two)\nthree\n",
  "b.txt": `four\n${"a".repeat(60)}!\nThree\n`,
  "c.bin": "\0one\n",
};

function search(pattern: string, more: object = {}) {
  const { repository } = makePlayground(files);
  return grep({ repository, paths: Object.keys(files), pattern, limit: 10, ...more });
}

describe("lines that have a text", () => {
  it("are found with their places, as a text or as a pattern", () => {
    expect(search("(two)").lines).toEqual([{ path: "a.txt", line: 1, text: "one (two)" }]);
    expect(
      search("^t.ree$", { isRegex: true, ignoreCase: true }).lines.map(({ path, line }) => `${path}:${line}`),
    ).toEqual(["a.txt:2", "b.txt:3"]);
    expect(search("nowhere")).toEqual({ lines: [], filesSearched: 2, stopped: undefined });
  });

  it("are as many as was asked for, and it is said that there are more", () => {
    expect(search("e", { limit: 1 })).toMatchObject({ lines: [{ line: 1 }], stopped: "limit" });
  });

  it("end where a pattern would never end", () => {
    expect(search("(a+)+$", { isRegex: true, timeMs: 300 }).stopped).toBe("time");
  });

  it("are not looked for with a pattern that is none", () => {
    expect(() => search("(", { isRegex: true })).toThrow(/not a regular expression/);
  });

  it("are looked for in code first, then in tests, documents and what is generated, and last in the history of versions", () => {
    const paths = [
      "CHANGELOG.md",
      "README.md",
      "dist/a.min.js",
      "docs/x.md",
      "lib/a.js",
      "package.json",
      "test/a.test.js",
    ];
    const graph = partOf<Parameters<typeof searchedPaths>[0]>({
      files: () => paths.map((path) => ({ path })),
    });
    expect(searchedPaths(graph)).toEqual([
      ...["lib/a.js", "test/a.test.js", "package.json", "README.md", "docs/x.md", "dist/a.min.js"],
      "CHANGELOG.md",
    ]);
  });
});
