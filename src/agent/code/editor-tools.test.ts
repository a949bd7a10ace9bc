import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeGitDirectory } from "../../workspace/git.ts";
import { openPrivateStore } from "../../workspace/tree-store.ts";
import { editorTools } from "./editor-tools.ts";

/** git's empty tree. */
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

async function openEditor(files: Readonly<Record<string, string | Uint8Array>>) {
  const folder = mkdtempSync(join(tmpdir(), "editor-tools-"));
  await makeGitDirectory(folder, "");
  const store = openPrivateStore(folder);
  onTestFinished(() => {
    store.objects.close();
    rmSync(folder, { recursive: true, force: true });
  });
  store.objects.write("tree", Buffer.alloc(0));
  const changes = Object.entries(files).map(([path, content]) => ({ path, content }));
  let tree = await store.contract.write(emptyTree, [
    ...changes,
    { path: "link.py", content: "a.py", mode: "120000" as const },
  ]);
  const desk = {
    root: "/repository",
    outputs: {
      keep: () => "1a2b3c4d",
      find: (handle: string) => (handle === "1a2b3c4d" ? "a\nb" : undefined),
    },
    tree: () => tree,
    change(next: string) {
      tree = next;
    },
  };
  const tools = editorTools(store.contract, desk);
  return {
    read: async (path: string) => (await store.contract.read(tree, path))?.toString("utf8"),
    async use(name: string, input: object) {
      const tool = tools.find((each) => each.name === name);
      return tool?.run(input) ?? { text: "no such tool", isError: true };
    },
  };
}

test("the line breaks of a file stay as they are, mixed ones too", async () => {
  const editor = await openEditor({
    "crlf.py": "one\r\ntwo\r\n",
    "mixed.py": "one\r\ntwo\nthree",
    "a.py": "a\n",
  });
  await editor.use("str_replace", { path: "crlf.py", old: "one\ntwo", new: "one\n1.5\ntwo" });
  expect(await editor.read("crlf.py")).toBe("one\r\n1.5\r\ntwo\r\n");
  await editor.use("insert", { path: "/repository/mixed.py", line: 2, text: "2.5" });
  expect(await editor.read("mixed.py")).toBe("one\r\ntwo\n2.5\r\nthree");
  await editor.use("insert", { path: "mixed.py", line: 4, text: "four" });
  expect(await editor.read("mixed.py")).toBe("one\r\ntwo\n2.5\r\nthree\r\nfour\r\n");
  const reply = await editor.use("insert", { path: "a.py", line: 0, text: "x = '$&'\ny" });
  expect(await editor.read("a.py")).toBe("x = '$&'\ny\na\n");
  expect(reply.text).toContain("1\tx = '$&'");
});

test("of a long text its ends are shown again, where they stand", async () => {
  const editor = await openEditor({ "a.py": "first\nlast\n" });
  const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`).join("\n");
  const reply = await editor.use("insert", { path: "a.py", line: 1, text });
  expect(reply.text.split("\n")).toEqual([
    "Changed. a.py, lines 1-32 of 32",
    ...[
      "1\tfirst",
      "2\tline 1",
      "3\tline 2",
      "4\tline 3",
      "5\tline 4",
      "(22 of the new lines are not shown)",
    ],
    ...["28\tline 27", "29\tline 28", "30\tline 29", "31\tline 30", "32\tlast"],
  ]);
});

test.for([
  ['"q".txt', "quotation mark"],
  [`${"n".repeat(300)}.py`, "300"],
  ["a\nb.py", "control character"],
  [`${"deep/".repeat(500)}a.py`, "bytes long"],
] as const)("a file that could not be written is refused as an answer: %s", async ([path, why]) => {
  const editor = await openEditor({});
  const reply = await editor.use("create", { path, text: "x\n" });
  expect(reply).toMatchObject({ isError: true });
  expect(reply.text).toContain(why === "300" ? "bytes" : why);
});

test("what was too long to be shown is looked at by its handle", async () => {
  const editor = await openEditor({});
  expect((await editor.use("view", { path: "output:1a2b3c4d", startLine: 2 })).text).toContain("\nb");
  expect(await editor.use("view", { path: "output:00000000" })).toMatchObject({ isError: true });
});

test("what cannot be read or written is refused, and nothing changes", async () => {
  const editor = await openEditor({
    "a.py": "twice\ntwice\n",
    "sub/b.py": "b\n",
    "image.png": new Uint8Array([0, 1, 2]),
  });
  const refused: readonly (readonly [string, object, string])[] = [
    ["view", { path: "image.png" }, "not UTF-8 text"],
    ["view", { path: "link.py" }, "is a symbolic link"],
    ["view", { path: "c.py" }, "There is no file c.py"],
    ["create", { path: "a.py", text: "x" }, "exists already"],
    ["create", { path: "a.py/inside.py", text: "x" }, "a.py is not a folder"],
    ["create", { path: "sub/../../x.py", text: "x" }, "outside the repository"],
    ["create", { path: "/repository-other/x.py", text: "x" }, "outside the repository"],
    ["create", { path: "sub/.GIT/config", text: "x" }, "not a path of a file"],
    ["str_replace", { path: "a.py", old: "twice", new: "once" }, "occurs 2 times"],
    ["str_replace", { path: "a.py", old: "never", new: "once" }, "does not contain this text"],
    ["insert", { path: "sub", line: 0, text: "x" }, "is a folder"],
    ["insert", { path: "a.py", line: 3, text: "x" }, "has 2 lines"],
  ];
  for (const [name, input, why] of refused) {
    const reply = await editor.use(name, input);
    expect(reply).toMatchObject({ isError: true, text: expect.stringContaining(why) });
  }
  expect(await editor.read("a.py")).toBe("twice\ntwice\n");
  expect((await editor.use("view", { path: "." })).text).toBe("a.py\nimage.png\nlink.py\nsub/b.py");
});

test("what a command's output hid is not written into a file that does not say it itself", async () => {
  const editor = await openEditor({
    "a.py": 'url = "http://user:word@localhost"\n',
    "b.py": "x = '[redacted]'\n",
  });
  const old = 'url = "http://user:[redacted]@localhost"';
  expect(await editor.use("str_replace", { path: "a.py", old, new: "url = ''" })).toMatchObject({
    isError: true,
    text: expect.stringMatching(/does not contain this text.*`view` shows/),
  });
  expect(await editor.use("insert", { path: "a.py", line: 0, text: old })).toMatchObject({ isError: true });
  expect(await editor.read("a.py")).toBe('url = "http://user:word@localhost"\n');
  await editor.use("str_replace", { path: "b.py", old: "x", new: "y = '[redacted]'\nx" });
  expect(await editor.read("b.py")).toBe("y = '[redacted]'\nx = '[redacted]'\n");
});
