import { expect, test } from "vitest";
import { fail, succeed } from "../base/result.ts";
import { applyEdits } from "./apply-edits.ts";
import type { EditableFiles, EditOutcome } from "./contract.ts";
import { parseEdits } from "./parse-edits.ts";

function filesOf(texts: Readonly<Record<string, string>>): EditableFiles {
  return {
    read: async (path) =>
      path.startsWith("/") ? fail("refused", `${path} lies outside.`) : succeed(texts[path]),
    list: async () => Object.keys(texts),
  };
}

function apply(texts: Readonly<Record<string, string>>, reply: string): Promise<EditOutcome> {
  const { edits, problems } = parseEdits(reply);
  expect(problems).toEqual([]);
  return applyEdits(filesOf(texts), edits);
}

async function edited(texts: Readonly<Record<string, string>>, reply: string) {
  const outcome = await apply(texts, reply);
  if (!outcome.ok) throw new Error(outcome.problems.map(({ message }) => message).join("\n"));
  return Object.fromEntries(outcome.changes.map(({ path, after }) => [path, after]));
}

async function refused(texts: Readonly<Record<string, string>>, reply: string) {
  const outcome = await apply(texts, reply);
  return outcome.ok ? [] : outcome.problems;
}

const block = (original: string, replacement: string, path = "a.txt"): string =>
  `${path}\n<<<<<<< ORIGINAL\n${original}\n=======\n${replacement}\n>>>>>>> UPDATED\n`;

test("several edits of several files are made together", async () => {
  const reply = block("b", "x") + block("d", "y") + block("p", "q", "b.txt");
  expect(await edited({ "a.txt": "a\nb\nc\nd\n", "b.txt": "p\n" }, reply)).toEqual({
    "a.txt": "a\nx\nc\ny\n",
    "b.txt": "q\n",
  });
});

test("one edit that does not fit keeps all others from being made, and is named", async () => {
  const problems = await refused({ "a.txt": "a\nb\n" }, block("a", "x") + block("unknown words here", "y"));
  expect(problems).toMatchObject([{ edit: 2, kind: "no-match", path: "a.txt" }]);
});

test("edits speak of the file as it was, else of what earlier ones made of it", async () => {
  expect(await edited({ "a.txt": "a\nb\n" }, block("a", "b") + block("b", "c"))).toEqual({
    "a.txt": "b\nc\n",
  });
  expect(await edited({ "a.txt": "a\n" }, block("a", "fresh line") + block("fresh line", "c"))).toEqual({
    "a.txt": "c\n",
  });
});

test("edits may share the lines around their changes, not the changes", async () => {
  const text = "one\ntwo\nthree\nfour\nfive\n";
  const shared = block("one\ntwo\nthree", "one\n2\nthree") + block("three\nfour", "three\n4");
  expect(await edited({ "a.txt": text }, shared)).toEqual({ "a.txt": "one\n2\nthree\n4\nfive\n" });
  const both = block("two\nthree", "2\n3") + block("three\nfour", "III\nfour");
  expect(await refused({ "a.txt": text }, both)).toMatchObject([{ edit: 2, kind: "overlap" }]);
});

test("a file that only has the name's end is not deleted, renamed or inserted into", async () => {
  const texts = { "src/a.txt": "a\n", "b.txt": "b\n" };
  for (const record of [
    { path: "a.txt", delete: true },
    { path: "old/b.txt", delete: true },
    { path: "old b.txt", delete: true },
    { path: "a.txt", to: "c.txt" },
    { path: "a.txt", line: 1, text: "x\n" },
  ]) {
    const [problem] = await refused(texts, JSON.stringify(record));
    expect(problem).toMatchObject({ kind: "no-file" });
  }
  expect(await edited(texts, '{"path": "/repo/src/a.txt", "delete": true}')).toEqual({
    "src/a.txt": undefined,
  });
});

test("files are created, deleted and renamed, and a renamed one edited", async () => {
  const reply = [
    { path: "new.txt", text: "n\n" },
    { path: "old.txt", delete: true },
    { path: "a.txt", to: "b.txt" },
    { path: "b.txt", old: "a", new: "z" },
  ];
  const outcome = await apply({ "old.txt": "o\n", "a.txt": "a\n" }, JSON.stringify(reply));
  expect(outcome).toMatchObject({
    ok: true,
    changes: expect.arrayContaining([
      { path: "new.txt", before: undefined, after: "n\n" },
      { path: "old.txt", before: "o\n", after: undefined },
      { path: "b.txt", from: "a.txt", before: "a\n", after: "z\n" },
    ]),
  });
});

