import { expect, test } from "vitest";
import { findToldFix } from "./told-fix.ts";

const goldPatch = `diff --git a/version.go b/version.go
--- a/version.go
+++ b/version.go
@@ -547,3 +547,3 @@ func comparePrePart(s, o string) int {
 	// Numbers come first.
-	oi, n1 := strconv.ParseInt(o, 10, 64)
+	oi, n1 := strconv.ParseUint(o, 10, 64)
 	return compare(oi, n1)
`;
const testPatch = `diff --git a/version_test.go b/version_test.go
--- a/version_test.go
+++ b/version_test.go
@@ -1,1 +1,2 @@ func TestCompare(t *testing.T) {
+	{"1.0.0-beta.4", "1.0.0-beta.-2", -1},
`;
const split = { goldPatch, testPatch, codeFiles: ["version.go"], testFiles: ["version_test.go"] };

const rows = [
  {
    statement:
      "1.0.0-beta.-2 sorts before 1.0.0-beta.4. In comparePrePart, read both as unsigned integers instead.",
    isTold: true,
  },
  { statement: "1.0.0-beta.-2 sorts before 1.0.0-beta.4, which is wrong: -2 is no number.", isTold: false },
  {
    statement: "comparePrePart takes -2 for a number, so 1.0.0-beta.-2 sorts before 1.0.0-beta.4.",
    isTold: false,
  },
  {
    statement: "Numbers of a prerelease should be read as unsigned integers, because -2 is a text.",
    isTold: false,
  },
];

test.each(rows)("$statement tells the fix: $isTold", ({ statement, isTold }) => {
  expect(findToldFix(statement, split) !== undefined).toBe(isTold);
});

test("a name that the tests use is no place inside the code", () => {
  const tested = { ...split, testPatch: `${testPatch}+	comparePrePart("a", "b")\n` };
  expect(findToldFix(rows[0]?.statement ?? "", tested)).toBeUndefined();
});
