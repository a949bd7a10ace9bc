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

const section = {
  goldPatch: `diff --git a/config.py b/config.py
--- a/config.py
+++ b/config.py
@@ -10,3 +10,5 @@ def _read_section(self, name):
-    return self._sections[name]
+    if name not in self._sections:
+        raise MissingSection(name)
+    return self._sections[name]
`,
  testPatch: `diff --git a/test_config.py b/test_config.py
--- a/test_config.py
+++ b/test_config.py
@@ -1,1 +1,3 @@
+def test_missing():
+    with raises(MissingSection):
+        Config().read("port")
`,
  codeFiles: ["config.py"],
  testFiles: ["test_config.py"],
};
const trace = `Traceback (most recent call last):
  File "app.py", line 3, in <module>
    port = config.read("port")
  File "config.py", line 20, in read
    return self._read_section("port")
  File "config.py", line 11, in _read_section
    return self._sections[name]
KeyError: 'port'
`;

test.each([
  {
    statement: `Reading a missing section fails:\n\n${trace}\nIt should be a MissingSection error with the name.`,
  },
  {
    statement: `Reading fails:\n\n\`\`\`\n${trace}\`\`\`\n\nIt should return a MissingSection error with the name.`,
  },
  { statement: "`_read_section` fails. It should be a MissingSection error with the name of the section." },
])("a traceback, and what the program should do, tell no fix: $statement", ({ statement }) => {
  expect(findToldFix(statement, section)).toBeUndefined();
});
