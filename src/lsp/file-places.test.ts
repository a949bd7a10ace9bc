import { expect, test } from "vitest";
import { pathOf, toPosition, toRange, uriOf } from "./file-places.ts";

test.each([
  ["src/a.py", false],
  ["a b/größe#1?.py", false],
  ["node_modules/x/index.d.ts", true],
  [".venv/lib/python3.11/site-packages/x.py", true],
])("a path of the repository comes back from its uri: %s", (path, outside) => {
  expect(pathOf("/srv/my repo", uriOf("/srv/my repo", path))).toEqual({ path, outside });
});

test("what does not lie in the repository keeps its path, and what is no file its uri", () => {
  expect(pathOf("/srv/repo", "file:///usr/lib/x.py")).toEqual({ path: "/usr/lib/x.py", outside: true });
  expect(pathOf("/srv/repo", "file:///srv/repository/x.py")).toEqual({
    path: "/srv/repository/x.py",
    outside: true,
  });
  expect(pathOf("/srv/repo", "jdt://contents/a.class")).toEqual({
    path: "jdt://contents/a.class",
    outside: true,
  });
});

test("lines are counted from 1 here, and from 0 there", () => {
  expect(toPosition({ line: 3, column: 4 })).toEqual({ line: 2, character: 4 });
  expect(toRange({ start: { line: 0, character: 1 }, end: { line: 2, character: 0 } })).toEqual({
    start: { line: 1, column: 1 },
    end: { line: 3, column: 0 },
  });
});
