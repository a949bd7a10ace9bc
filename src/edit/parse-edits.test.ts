import { expect, test } from "vitest";
import type { Edit } from "./contract.ts";
import { parseEdits } from "./parse-edits.ts";

function read(...lines: readonly string[]): readonly Edit[] {
  const { edits, problems } = parseEdits(lines.join("\n"));
  expect(problems).toEqual([]);
  return edits;
}

const wanted = { kind: "replace", path: "src/a.py", original: "x = 1\n", replacement: "x = 2\n" };
const body = ["x = 1", "=======", "x = 2"];

test.each([
  ["with its path above", ["src/a.py", "<<<<<<< ORIGINAL", ...body, ">>>>>>> UPDATED"]],
  [
    "in a fence, its path above that",
    ["**src/a.py**", "", "```python", "<<<<<<< SEARCH", ...body, ">>>>>>> REPLACE", "```"],
  ],
  [
    "with its path inside the fence",
    ["```", "src/a.py", "<<<<<<< SEARCH", ...body, ">>>>>>> REPLACE", "```"],
  ],
  ["with its path on the fence", ["```python src/a.py", "<<<<<<< SEARCH", ...body, ">>>>>>> REPLACE", "```"]],
  ["with its path on the marker", ["<<<<<<< src/a.py", ...body, ">>>>>>> src/a.py"]],
  [
    "with markers of other lengths",
    ["src/a.py", "<<<<< SEARCH", "x = 1", "=========", "x = 2", ">>>>>>>>> REPLACE"],
  ],
  ["with bare markers", ["src/a.py", "<<<<<<<", ...body, ">>>>>>>"]],
  ["with dashes and pluses", ["src/a.py", "------- SEARCH", ...body, "+++++++ REPLACE"]],
  ["with no end but the fence's", ["src/a.py", "```", "<<<<<<< SEARCH", ...body, "```"]],
  ["with no end", ["src/a.py", "<<<<<<< SEARCH", ...body]],
  [
    "with a fence around each text",
    [
      "src/a.py",
      "<<<<<<< SEARCH",
      "```",
      "x = 1",
      "```",
      "=======",
      "```",
      "x = 2",
      "```",
      ">>>>>>> REPLACE",
    ],
  ],
  ["with CRLF", [["src/a.py", "<<<<<<< SEARCH", ...body, ">>>>>>> REPLACE", ""].join("\r\n")]],
] as const)("reads a block %s", (_, lines) => {
  expect(read(...lines)).toEqual([wanted]);
});

test("reads a block without a path as one of an unknown file", () => {
  expect(read("I change this:", "<<<<<<< SEARCH", ...body, ">>>>>>> REPLACE")).toMatchObject([
    { original: "x = 1\n" },
  ]);
});

test("takes over the path of the block before, and ends one where the next begins", () => {
  const edits = read(
    "a.py",
    "<<<<<<< SEARCH",
    "a",
    "=======",
    "b",
    "<<<<<<< SEARCH",
    "c",
    "=======",
    "d",
    ">>>>>>> REPLACE",
  );
  expect(edits).toMatchObject([
    { path: "a.py", original: "a\n", replacement: "b\n" },
    { path: "a.py", original: "c\n", replacement: "d\n" },
  ]);
});

test("keeps each way to divide a text that has lines of equals signs itself", () => {
  const [edit] = read(
    "a.rst",
    "<<<<<<< SEARCH",
    "Title",
    "=====",
    "=======",
    "Name",
    "=====",
    ">>>>>>> REPLACE",
  );
  expect(edit).toMatchObject({ original: "Title\n=====\n", replacement: "Name\n=====\n", others: [{}, {}] });
});

test("does not take a doctest's prompt or a shell's here-string for a marker", () => {
  const [edit] = read(
    "a.py",
    "<<<<<<< SEARCH",
    ">>> f()",
    "cat <<< x",
    "=======",
    ">>> g()",
    ">>>>>>> REPLACE",
  );
  expect(edit).toMatchObject({ original: ">>> f()\ncat <<< x\n", replacement: ">>> g()\n" });
});

test("reads the text of a function under its name", () => {
  expect(read("a.py", "<<<<<<< FUNCTION Zone.find", "def find(self): pass", ">>>>>>> END")).toEqual([
    { kind: "function", path: "a.py", name: "Zone.find", text: "def find(self): pass\n" },
  ]);
});

test("reads unified diffs by their lines alone", () => {
  const edits = read(
    "--- a/a.py",
    "+++ b/a.py",
    "@@ -90,7 +1 @@ def f():",
    " a",
    "-b",
    "+c",
    "",
    " d",
    "@@ @@",
    "-e",
    "+f",
  );
  expect(edits).toEqual([
    { kind: "replace", path: "a.py", original: "a\nb\n\nd\n", replacement: "a\nc\n\nd\n", line: 90 },
    { kind: "replace", path: "a.py", original: "e\n", replacement: "f\n" },
  ]);
});

