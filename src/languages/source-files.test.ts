import { expect, test } from "vitest";
import { isSourceFile } from "./source-files.ts";

test.each(["src/zone.js", "ledger/account.py", "lib/a/b.ts", "contest/score.py", "index.mjs"])(
  "a fault may be in %s",
  (path) => expect(isSourceFile(path)).toBe(true),
);

test.each([
  "test/zone.test.js",
  "tests/test_account.py",
  "ledger/test_account.py",
  "__tests__/zone.ts",
  "node_modules/zone/index.js",
  "vendor/zone.js",
  "dist/zone.js",
  ".venv/lib/zone.py",
  "zone.min.js",
  "types/zone.d.ts",
  "README.md",
])("no fault is looked for in %s", (path) => expect(isSourceFile(path)).toBe(false));