test("a block with nothing in its original makes a new file, and overwrites none", async () => {
  const reply = "new.txt\n<<<<<<< ORIGINAL\n=======\nx\n>>>>>>> UPDATED\n";
  expect(await edited({}, reply)).toEqual({ "new.txt": "x\n" });
  expect(await refused({ "new.txt": "here\n" }, reply)).toMatchObject([{ kind: "no-match" }]);
  expect(await refused({ "a.txt": "here\n" }, '{"path": "a.txt", "text": "x"}')).toMatchObject([
    { kind: "exists" },
  ]);
});

test("a file is found by the end of its path, and without a path by its lines", async () => {
  const texts = { "src/a.txt": "some line\n", "src/b.txt": "another thing\n" };
  expect(await edited(texts, block("some line", "x", "repo/src/a.txt"))).toEqual({ "src/a.txt": "x\n" });
  expect(await edited(texts, block("another thing", "x", "I change this:"))).toEqual({ "src/b.txt": "x\n" });
  const twice = await refused({ "a.txt": "same\n", "b.txt": "same\n" }, block("same", "x", "I change this:"));
  expect(twice).toMatchObject([{ kind: "no-file", places: [{ path: "a.txt" }, { path: "b.txt" }] }]);
  expect(await refused(texts, block("x", "y", "nowhere/c.txt"))).toMatchObject([{ kind: "no-file" }]);
});

test("what may not be edited is refused in the words of who keeps the files", async () => {
  expect(await refused({}, block("a", "b", "/etc/x.txt"))).toMatchObject([
    { kind: "refused", message: "/etc/x.txt lies outside." },
  ]);
});

test("an edit after which more does not parse is refused, one in a broken file is not", async () => {
  const broken = await refused(
    { "a.py": "def f():\n    return 1\n" },
    block("return 1", "return (1", "a.py"),
  );
  expect(broken).toMatchObject([{ kind: "syntax", path: "a.py" }]);
  const text = "def f():\n    return (1\n";
  expect(await edited({ "a.py": text }, block("return (1", "return (2", "a.py"))).toEqual({
    "a.py": "def f():\n    return (2\n",
  });
});

test("a language without a grammar has the check that it is given", async () => {
  const { edits } = parseEdits(block("a", "b"));
  const findErrors = async (_path: string, text: string) => (text.includes("b") ? [1] : []);
  expect(await applyEdits(filesOf({ "a.txt": "a\n" }), edits, { findErrors })).toMatchObject({
    ok: false,
    problems: [{ kind: "syntax" }],
  });
});

test("functions are replaced under their names, with or without their decorators, at their depth", async () => {
  const text =
    "class A:\n    @cached\n    def f(self):\n        return 1\n\n    def g(self):\n        return 2\n";
  const reply = (name: string, code: string): string =>
    JSON.stringify({ path: "a.py", function: name, text: code });
  expect(await edited({ "a.py": text }, reply("A.f", "def f(self):\n    return 3"))).toEqual({
    "a.py": text.replace("return 1", "return 3"),
  });
  expect(await edited({ "a.py": text }, reply("f", "@other\ndef f(self):\n    return 1"))).toEqual({
    "a.py": text.replace("@cached", "@other"),
  });
  const [missing] = await refused({ "a.py": text }, reply("h", "def h(self): pass"));
  expect(missing?.message).toContain("A.g (line 6)");
});

test("of overloads the one with the parameters of the new text is replaced; with others none", async () => {
  const text =
    "class A {\n  int f(int a) { return 1; }\n\n  int f(String a) { return 2; }\n}\nclass B {\n  int f() { return 3; }\n}\n";
  const reply = (name: string, code: string): string =>
    JSON.stringify({ path: "A.java", function: name, text: code });
  const second = "int f(String text) { return 4; }";
  expect(await edited({ "A.java": text }, reply("A.f", second))).toEqual({
    "A.java": text.replace("int f(String a) { return 2; }", second),
  });
  expect(await refused({ "A.java": text }, reply("A.f", "int f(long a) { return 4; }"))).toMatchObject([
    { kind: "ambiguous" },
  ]);
  expect(await refused({ "A.java": text }, reply("f", second))).toMatchObject([{ kind: "ambiguous" }]);
});

test("the very words are changed inside of lines, and everywhere where that is asked for", async () => {
  expect(await edited({ "a.txt": "f(a, b)\n" }, '{"path":"a.txt","old":"a, b","new":"b"}')).toEqual({
    "a.txt": "f(b)\n",
  });
  const all = '{"path":"a.txt","old":"a","new":"c","replace_all":true}';
  expect(await edited({ "a.txt": "a a\nb\na\n" }, all)).toEqual({ "a.txt": "c c\nb\nc\n" });
  expect(await refused({ "a.txt": "a a\n" }, '{"path":"a.txt","old":"a","new":"c"}')).toMatchObject([
    { kind: "ambiguous" },
  ]);
});