test("reads what a diff says of whole files", () => {
  const edits = read(
    "```diff",
    "--- /dev/null",
    "+++ b/new.py",
    "@@ -0,0 +1 @@",
    "+x",
    "--- a/old.py",
    "+++ /dev/null",
    "@@ -1 +0,0 @@",
    "-y",
    "diff --git a/p.py b/q.py",
    "rename from p.py",
    "rename to q.py",
    "```",
  );
  expect(edits).toEqual([
    { kind: "create", path: "new.py", text: "x\n" },
    { kind: "delete", path: "old.py" },
    { kind: "rename", path: "p.py", to: "q.py" },
  ]);
});

test("reads what a diff says by its headings alone, and hunks that lack one", () => {
  const edits = read(
    "diff --git a/gone.py b/gone.py",
    "deleted file mode 100644",
    "index e69de29..0000000",
    "diff --git a/empty.py b/empty.py",
    "new file mode 100644",
    "diff --git a/a.py b/a.py",
    "index 1234567..89abcde 100644",
    "@@ -1 +1 @@",
    "-b",
    "+c",
  );
  expect(edits).toMatchObject([
    { kind: "delete", path: "gone.py" },
    { kind: "create", path: "empty.py", text: "" },
    { kind: "replace", path: "a.py", original: "b\n", replacement: "c\n" },
  ]);
  expect(read("@@ -1 +1 @@", "-b", "+c")).toEqual([
    { kind: "replace", path: undefined, original: "b\n", replacement: "c\n", line: 1 },
  ]);
});

test("a diff of which a part is binary is not read by halves", () => {
  const text = [
    "diff --git a/p.png b/p.png",
    "GIT binary patch",
    "--- a/a.py",
    "+++ b/a.py",
    "@@ @@",
    "-b",
    "+c",
  ];
  expect(parseEdits(text.join("\n")).problems).toMatchObject([{ kind: "unreadable" }]);
});

test("reads patches with file headings of three stars", () => {
  const edits = read(
    "*** Begin Patch",
    "*** Update File: a.py",
    "*** Move to: b.py",
    "@@ def f():",
    " a",
    "-b",
    "+c",
    "*** Add File: n.py",
    "+x",
    "*** Delete File: o.py",
    "*** End Patch",
  );
  expect(edits).toMatchObject([
    { kind: "rename", path: "a.py", to: "b.py" },
    { kind: "replace", path: "b.py", original: "a\nb\n", replacement: "a\nc\n" },
    { kind: "create", path: "n.py", text: "x\n" },
    { kind: "delete", path: "o.py" },
  ]);
});

test.each([
  [
    { path: "a", old: "x", new: "y" },
    { kind: "replace", original: "x", replacement: "y", inline: true },
  ],
  [
    { file_path: "a", old_string: "x", new_string: "", replace_all: true },
    { kind: "replace", everywhere: true },
  ],
  [
    { command: "create", path: "a", file_text: "x" },
    { kind: "create", text: "x" },
  ],
  [
    { command: "insert", path: "a", insert_line: 3, new_str: "x" },
    { kind: "insert", line: 3, text: "x" },
  ],
  [
    { path: "a", function: "f", text: "x" },
    { kind: "function", name: "f" },
  ],
  [{ path: "a", delete: true }, { kind: "delete" }],
  [
    { path: "a", to: "b" },
    { kind: "rename", to: "b" },
  ],
] as const)("reads the record %j", (record, edit) => {
  expect(read(JSON.stringify(record))).toMatchObject([edit]);
  expect(read("```json", JSON.stringify([record, record], undefined, 2), "```")).toHaveLength(2);
});

test("says what is missing in what cannot be read", () => {
  expect(parseEdits("nothing").problems).toMatchObject([{ kind: "unreadable", edit: 0 }]);
  const { edits, problems } = parseEdits("a.py\n<<<<<<< SEARCH\nx\n>>>>>>> REPLACE\n");
  expect(edits).toEqual([]);
  expect(problems[0]?.message).toContain("line 2");
});

test("files that are to go are named beside blocks too, and never inside of one", () => {
  const gone = { kind: "delete", path: "src/b c.py" };
  const block = ["src/a.py", "<<<<<<< ORIGINAL", ...body, ">>>>>>> UPDATED"];
  expect(read("*** Delete File: src/b c.py", ...block)).toEqual([gone, wanted]);
  expect(read(...block, "", "*** Delete File: src/b c.py")).toEqual([wanted, gone]);
  const text = "*** Delete File: src/b c.py";
  expect(read("src/a.py", "<<<<<<< ORIGINAL", "x = 1", "=======", text, ">>>>>>> UPDATED")).toEqual([
    { ...wanted, replacement: `${text}\n` },
  ]);
});
