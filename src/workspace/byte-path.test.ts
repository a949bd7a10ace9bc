import fc from "fast-check";
import { expect, test } from "vitest";
import { foldersOf, hostPath, parsePath, showPath } from "./byte-path.ts";

const bytes = fc
  .uint8Array({ minLength: 1, maxLength: 12 })
  .map((each) => Buffer.from(each).toString("latin1"));

test("every path is shown as text and read back, and no two are shown alike", () => {
  fc.assert(fc.property(bytes, (path) => parsePath(showPath(path)) === path));
  fc.assert(
    fc.property(
      fc.string(),
      (text) =>
        text.startsWith('"') || showPath(parsePath(text.toWellFormed()) ?? "") === text.toWellFormed(),
    ),
  );
});

test("UTF-8 is shown as it is, other bytes as git quotes them", () => {
  expect(showPath(Buffer.from("naïve.py").toString("latin1"))).toBe("naïve.py");
  expect(showPath("caf\xe9\t.py")).toBe('"caf\\351\\t.py"');
  expect(showPath('"quoted"')).toBe('"\\"quoted\\""');
  expect(parsePath('"open')).toBeUndefined();
  expect(parsePath('"\\9"')).toBeUndefined();
});

test("names files by their bytes", () => {
  expect(hostPath("/r", "a/b")).toBe("/r/a/b");
  expect(hostPath("/ré", "caf\xe9")).toEqual(Buffer.concat([Buffer.from("/ré/caf"), Buffer.from([0xe9])]));
});

test("finds all folders above paths", () => {
  expect([...foldersOf(["a/b/c.py", "a/d.py", "e.py"])].sort()).toEqual(["a", "a/b"]);
});
