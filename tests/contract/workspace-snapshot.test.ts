/** What the copy of a repository holds, and that taking it leaves the user's files as they are. */
import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Workspace } from "../../src/workspace/contract.ts";
import {
  ageFiles,
  describeFolder,
  git,
  localSandbox,
  makeFolder,
  makeRepository,
  openTestWorkspace,
  shell,
  writeFiles,
} from "./workspace-fixture.ts";

async function pathsOf(workspace: Workspace): Promise<string[]> {
  return (await workspace.trees.list(workspace.base)).map((entry) => entry.path);
}

async function textOf(workspace: Workspace, path: string): Promise<string | undefined> {
  return (await workspace.trees.read(workspace.base, path))?.toString("latin1");
}

describe("the snapshot", () => {
  test("is the repository as the user has it: changed, untracked and removed files, not what is staged", async () => {
    const repository = makeRepository({
      "kept.py": "1",
      "changed.py": "1",
      "gone.py": "1",
      ".gitignore": "*.log\n",
    });
    writeFiles(repository, { "changed.py": "staged" });
    git(repository, "add", "changed.py");
    writeFiles(repository, { "changed.py": "on disk", "new/file.py": "new", "noise.log": "x" });
    rmSync(join(repository, "gone.py"));
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual([".gitignore", "changed.py", "kept.py", "new/file.py"]);
    expect(await textOf(workspace, "changed.py")).toBe("on disk");
    expect(workspace.commit).toBe(git(repository, "rev-parse", "HEAD"));
  });

  test("takes files that are ignored and tracked, and files whose changes git is told not to see", async () => {
    const repository = makeRepository({ "a.txt": "1", "b.txt": "1" });
    writeFiles(repository, { ".gitignore": "built/\n", "built/tracked.js": "1" });
    git(repository, "add", "--force", ".gitignore", "built/tracked.js");
    git(repository, "update-index", "--assume-unchanged", "a.txt");
    git(repository, "update-index", "--skip-worktree", "b.txt");
    writeFiles(repository, { "a.txt": "changed", "b.txt": "changed", "built/other.js": "1" });
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual([".gitignore", "a.txt", "b.txt", "built/tracked.js"]);
    expect(await textOf(workspace, "a.txt")).toBe("changed");
    expect(await textOf(workspace, "b.txt")).toBe("changed");
  });

  test("keeps every byte where git would convert: line endings, LFS and other filters, encodings", async () => {
    const repository = makeRepository({ "plain.txt": "one\n" });
    git(repository, "config", "core.autocrlf", "true");
    git(repository, "config", "filter.lfs.clean", "echo converted");
    git(repository, "config", "filter.lfs.smudge", "echo converted");
    git(repository, "config", "filter.lfs.required", "true");
    const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
    const files = {
      ".gitattributes":
        "*.bin filter=lfs diff=lfs merge=lfs -text\n*.txt text\n*.u16 working-tree-encoding=UTF-16\n*.id ident\n",
      "crlf.txt": "one\r\ntwo\r\n",
      "mixed.txt": "one\r\ntwo\n",
      "data.bin": pointer,
      "wide.u16": Buffer.from("\ufeffwide", "utf16le"),
      "a.id": "$Id: 123 $\n",
    };
    writeFiles(repository, files);
    const workspace = await openTestWorkspace(repository);
    for (const [path, content] of Object.entries(files)) {
      expect(await workspace.trees.read(workspace.base, path), path).toEqual(Buffer.from(content));
    }
    const checkout = await workspace.openCheckout();
    expect(readFileSync(join(checkout.folder, "crlf.txt"), "utf8")).toBe("one\r\ntwo\r\n");
    expect(readFileSync(join(checkout.folder, "data.bin"), "utf8")).toBe(pointer);
  });

  test("keeps modes, links in and out of the repository, and names that are no UTF-8", async () => {
    const repository = makeRepository({ "run.sh": "#!/bin/sh\n" });
    chmodSync(join(repository, "run.sh"), 0o755);
    symlinkSync("run.sh", join(repository, "inside"));
    symlinkSync("/etc/hostname", join(repository, "outside"));
    symlinkSync("nowhere", join(repository, "dangling"));
    writeFileSync(Buffer.from(`${repository}/caf\xe9 "1".txt`, "latin1"), "latin");
    writeFiles(repository, { "naïve\n.txt": "utf8" });
    const workspace = await openTestWorkspace(repository);
    const modes = Object.fromEntries(
      (await workspace.trees.list(workspace.base)).map((each) => [each.path, each.mode]),
    );
    expect(modes).toEqual({
      "run.sh": "100755",
      inside: "120000",
      outside: "120000",
      dangling: "120000",
      '"caf\\351 \\"1\\".txt"': "100644",
      "naïve\n.txt": "100644",
    });
    expect(await textOf(workspace, '"caf\\351 \\"1\\".txt"')).toBe("latin");
    const checkout = await workspace.openCheckout();
    const copy = describeFolder(checkout.folder).filter((line) => !line.startsWith(".git"));
    const user = describeFolder(repository).filter((line) => !line.startsWith(".git"));
    expect(copy.slice(1)).toEqual(user.slice(1));
  });

  test("has the files of submodules and of repositories inside the repository", async () => {
    const library = makeRepository({ "lib.py": "1", ".gitignore": "*.tmp\n" });
    const repository = makeRepository({ "main.py": "1" });
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/lib");
    git(repository, "commit", "--quiet", "--message=second");
    git(join(repository), "clone", "--quiet", library, "nested");
    writeFiles(repository, { "vendor/lib/lib.py": "changed", "vendor/lib/x.tmp": "1", "nested/new.py": "1" });
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual([
      ".gitmodules",
      "main.py",
      "nested/.gitignore",
      "nested/lib.py",
      "nested/new.py",
      "vendor/lib/.gitignore",
      "vendor/lib/lib.py",
    ]);
    expect(await textOf(workspace, "vendor/lib/lib.py")).toBe("changed");
  });

  test("has what lies in the folder of a submodule that was never fetched", async () => {
    const library = makeRepository({ "lib.py": "1" });
    const repository = makeRepository({ "main.py": "1" });
    git(repository, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library, "vendor/lib");
    git(
      repository,
      "-c",
      "protocol.file.allow=always",
      "submodule",
      "--quiet",
      "add",
      library,
      "vendor/empty",
    );
    rmSync(join(repository, "vendor/lib/.git"));
    rmSync(join(repository, "vendor/empty"), { recursive: true });
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual([".gitmodules", "main.py", "vendor/lib/lib.py"]);
  });

  test("keeps empty folders: tests may write into them", async () => {
    const repository = makeRepository({ "a.py": "1" });
    mkdirSync(join(repository, "logs", "today"), { recursive: true });
    const workspace = await openTestWorkspace(repository);
    const checkout = await workspace.openCheckout();
    await shell(checkout, "rm -r logs && echo x > logs");
    await checkout.lay(workspace.base);
    expect(lstatSync(join(checkout.folder, "logs/today")).isDirectory()).toBe(true);
  });

  test("does not follow a link that stands where a tracked folder was", async () => {
    const outside = makeFolder();
    writeFiles(outside, { "a.py": "outside" });
    const repository = makeRepository({ "src/a.py": "1" });
    rmSync(join(repository, "src"), { recursive: true });
    symlinkSync(outside, join(repository, "src"));
    const workspace = await openTestWorkspace(repository);
    expect(await workspace.trees.list(workspace.base)).toMatchObject([{ path: "src", mode: "120000" }]);
  });

  test("leaves out pipes and sockets, and says so", async () => {
    const repository = makeRepository({ "a.py": "1", "b.py": "1" });
    rmSync(join(repository, "b.py"));
    spawnSync("mkfifo", [join(repository, "b.py"), join(repository, "pipe")]);
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual(["a.py"]);
    expect(workspace.notices().join("\n")).toMatch(
      /b\.py is not a regular file[\s\S]*pipe is not a regular file/,
    );
  });
});

