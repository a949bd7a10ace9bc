/** `--apply`: the user's own files get the patch whole, or are left as they were, whatever happens in the middle. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { type ApplyPlan, prepareSteps, recoverApply } from "../../src/workspace/apply-journal.ts";
import { applyToUserTree } from "../../src/workspace/apply-to-user-tree.ts";
import { describeFolder, makeRepository, openTestWorkspace, writeFiles } from "./workspace-fixture.ts";

const files = { "a.py": "a\n", "b/c.py": "c\n", "gone/x.py": "x\n", "run.sh": "1\n", "b/other.py": "1\n" };

async function makePatched() {
  const repository = makeRepository(files);
  symlinkSync("a.py", join(repository, "link"));
  chmodSync(join(repository, "run.sh"), 0o700);
  chmodSync(join(repository, "a.py"), 0o600);
  const workspace = await openTestWorkspace(repository);
  const tree = await workspace.trees.write(workspace.base, [
    { path: "a.py", content: "a2\r\n" },
    { path: "b/c.py", content: "c2\n" },
    { path: "gone/x.py", content: null },
    { path: "new/deep/n.py", content: "n\n" },
    { path: "run.sh", content: "2\n" },
    { path: "link", content: "b/c.py" },
  ]);
  return { repository, workspace, tree };
}

function expectApplied(repository: string): void {
  expect(readFileSync(join(repository, "a.py"), "utf8")).toBe("a2\r\n");
  expect(readFileSync(join(repository, "new/deep/n.py"), "utf8")).toBe("n\n");
  expect(existsSync(join(repository, "gone"))).toBe(false);
  expect(readlinkSync(join(repository, "link"))).toBe("b/c.py");
  expect(lstatSync(join(repository, "run.sh")).mode & 0o777).toBe(0o700);
  expect(lstatSync(join(repository, "a.py")).mode & 0o777).toBe(0o600);
  expect(describeFolder(repository).filter((line) => line.includes(".millwright"))).toEqual([]);
}

describe("applying a patch", () => {
  test("writes, removes and adds files, keeps the user's rights on them, and touches no other file", async () => {
    const { repository, workspace, tree } = await makePatched();
    const others = (): string[] =>
      describeFolder(repository).filter((line) => /other\.py|^\.git\//.test(line));
    const before = others();
    const applied = await applyToUserTree(workspace, tree);
    expect(applied.ok && applied.value.toSorted()).toEqual([
      "a.py",
      "b/c.py",
      "gone/x.py",
      "link",
      "new/deep/n.py",
      "run.sh",
    ]);
    expectApplied(repository);
    expect(others()).toEqual(before);
    expect(await applyToUserTree(workspace, tree)).toMatchObject({ ok: true });
  });

  test.each([
    ["changed", (folder: string) => writeFileSync(join(folder, "b/c.py"), "the user's\n"), "b/c.py"],
    ["removed", (folder: string) => unlinkSync(join(folder, "a.py")), "a.py"],
    ["made executable", (folder: string) => chmodSync(join(folder, "b/c.py"), 0o755), "b/c.py"],
    ["made", (folder: string) => writeFiles(folder, { "new/deep/n.py": "mine" }), "new/deep/n.py"],
    [
      "put a link in the way of",
      (folder: string) => symlinkSync("/tmp", join(folder, "new")),
      "new/deep/n.py",
    ],
    ["put a file in the way of", (folder: string) => writeFileSync(join(folder, "new"), ""), "new/deep/n.py"],
    [
      "moved behind a link",
      (folder: string) => {
        renameSync(join(folder, "b"), join(folder, "moved"));
        symlinkSync("moved", join(folder, "b"));
      },
      "b/c.py",
    ],
  ])("writes nothing and names the file that the user %s since", async (_, change, path) => {
    const { repository, workspace, tree } = await makePatched();
    change(repository);
    const before = describeFolder(repository);
    const applied = await applyToUserTree(workspace, tree);
    expect(applied).toMatchObject({
      ok: false,
      kind: "changed-since",
      message: expect.stringContaining(path),
    });
    expect(describeFolder(repository)).toEqual(before);
  });

  test("turns a file into a folder and a folder into a file", async () => {
    const repository = makeRepository({ one: "1", "two/x": "1" });
    const workspace = await openTestWorkspace(repository);
    const tree = await workspace.trees.write(workspace.base, [
      { path: "one", content: null },
      { path: "one/x", content: "2" },
      { path: "two/x", content: null },
      { path: "two", content: "2" },
    ]);
    expect(await applyToUserTree(workspace, tree)).toMatchObject({ ok: true });
    expect(
      readFileSync(join(repository, "one/x"), "utf8") + readFileSync(join(repository, "two"), "utf8"),
    ).toBe("22");
  });

  test("gives everything back when one file cannot be written", async () => {
    const repository = makeRepository({ "a.py": "1", "z/x.py": "1" });
    writeFiles(repository, { "z/ignored/keep": "1", ".git/info/exclude": "ignored/\n" });
    const workspace = await openTestWorkspace(repository);
    const tree = await workspace.trees.write(workspace.base, [
      { path: "a.py", content: "2" },
      { path: "z/x.py", content: null },
      { path: "z", content: "a file where an ignored folder's parent is" },
    ]);
    const before = describeFolder(repository).filter((line) => !/^(z)? /.test(line));
    expect(await applyToUserTree(workspace, tree)).toMatchObject({ ok: false, kind: "not-writable" });
    expect(describeFolder(repository).filter((line) => !/^(z)? /.test(line))).toEqual(before);
    expect(existsSync(join(workspace.directory, "apply.json"))).toBe(false);
  });
});

describe("a crash while applying", () => {
  const compiled = mkdtempSync(join(tmpdir(), "millwright-compiled-"));
  afterAll(() => rmSync(compiled, { recursive: true, force: true }));

  /** Applies in a process of its own that dies before the call number `fatal` that changes the disk. */
  async function applyAndDie(
    workspace: { directory: string; repository: string; base: string },
    tree: string,
    fatal: number,
  ) {
    const script = join(import.meta.dirname, "workspace-apply-and-die.ts");
    const child = spawn(
      process.execPath,
      [script, workspace.directory, workspace.repository, workspace.base, tree, String(fatal)],
      {
        // Started at each step: half of a start is compiling.
        env: { ...process.env, NODE_COMPILE_CACHE: compiled },
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    const [, signal] = (await once(child, "close")) as [number | null, string | null];
    return { died: signal === "SIGKILL", out };
  }

  test("leaves, after the next start, all of the patch or nothing, at whatever step it was", async () => {
    const states = new Set<string>();
    // What was undone is as it was, and is taken for the next step.
    let patched = await makePatched();
    for (let fatal = 1; ; fatal += 1) {
      const { repository, workspace, tree } = patched;
      const before = describeFolder(repository).filter((line) => !/^\S* 40/.test(line)); // folders get new times
      const { died } = await applyAndDie(workspace, tree, fatal);
      if (!died) {
        expectApplied(repository);
        break;
      }
      await recoverApply(workspace.directory);
      const after = describeFolder(repository).filter((line) => !/^\S* 40/.test(line));
      if (readFileSync(join(repository, "a.py"), "utf8") === "a\n") {
        expect(after, `at ${fatal}`).toEqual(before);
        states.add("undone");
      } else {
        expectApplied(repository);
        states.add("finished");
        patched = await makePatched();
      }
      expect(existsSync(join(workspace.directory, "apply.json"))).toBe(false);
    }
    expect([...states].sort()).toEqual(["finished", "undone"]);
  });

  test("does not overwrite what the user wrote after it", async () => {
    const { repository, workspace, tree } = await makePatched();
    const steps = ["a.py", "b/c.py"].map((path, index) => ({
      shown: path,
      path,
      mode: "100644",
      fresh: `.millwright-${index}.new`,
      original: `.millwright-${index}.old`,
    }));
    const plan: ApplyPlan = { directory: workspace.directory, repository, steps };
    await prepareSteps(
      plan,
      async (step) => (await workspace.trees.read(tree, step.path)) ?? Buffer.alloc(0),
    );
    renameSync(join(repository, ".millwright-0.new"), join(repository, "a.py"));
    writeFileSync(join(repository, "b/c.py"), "the user's\n");
    expect(await recoverApply(workspace.directory)).toContain("undid");
    expect(readFileSync(join(repository, "a.py"), "utf8")).toBe("a\n");
    expect(readFileSync(join(repository, "b/c.py"), "utf8")).toBe("the user's\n");
    expect(await recoverApply(workspace.directory)).toBeUndefined();
  });

  test("is ended by opening the workspace again", async () => {
    const { repository, workspace, tree } = await makePatched();
    const step = { shown: "a.py", path: "a.py", mode: "100644", fresh: ".m.new", original: ".m.old" };
    const plan: ApplyPlan = { directory: workspace.directory, repository, steps: [step] };
    await prepareSteps(plan, async () => (await workspace.trees.read(tree, "a.py")) ?? Buffer.alloc(0));
    await openTestWorkspace(repository, undefined, { directory: workspace.directory, base: workspace.base });
    expect(readFileSync(join(repository, "a.py"), "utf8")).toBe("a2\r\n");
  });
});
