import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { makeGitDirectory } from "../workspace/git.ts";
import { openPrivateStore, type PrivateStore } from "../workspace/tree-store.ts";
import { buildTaskTrees, layPatch } from "./graded-tree.ts";

const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
const code = ["fn halve(n: u32) -> u32 {", "    n - 2", "}", "", "// counted", "static COUNT: u32 = 1;", ""];
const inline = ["#[cfg(test)]", "mod tests {", "    #[test]", "    fn old() {}", "}", ""];

let folder: string;
let store: PrivateStore;
let base: string;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "millwright-trees-"));
  const git = join(folder, "store");
  await makeGitDirectory(git, "");
  store = openPrivateStore(git);
  store.objects.write("tree", Buffer.alloc(0));
  base = await write(emptyTree, { "src/half.rs": [...code, ...inline].join("\n"), "tests/all.rs": "old\n" });
});
afterEach(() => {
  store.objects.close();
  rmSync(folder, { recursive: true, force: true });
});

function write(tree: string, files: Readonly<Record<string, string | null>>): Promise<string> {
  return store.contract.write(
    tree,
    Object.entries(files).map(([path, content]) => ({ path, content })),
  );
}

/** The patch that creates the base's files. */
async function patch(files: Readonly<Record<string, string | null>>): Promise<string> {
  return store.contract.diff(base, await write(base, files));
}

async function lay(testPatch: string, goldPatch: string, candidate: string) {
  const trees = await buildTaskTrees(store.contract, base, { testPatch, goldPatch });
  if (!trees.ok) throw new Error(trees.message);
  const laid = await layPatch(store.contract, trees.value, candidate);
  if (!laid.ok) throw new Error(laid.message);
  const { tree, restored } = laid.value;
  const read = async (path: string): Promise<string | undefined> =>
    (await store.contract.read(tree, path))?.toString();
  return { restored, read };
}

const fixedCode = [...code].map((line) => line.replace("n - 2", "n / 2"));
const newInline = [...inline.slice(0, 4), "    #[test]", "    fn halves() {}", ...inline.slice(4)];

describe("layPatch", () => {
  test("merges a fix with tests that stand in the same file, and the tests win where both changed", async () => {
    const testPatch = await patch({ "src/half.rs": [...code, ...newInline].join("\n") });
    const goldPatch = await patch({ "src/half.rs": [...fixedCode, ...inline].join("\n") });
    const gold = await lay(testPatch, goldPatch, goldPatch);
    expect(await gold.read("src/half.rs")).toBe([...fixedCode, ...newInline].join("\n"));
    expect(gold.restored).toEqual([]);

    const own = [...inline.slice(0, 4), "    #[test]", "    fn mine() {}", ...inline.slice(4)];
    const candidate = await patch({ "src/half.rs": [...fixedCode, ...own].join("\n") });
    const laid = await lay(testPatch, goldPatch, candidate);
    expect(await laid.read("src/half.rs")).toBe([...fixedCode, ...newInline].join("\n"));
  });

  test("takes what the test patch adds and removes, and leaves out what a patch does to tests", async () => {
    const testPatch = await patch({ "tests/all.rs": null, "tests/new.py": "new\n" });
    const goldPatch = await patch({ "src/half.rs": "fixed\n" });
    const candidate = await patch({
      "src/half.rs": "fixed otherwise\n",
      "src/more.rs": "more\n",
      "tests/all.rs": "kept\n",
      "tests/new.py": "mine\n",
      "tests/conftest.py": "hijack\n",
    });
    const laid = await lay(testPatch, goldPatch, candidate);
    expect(await laid.read("src/half.rs")).toBe("fixed otherwise\n");
    expect(await laid.read("src/more.rs")).toBe("more\n");
    expect(await laid.read("tests/all.rs")).toBeUndefined();
    expect(await laid.read("tests/new.py")).toBe("new\n");
    expect(await laid.read("tests/conftest.py")).toBeUndefined();
    expect([...laid.restored].sort()).toEqual(["tests/all.rs", "tests/conftest.py", "tests/new.py"]);
  });

  test("a file of tests that the fix itself changes is no test to be kept", async () => {
    const goldPatch = await patch({ "lib/test/client.py": "fixed\n", "src/half.rs": "fixed\n" });
    const candidate = await patch({ "lib/test/client.py": "fixed otherwise\n" });
    const laid = await lay("", goldPatch, candidate);
    expect(await laid.read("lib/test/client.py")).toBe("fixed otherwise\n");
    expect(laid.restored).toEqual([]);
  });
});