describe("repositories of other kinds", () => {
  test("a folder that is no git repository; packages and caches in it are no part of the tree", async () => {
    const repository = makeFolder();
    writeFiles(repository, {
      "a.py": "1",
      "node_modules/x/index.js": "1",
      ".venv/pyvenv.cfg": "1",
      "pkg/__pycache__/a.pyc": "1",
      "dist/a.js": "1",
    });
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual(["a.py", "dist/a.js"]);
    expect(workspace.commit).toBeUndefined();
    const checkout = await workspace.openCheckout();
    expect(checkout.exists("node_modules/x/index.js")).toBe(true);
    expect(checkout.exists("pkg/__pycache__/a.pyc")).toBe(false);
  });

  test("an empty folder, an empty repository, and one without commits", async () => {
    const empty = await openTestWorkspace(makeFolder());
    expect(await pathsOf(empty)).toEqual([]);
    const repository = makeFolder();
    git(repository, "init", "--quiet");
    expect(await pathsOf(await openTestWorkspace(repository))).toEqual([]);
    writeFiles(repository, { "a.py": "1" });
    const workspace = await openTestWorkspace(repository);
    expect(await pathsOf(workspace)).toEqual(["a.py"]);
    expect(workspace.commit).toBeUndefined();
    await (await workspace.openCheckout()).lay(workspace.base);
  });

  test("a folder of a larger repository: its own files, by the rules of the whole", async () => {
    const whole = makeRepository({ ".gitignore": "*.log\n", "other/a.py": "1", "part/a.py": "1" });
    writeFiles(whole, { "part/x.log": "1", "part/new.py": "1" });
    const workspace = await openTestWorkspace(join(whole, "part"));
    expect(await pathsOf(workspace)).toEqual(["a.py", "new.py"]);
    expect(workspace.commit).toBe(git(whole, "rev-parse", "HEAD"));
  });

  test("a folder that a larger repository ignores is a folder of its own", async () => {
    const whole = makeRepository({ ".gitignore": "*\n" });
    writeFiles(whole, { "part/a.py": "1" });
    expect(await pathsOf(await openTestWorkspace(join(whole, "part")))).toEqual(["a.py"]);
  });

  test("a linked work tree, with a git of its own in the copy", async () => {
    const repository = makeRepository({ "a.py": "1" });
    const linked = join(makeFolder(), "linked");
    git(repository, "worktree", "add", "--quiet", "-b", "other", linked);
    writeFiles(linked, { "a.py": "changed" });
    const before = [...describeFolder(repository), ...describeFolder(linked)];
    const workspace = await openTestWorkspace(linked);
    expect(await textOf(workspace, "a.py")).toBe("changed");
    const checkout = await workspace.openCheckout();
    await shell(checkout, "git add a.py && git -c user.name=A -c user.email=a@example.org commit -qm second");
    expect(await shell(checkout, "git log --format=%s; git branch --show-current")).toBe(
      "second\nfirst\nother\n",
    );
    expect([...describeFolder(repository), ...describeFolder(linked)]).toEqual(before);
  });

  test("SHA-256 object names, a sparse index and a split index", async () => {
    const wide = makeFolder();
    git(wide, "init", "--quiet", "--object-format=sha256");
    writeFiles(wide, { "a.py": "1", "b.py": "1" });
    git(wide, "add", "a.py");
    git(wide, "commit", "--quiet", "--message=first");
    expect(await pathsOf(await openTestWorkspace(wide))).toEqual(["a.py", "b.py"]);

    const sparse = makeRepository({ "a/1.py": "1", "b/1.py": "1" });
    git(sparse, "sparse-checkout", "set", "--cone", "--sparse-index", "a");
    expect(await pathsOf(await openTestWorkspace(sparse))).toEqual(["a/1.py"]);

    const split = makeRepository({ "a.py": "1" });
    git(split, "update-index", "--split-index");
    writeFiles(split, { "b.py": "1" });
    git(split, "add", "b.py");
    expect(await pathsOf(await openTestWorkspace(split))).toEqual(["a.py", "b.py"]);
  });

  test("a run folder inside the repository is no part of it", async () => {
    const repository = makeRepository({ "a.py": "1" });
    const directory = join(repository, "runs", "1");
    mkdirSync(directory, { recursive: true });
    const workspace = await openTestWorkspace(repository, localSandbox, { directory });
    expect(await pathsOf(workspace)).toEqual(["a.py"]);
    const checkout = await workspace.openCheckout();
    expect(existsSync(join(checkout.folder, "runs"))).toBe(false);
  });
});

