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

test("judges a fix with the name of a property of JavaScript's objects", () => {
  const patch = goldPatch.replace("ParseUint(o,", "ParseUint(constructor,");
  expect(findToldFix(rows[0]?.statement ?? "", { ...split, goldPatch: patch })).toBeDefined();
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

const digits = {
  goldPatch: `diff --git a/html.py b/html.py
--- a/html.py
+++ b/html.py
@@ -17,5 +17,7 @@ if TYPE_CHECKING:
+# ASCII only.
 _entity_re = re.compile(
-    r"&(?P<named>[a-z\\d]+)|#(?P<dec>\\d+)",
+    r"&(?P<named>[a-z0-9]+)|#(?P<dec>[0-9]+)",
     re.IGNORECASE,
 )
@@ -36,3 +38,3 @@ def _upto(literal: str) -> str:
-_REFRESH = r"(?P<int>\\d+)"
+_REFRESH = r"(?P<int>[0-9]+)"
 _refresh_re = re.compile(_REFRESH)
`,
  testPatch: section.testPatch,
  codeFiles: ["html.py"],
  testFiles: ["test_config.py"],
};

test.each([
  [
    "Arabic digits count. In `_entity_re` both groups need the class from zero to nine in place of it, and `_REFRESH` too.",
    true,
  ],
  [
    "Arabic digits count. In `_entity_re` both groups need the class from zero to nine in place of it.",
    false,
  ],
  ["`_entity_re` and `_REFRESH` accept Arabic digits instead of only ASCII ones.", false],
  ["Character references and refreshes should have the class from zero to nine in place of it.", false],
])("a fix that only changes patterns, and %s: %s", (statement, isTold) => {
  expect(findToldFix(statement, digits) !== undefined).toBe(isTold);
});

const feature = {
  goldPatch: `diff --git a/version.go b/version.go
--- a/version.go
+++ b/version.go
@@ -300,8 +300,20 @@ func (v *Version) GreaterThan(o *Version) bool {
 	return v.Compare(o) > 0
 }
 
+// GreaterThanOrEqual tests if this version is at least another version.
+func (v *Version) GreaterThanOrEqual(o *Version) bool {
+	return v.Compare(o) >= 0
+}
+
 // LessThan tests if this version is less than another version.
 func (v *Version) LessThan(o *Version) bool {
 	return v.Compare(o) < 0
 }
+
+// LessThanOrEqual tests if this version is at most another version.
+func (v *Version) LessThanOrEqual(o *Version) bool {
+	return v.Compare(o) <= 0
+}
 
 func plain() {}
`,
  testPatch: `diff --git a/version_test.go b/version_test.go
--- a/version_test.go
+++ b/version_test.go
@@ -1,1 +1,2 @@ func TestCompare(t *testing.T) {
+	if !a.GreaterThanOrEqual(b) {
`,
  codeFiles: ["version.go"],
  testFiles: ["version_test.go"],
};
const wish =
  "`Version` has `LessThan`, `Equal` and `GreaterThan`. Please add `GreaterThanOrEqual(o *Version) bool` and `LessThanOrEqual(o *Version) bool` with the order that `Compare` defines, instead of our own helpers.";

test("asked-for names and their public siblings are no place inside the code", () => {
  expect(findToldFix(wish, feature)).toBeUndefined();
});

test.each([
  [
    "a function that the fix changes",
    "\n@@ -400,3 +412,3 @@ func (v *Version) LessThan() {\n-\treturn a\n+\treturn version\n",
  ],
  [
    "a new inner function",
    "\n@@ -400,3 +412,6 @@\n+func lessThanOrEqual(v *Version) bool {\n+\treturn version\n+}\n",
  ],
])("%s is a place inside the code", (_, hunk) => {
  const statement = `${wish} Add \`lessThanOrEqual\`, which returns less, or equal.`;
  expect(findToldFix(statement, { ...feature, goldPatch: feature.goldPatch + hunk.slice(1) })).toBeDefined();
});
