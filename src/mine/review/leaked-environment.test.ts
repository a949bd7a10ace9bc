import { expect, test } from "vitest";
import { weighHolders } from "./leaked-environment.ts";

const lines = Array.from({ length: 5 }, (_, at) => `line ${at} of the fix`);
const committed = new Set(["src/sibling.py", "debian/patches/1.patch", "tools/vendor/lib.go"]);

const holders = [
  { path: "dist/lib.js", count: 3, isBad: true, why: "a file of the setup with most lines" },
  { path: "dist/lib.js", count: 2, isBad: false, why: "less than half of the lines" },
  { path: "src/sibling.py", count: 3, isBad: false, why: "similar code of the commit" },
  { path: "tools/vendor/lib.go", count: 4, isBad: true, why: "a newer copy in the commit" },
  { path: "debian/patches/1.patch", count: 3, isBad: true, why: "a patch in the commit" },
];

test.each(holders)("$path with $count of 5 lines of the fix leaks it: $isBad ($why)", (held) => {
  expect(weighHolders([{ path: held.path, lines: held.count }], lines, committed).isBad).toBe(held.isBad);
});

test("one short line is no leak in a file of the setup", () => {
  expect(weighHolders([{ path: "dist/lib.js", lines: 1 }], ["return undefined"], committed).isBad).toBe(
    false,
  );
});