describe("the user's repository", () => {
  test("is byte-identical after a run, with every mode and time, .git included", async () => {
    const repository = makeRepository({
      "src/a.py": "1",
      "run.sh": "x",
      ".gitignore": "node_modules/\n.env\n",
    });
    writeFiles(repository, { "new.py": "1", ".env": "A=1", "node_modules/x/index.js": "1", "src/a.py": "2" });
    mkdirSync(join(repository, "logs"));
    ageFiles(repository); // git's index is out of date now: a plain `git status` would write it
    const before = describeFolder(repository);
    const workspace = await openTestWorkspace(repository);
    const tree = await workspace.trees.write(workspace.base, [{ path: "src/a.py", content: "3" }]);
    const checkout = await workspace.openCheckout();
    await checkout.lay(tree);
    await shell(
      checkout,
      "git status; git add -A; echo x >> .env; echo x >> node_modules/x/index.js; rm -rf src logs",
    );
    await checkout.lay(workspace.base);
    await workspace.trees.diff(workspace.base, tree);
    await workspace.close();
    expect(describeFolder(repository)).toEqual(before);
  });

  test("cannot run anything through its configuration", async () => {
    const repository = makeRepository({
      "a.txt": "1\n",
      ".gitattributes": "* filter=evil diff=evil merge=evil\n",
    });
    const trap = join(makeFolder(), "trap");
    const script = join(makeFolder(), "evil.sh");
    writeFileSync(script, `#!/bin/sh\necho "$0 $*" >> ${trap}\ncat\n`, { mode: 0o755 });
    const hooks = join(repository, ".git", "hooks");
    mkdirSync(hooks, { recursive: true });
    for (const hook of [
      "post-checkout",
      "post-index-change",
      "pre-commit",
      "fsmonitor-watchman",
      "reference-transaction",
    ]) {
      writeFileSync(join(hooks, hook), readFileSync(script), { mode: 0o755 });
    }
    const evil = [
      "core.fsmonitor",
      "core.sshCommand",
      "core.gitProxy",
      "core.editor",
      "core.pager",
      "core.askPass",
      "diff.external",
      "diff.evil.command",
      "diff.evil.textconv",
      "filter.evil.clean",
      "filter.evil.smudge",
      "filter.evil.process",
      "merge.evil.driver",
      "credential.helper",
      "uploadpack.packObjectsHook",
      "gpg.program",
    ];
    appendFileSync(
      join(repository, ".git", "config"),
      `[include]\n\tpath = evil.inc\n[core]\n\thooksPath = ${hooks}\n`,
    );
    for (const name of evil)
      git(repository, "config", "--file", join(repository, ".git", "evil.inc"), name, script);
    git(repository, "config", "remote.origin.url", `ext::${script}`);
    git(repository, "config", "remote.origin.promisor", "true");
    writeFiles(repository, { "a.txt": "2\n", "b.txt": "1\n" });
    rmSync(trap, { force: true });
    const workspace = await openTestWorkspace(repository);
    const tree = await workspace.trees.write(workspace.base, [{ path: "a.txt", content: "3\n" }]);
    const checkout = await workspace.openCheckout();
    await checkout.lay(tree);
    await workspace.trees.diff(workspace.base, tree);
    expect(existsSync(trap)).toBe(false);
    expect(await pathsOf(workspace)).toEqual([".gitattributes", "a.txt", "b.txt"]);
  });

  test("whose index is damaged is refused with what to do", async () => {
    const repository = makeRepository({ "a.py": "1" });
    truncateSync(join(repository, ".git", "index"), 20);
    await expect(openTestWorkspace(repository)).rejects.toMatchObject({
      code: "repository",
      hint: expect.stringContaining("git fsck"),
    });
  });

  test("whose objects are gone is still copied: its files are there", async () => {
    const repository = makeRepository({ "a.py": "1" });
    rmSync(join(repository, ".git", "objects"), { recursive: true });
    mkdirSync(join(repository, ".git", "objects"));
    expect(await pathsOf(await openTestWorkspace(repository))).toEqual(["a.py"]);
  });

  test("that is not there is wrong usage", async () => {
    await expect(openTestWorkspace(join(makeFolder(), "nowhere"))).rejects.toMatchObject({ code: "usage" });
  });
});

