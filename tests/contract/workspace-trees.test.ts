/** Trees, patches and the composition of candidates, on git's real objects. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Candidate } from "../../src/domain/candidate.ts";
import { applyPatch } from "../../src/workspace/apply-patch.ts";
import type { Workspace } from "../../src/workspace/contract.ts";
import {
  type Files,
  git,
  makeFolder,
  makeRepository,
  openTestWorkspace,
  writeFiles,
} from "./workspace-fixture.ts";

type Edits = Readonly<Record<string, string | Uint8Array | null>>;

function write(workspace: Workspace, tree: string, edits: Edits): Promise<string> {
  return workspace.trees.write(
    tree,
    Object.entries(edits).map(([path, content]) => ({ path, content })),
  );
}

async function filesOf(workspace: Workspace, tree: string): Promise<Record<string, string>> {
  const entries = await workspace.trees.list(tree);
  const contents = await Promise.all(entries.map((entry) => workspace.trees.read(tree, entry.path)));
  return Object.fromEntries(
    entries.map((entry, index) => [entry.path, contents[index]?.toString("latin1") ?? ""]),
  );
}

const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index}\n`).join("");

describe("write", () => {
  test("makes the tree that git would make, and git finds nothing wrong with it", async () => {
    const repository = makeRepository({ "a.py": "1", "b/c.py": "1", "b.py": "1", "b/d/e.py": "1" });
    const workspace = await openTestWorkspace(repository);
    const edits = { "a.py": "2", "b/c.py": null, "b/d/e.py": null, "b-x": "1", "b/z/new.py": "new", b0: "1" };
    const tree = await write(workspace, workspace.base, edits);
    expect(await filesOf(workspace, tree)).toEqual({
      "a.py": "2",
      "b-x": "1",
      "b.py": "1",
      "b/z/new.py": "new",
      b0: "1",
    });
    for (const [path, content] of Object.entries(edits)) {
      if (content === null) git(repository, "rm", "--quiet", path);
      else writeFiles(repository, { [path]: content });
    }
    git(repository, "add", "--all");
    expect(tree).toBe(git(repository, "write-tree"));
    const store = join(workspace.directory, "store");
    const fsck = spawnSync("git", ["--git-dir", store, "fsck", "--full", "--strict"], { encoding: "utf8" });
    expect(fsck.stderr.replace(/^notice.*\n/gm, "")).toBe("");
    expect(fsck.status).toBe(0);
  });

  test("keeps a file's mode unless another is given, and takes bytes as they are", async () => {
    const workspace = await openTestWorkspace(makeRepository({ "a.py": "1" }));
    const script = await workspace.trees.write(workspace.base, [
      { path: "run", content: "1", mode: "100755" },
    ]);
    const bytes = Uint8Array.from([0, 255, 13, 10]);
    const tree = await write(workspace, script, { run: bytes });
    expect(await workspace.trees.list(tree)).toMatchObject([
      { path: "a.py", mode: "100644" },
      { path: "run", mode: "100755" },
    ]);
    expect(await workspace.trees.read(tree, "run")).toEqual(Buffer.from(bytes));
    expect(await workspace.trees.read(tree, "nothing/here")).toBeUndefined();
    expect(await workspace.trees.read(tree, "a.py/b")).toBeUndefined();
  });

  test.each([
    "../x",
    "a/../../x",
    "/etc/passwd",
    "",
    ".",
    "a//b",
    "a/",
    ".git/config",
    "a/.GIT/hooks/x",
    "a\0b",
    '"\\351',
    "git~1/x",
    ".git./x",
    ".g\u200cit/config",
    ".git::$INDEX_ALLOCATION/config",
    "a.py/b",
  ])("refuses %j", async (path) => {
    const workspace = await openTestWorkspace(makeRepository({ "a.py": "1" }));
    await expect(write(workspace, workspace.base, { [path]: "x" })).rejects.toMatchObject({ code: "usage" });
  });

  test("can turn a file into a folder and back, and empty the tree", async () => {
    const workspace = await openTestWorkspace(makeRepository({ a: "1" }));
    const folder = await write(workspace, workspace.base, { a: null, "a/b": "1" });
    expect(await filesOf(workspace, folder)).toEqual({ "a/b": "1" });
    const file = await write(workspace, folder, { "a/b": null, a: "1" });
    expect(file).toBe(workspace.base);
    expect(await filesOf(workspace, await write(workspace, file, { a: null }))).toEqual({});
  });
});

describe("diff and apply", () => {
  const before: Files = {
    "text.py": lines(30),
    "crlf.txt": "a\r\nb\r\n",
    "latin1.txt": Buffer.from("caf\xe9\nb\n", "latin1"),
    "data.bin": Buffer.from([0, 1, 2, 255]),
    "gone.py": "x\n",
    "we ird\t[x]*.txt": Buffer.from("\xe9 odd name\n", "latin1"),
    "no-newline": "x",
  };
  const edits: Edits = {
    "text.py": lines(30).replace("line 7\n", "changed\n"),
    "crlf.txt": "a\r\nchanged\r\n",
    "latin1.txt": Buffer.from("caf\xe9\nchanged \xe8\n", "latin1"),
    "data.bin": Buffer.from([0, 1, 3, 255]),
    "gone.py": null,
    "new/naïve.py": "new\n",
    "we ird\t[x]*.txt": Buffer.from("\xe8 odd name\n", "latin1"),
    "no-newline": "y",
  };

  test("a diff takes the user's repository, by the user's git, to the tree's bytes", async () => {
    const repository = makeRepository(before);
    const workspace = await openTestWorkspace(repository);
    const tree = await write(workspace, workspace.base, edits);
    const patch = join(makeFolder(), "patch.diff");
    writeFileSync(patch, await workspace.trees.diff(workspace.base, tree));
    git(repository, "apply", "--whitespace=nowarn", patch);
    for (const [path, content] of Object.entries(edits)) {
      const expected = content === null ? undefined : Buffer.from(content);
      const isThere = existsSync(join(repository, path));
      expect(isThere ? readFileSync(join(repository, path)) : undefined, path).toEqual(expected);
    }
  });

  test("apply is the inverse of diff; a patch that does not fit is answered, and changes nothing", async () => {
    const workspace = await openTestWorkspace(makeRepository(before));
    const tree = await write(workspace, workspace.base, edits);
    const patch = await workspace.trees.diff(workspace.base, tree);
    expect(await workspace.trees.apply(workspace.base, patch)).toEqual({ ok: true, value: tree });
    expect(await workspace.trees.apply(workspace.base, "")).toEqual({ ok: true, value: workspace.base });
    expect(await workspace.trees.diff(tree, tree)).toBe("");
    const twice = await workspace.trees.apply(tree, patch);
    expect(twice).toMatchObject({
      ok: false,
      kind: "patch-rejected",
      message: expect.stringContaining("gone.py"),
    });
    expect(await workspace.trees.apply(tree, "no patch")).toMatchObject({
      ok: false,
      kind: "patch-rejected",
    });
    const name = "n".repeat(300);
    const long = `diff --git a/${name} b/${name}\nnew file mode 100644\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1 @@\n+x\n`;
    expect(await workspace.trees.apply(tree, long)).toMatchObject({ ok: false, kind: "patch-rejected" });
    const id = "1".repeat(40);
    const submodule = `diff --git a/lib b/lib\nnew file mode 160000\nindex 0000000..${id}\n--- /dev/null\n+++ b/lib\n@@ -0,0 +1 @@\n+Subproject commit ${id}\n`;
    expect(await workspace.trees.apply(tree, submodule)).toMatchObject({
      ok: false,
      message: "lib is a submodule",
    });
    const outside = "--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n";
    expect(await workspace.trees.apply(tree, outside)).toMatchObject({ ok: false, kind: "patch-rejected" });
  });

  test("a patch moves a submodule of the tree to another commit", async () => {
    const repository = makeRepository({ a: "1\n" });
    const [old = "", id] = [git(repository, "rev-parse", "HEAD"), "1".repeat(40)];
    git(repository, "update-index", "--add", "--cacheinfo", `160000,${old},lib`);
    const tree = git(repository, "write-tree");
    const patch = `diff --git a/lib b/lib\nindex ${old}..${id} 160000\n--- a/lib\n+++ b/lib\n@@ -1 +1 @@\n-Subproject commit ${old}\n+Subproject commit ${id}\n`;
    const applied = await applyPatch(join(repository, ".git"), makeFolder(), tree, patch);
    expect(applied).toMatchObject({ ok: true });
    if (applied.ok) expect(git(repository, "ls-tree", applied.value, "lib")).toContain(id);
  });

  test("counts added and removed lines", async () => {
    const workspace = await openTestWorkspace(
      makeRepository({ "a.py": lines(3), "b.bin": Buffer.from([0, 1]) }),
    );
    const tree = await write(workspace, workspace.base, {
      "a.py": `${lines(2)}x\ny\n`,
      "b.bin": Buffer.from([0, 2]),
      "naïve.py": "1\n",
    });
    expect(await workspace.trees.stat(workspace.base, tree)).toEqual([
      { path: "a.py", added: 2, removed: 1 },
      { path: "b.bin", added: 0, removed: 0 },
      { path: "naïve.py", added: 1, removed: 0 },
    ]);
  });
});

describe("compose", () => {
  async function makeCandidates(workspace: Workspace, specs: readonly { parent?: string; edits: Edits }[]) {
    const made = new Map<string, Candidate>();
    for (const [index, { parent, edits }] of specs.entries()) {
      const from = parent === undefined ? workspace.base : (made.get(parent)?.tree ?? "");
      const id = `c${index + 1}`;
      const tree = await write(workspace, from, edits);
      made.set(id, { id, tree, kind: "code", origin: "test", ...(parent === undefined ? {} : { parent }) });
    }
    const compose = (...ids: string[]) =>
      workspace.trees.compose(
        workspace.base,
        ids.map((id) => made.get(id) as Candidate),
        (id) => (made.get(id) as Candidate).tree,
      );
    return { compose, treeOf: (id: string) => (made.get(id) as Candidate).tree };
  }

  test("lays any subset: each candidate is what it changed against its parent", async () => {
    const text = lines(40);
    const workspace = await openTestWorkspace(makeRepository({ "a.py": text, "b.py": "1\n" }));
    const second = text.replace("line 5\n", "five\n");
    const { compose, treeOf } = await makeCandidates(workspace, [
      { edits: { "a.py": second } },
      { parent: "c1", edits: { "a.py": second.replace("line 30\n", "thirty\n") } },
      { edits: { "b.py": null, "c.py": "new\n" } },
    ]);
    expect(await compose()).toEqual({ ok: true, value: workspace.base });
    expect(await compose("c1")).toEqual({ ok: true, value: treeOf("c1") });
    expect(await compose("c1", "c2")).toEqual({ ok: true, value: treeOf("c2") });
    const alone = await compose("c2", "c3");
    if (!alone.ok) throw new Error(alone.message);
    expect(await filesOf(workspace, alone.value)).toEqual({
      "a.py": text.replace("line 30\n", "thirty\n"),
      "c.py": "new\n",
    });
  });

  test("names the files and the candidates of a conflict", async () => {
    const workspace = await openTestWorkspace(
      makeRepository({ "a.py": lines(9), "b.py": "1\n", "d.bin": Buffer.from([0, 1]) }),
    );
    const { compose } = await makeCandidates(workspace, [
      { edits: { "a.py": lines(9).replace("line 4", "four") } },
      { edits: { "a.py": lines(9).replace("line 4", "vier") } },
      { edits: { "b.py": null } },
      { edits: { "b.py": "2\n" } },
      { edits: { "new.py": "1\n" } },
      { edits: { "new.py": "2\n" } },
      { edits: { "new.py/below": "2\n" } },
      { edits: { "d.bin": Buffer.from([0, 2]) } },
      { edits: { "d.bin": Buffer.from([0, 3]) } },
    ]);
    for (const [one, other, path] of [
      ["c1", "c2", "a.py"],
      ["c3", "c4", "b.py"],
      ["c4", "c3", "b.py"],
      ["c5", "c6", "new.py"],
      ["c5", "c7", "new.py/below"],
      ["c7", "c5", "new.py"],
      ["c8", "c9", "d.bin"],
    ] as const) {
      const composed = await compose(one, other);
      expect(composed).toMatchObject({ ok: false, kind: "conflict" });
      expect(composed.ok ? "" : composed.message).toContain(`${path}: ${other} conflicts with `);
    }
    expect(await compose("c1", "c1")).toMatchObject({ ok: true });
    expect(await compose("c2", "c3", "c5", "c8")).toMatchObject({ ok: true });
  });

  test("merges modes with contents", async () => {
    const workspace = await openTestWorkspace(makeRepository({ run: "1\n" }));
    const { trees, base } = workspace;
    const program = await trees.write(base, [{ path: "run", content: "1\n", mode: "100755" }]);
    const changed = await write(workspace, base, { run: "2\n" });
    const candidates = [program, changed].map(
      (tree, index): Candidate => ({ id: `c${index}`, tree, kind: "code", origin: "test" }),
    );
    const composed = await trees.compose(base, candidates, () => base);
    if (!composed.ok) throw new Error(composed.message);
    expect(await trees.list(composed.value)).toMatchObject([{ path: "run", mode: "100755" }]);
    expect(await filesOf(workspace, composed.value)).toEqual({ run: "2\n" });
  });

  test("edits that do not touch each other give the same tree in any order", async () => {
    const blocks = 8;
    const block = (index: number, value: string): string =>
      `# ${index}\nvalue_${index} = ${value}\n# end ${index}\n`;
    const file = (values: readonly string[]): string =>
      values.map((value, index) => block(index, value)).join("");
    const original = Array.from({ length: blocks }, () => "0");
    const workspace = await openTestWorkspace(
      makeRepository({ "a.py": file(original), "b.py": file(original) }),
    );
    const edit = fc.record({
      path: fc.constantFrom("a.py", "b.py"),
      block: fc.nat(blocks - 1),
      value: fc.constantFrom("1", "2\nextra = 3", "", "naïve"),
    });
    const property = fc.asyncProperty(
      fc.uniqueArray(edit, { minLength: 2, maxLength: 6, selector: ({ path, block }) => `${path}:${block}` }),
      fc.infiniteStream(fc.nat(1000)),
      async (edits, keys) => {
        const order = edits
          .map((_, index) => ({ index, key: keys.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const candidates: Candidate[] = [];
        const wanted = { "a.py": [...original], "b.py": [...original] };
        for (const [index, { path, block, value }] of edits.entries()) {
          const alone = original.with(block, value);
          wanted[path as "a.py"][block] = value;
          candidates.push({
            id: `c${index}`,
            tree: await write(workspace, workspace.base, { [path]: file(alone) }),
            kind: "code",
            origin: "test",
          });
        }
        const expected = await write(workspace, workspace.base, {
          "a.py": file(wanted["a.py"]),
          "b.py": file(wanted["b.py"]),
        });
        for (const sequence of [candidates, order.map(({ index }) => candidates[index] as Candidate)]) {
          const composed = await workspace.trees.compose(workspace.base, sequence, () => workspace.base);
          expect(composed).toEqual({ ok: true, value: expected });
        }
      },
    );
    await fc.assert(property, { numRuns: 25 });
  });
});
