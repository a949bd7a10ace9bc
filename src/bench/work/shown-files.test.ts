import { expect, test } from "vitest";
import { collectLines, withoutFiles } from "./shown-files.ts";

const files = collectLines([
  { path: "src/a.py", texts: ["def pay():\n    return 1 < 2\n", "def pay():\n    return 1 <= 2\n"] },
]);

test.each([
  ["cat", "def pay():\n    return 1 < 2"],
  ["cat -n", "     1\tdef pay():\n     2\t    return 1 <= 2"],
  ["grep -n", "2:    return 1 < 2"],
  ["grep -rn -B1", "src/a.py-1-def pay():\nsrc/a.py:2:    return 1 < 2"],
  ["git diff", "@@ -1,2 +1,2 @@\n-    return 1 < 2\n+    return 1 <= 2"],
  ["ls -l", "total 4\n-rw-r--r-- 1 me me 30 Nov 27 10:00 a.py"],
  ["wc", "  2   7 30 ./src/a.py"],
])("lines of %s are removed, and those of the program stay", (_, shown) => {
  expect(withoutFiles(`${shown}\n\npaid: 1 < 2\n2 other.py`, files)).toBe("\npaid: 1 < 2\n2 other.py");
});