describe("a resumed workspace", () => {
  test("goes on from the recorded base, whatever the user did to the repository since", async () => {
    const repository = makeRepository({ "a.py": "1", ".gitignore": ".env\n" });
    writeFiles(repository, { ".env": "A=1" });
    ageFiles(repository);
    const directory = makeFolder();
    const first = await openTestWorkspace(repository, localSandbox, { directory });
    const tree = await first.trees.write(first.base, [{ path: "b.py", content: "2" }]);
    await first.openCheckout(); // never closed: its process was killed
    writeFiles(repository, { "a.py": "the user went on", "c.py": "1" });
    const second = await openTestWorkspace(repository, localSandbox, { directory, base: first.base });
    expect(second).toMatchObject({ base: first.base, commit: first.commit, repository });
    expect(existsSync(join(directory, "checkouts"))).toBe(false);
    const checkout = await second.openCheckout();
    await checkout.lay(tree);
    expect(await shell(checkout, "cat a.py b.py .env; ls")).toBe("12A=1a.py\nb.py\n");
    expect(lstatSync(join(checkout.folder, "a.py")).mtimeMs).toBe(1_500_000_000_000);
  });

  test("whose folder is damaged is refused", async () => {
    const directory = makeFolder();
    const repository = makeRepository({ "a.py": "1" });
    const base = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";
    await expect(openTestWorkspace(repository, localSandbox, { directory, base })).rejects.toMatchObject({
      code: "disk",
    });
  });
});

test("a full disk is said to be full, with what to do", async () => {
  const disk = makeFolder();
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", disk]);
  if (mounted.status !== 0) return expect(process.getuid?.()).not.toBe(0); // only root can make a small disk
  onTestFinished(() => void spawnSync("umount", ["-l", disk]));
  const directory = join(disk, "run");
  mkdirSync(directory);
  const noise = Buffer.alloc(6 * 1024 * 1024, Math.random().toString(36).repeat(1000));
  for (let at = 0; at < noise.length; at += 1) noise[at] = Math.floor(Math.random() * 256);
  const repository = makeRepository({ "large.bin": noise });
  await expect(openTestWorkspace(repository, localSandbox, { directory })).rejects.toMatchObject({
    code: "disk",
    hint: expect.stringContaining("runsDir"),
  });
});
