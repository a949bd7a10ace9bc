/** What commands did to a working folder, as a tree: in every sandbox that works here, and whatever the commands tried. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Checkout, Workspace } from "../../src/workspace/contract.ts";
import {
  describeFolder,
  git,
  makeFolder,
  makeRepository,
  openTestWorkspace,
  shell,
  usableSandboxes,
} from "./workspace-fixture.ts";

const files = {
  "src/a.py": "a\n",
  "src/b.py": "b\n",
  "lib/c.py": "c\n",
  "lib/deep/d.py": "d\n",
  ".gitignore": "cache/\n*.log\n",
  "kept.log": "tracked though ignored\n",
};

interface Opened {
  readonly workspace: Workspace;
  readonly checkout: Checkout;
  /** The files that the commands changed, `MODE TEXT` each, or "gone", with what was left out. */
  take(): Promise<{ changed: Record<string, string>; leftOut: readonly string[]; tree: string }>;
}

async function open(sandbox: (typeof usableSandboxes)[number]): Promise<Opened> {
  const repository = makeRepository(files);
  git(repository, "add", "--force", "kept.log");
  const workspace = await openTestWorkspace(repository, sandbox);
  const checkout = await workspace.openCheckout();
  const list = async (tree: string): Promise<Map<string, string>> =>
    new Map((await workspace.trees.list(tree)).map(({ path, mode, blob }) => [path, `${mode} ${blob}`]));
  return {
    workspace,
    checkout,
    async take() {
      const { tree, leftOut } = await checkout.take();
      const [before, after] = [await list(workspace.base), await list(tree)];
      const changed: Record<string, string> = {};
      for (const path of [...new Set([...before.keys(), ...after.keys()])].sort()) {
        if (before.get(path) === after.get(path)) continue;
        const text = (await workspace.trees.read(tree, path))?.toString("latin1");
        changed[path] = text === undefined ? "gone" : `${after.get(path)?.slice(0, 6)} ${text}`;
      }
      return { changed, leftOut, tree };
    },
  };
}

describe.each(usableSandboxes)("what commands did in $name", (sandbox) => {
  test("is a tree: new, changed, removed and executable files and links, without what git ignores", async () => {
    const { checkout, workspace, take } = await open(sandbox);
    expect((await take()).tree).toBe(workspace.base);
    await shell(
      checkout,
      `printf 'A\\n' > src/a.py; chmod +x src/b.py; rm -r lib/deep; mkdir -p new/folder cache src/cache
      echo n > new/folder/n.py; ln -s a.py src/link.py; echo x > cache/x; echo x > src/cache/y; echo x > noise.log
      echo changed > kept.log; touch lib/c.py`,
    );
    const { changed, leftOut, tree } = await take();
    expect(changed).toEqual({
      "kept.log": "100644 changed\n",
      "lib/deep/d.py": "gone",
      "new/folder/n.py": "100644 n\n",
      "src/a.py": "100644 A\n",
      "src/b.py": "100755 b\n",
      "src/link.py": "120000 a.py",
    });
    expect(leftOut).toEqual([]);
    const before = describeFolder(checkout.folder).filter((line) => !line.startsWith(" "));
    await checkout.lay(tree);
    expect(describeFolder(checkout.folder).filter((line) => !line.startsWith(" "))).toEqual(before);
    await checkout.lay(workspace.base);
    expect((await take()).tree).toBe(workspace.base);
    expect(existsSync(join(checkout.folder, "noise.log"))).toBe(true);
  });

  test("follows the rules that the commands wrote, and takes files of odd names", async () => {
    const { checkout, take } = await open(sandbox);
    await shell(
      checkout,
      String.raw`echo '*.tmp' >> .gitignore; echo t > a.tmp; echo x > ':(top)x'; echo x > '*'; printf x > "$(printf 'a\nb\377')"
      mkdir -p 'made here'; echo 'secret.txt' > 'made here/.gitignore'; echo s > 'made here/secret.txt'; echo p > 'made here/plain.txt'`,
    );
    const { changed } = await take();
    expect(Object.keys(changed)).toEqual([
      '"a\\nb\\377"',
      "*",
      ".gitignore",
      ":(top)x",
      "made here/.gitignore",
      "made here/plain.txt",
    ]);
  });

  test("a file becomes a folder, a folder a file or a link, and nothing outside is read", async () => {
    const { checkout, take } = await open(sandbox);
    await shell(
      checkout,
      "rm src/a.py; mkdir src/a.py; echo i > src/a.py/inside.py; rm -r lib; echo file > lib; rm src/b.py; ln -s /etc src/b.py; ln -s /etc/passwd passwd",
    );
    const { changed } = await take();
    expect(changed).toEqual({
      lib: "100644 file\n",
      "lib/c.py": "gone",
      "lib/deep/d.py": "gone",
      passwd: "120000 /etc/passwd",
      "src/a.py": "gone",
      "src/a.py/inside.py": "100644 i\n",
      "src/b.py": "120000 /etc",
    });
    // A link in the place of a folder, to one outside that has files of the same names.
    const outside = makeFolder();
    mkdirSync(join(outside, "deep"));
    writeFileSync(join(outside, "c.py"), "outside\n");
    await shell(checkout, "rm lib");
    symlinkSync(outside, join(checkout.folder, "lib"));
    expect((await take()).changed).toMatchObject({ lib: `120000 ${outside}`, "lib/c.py": "gone" });
  });

  test("pipes, huge files, what belongs to git, and folders without end are left out, and it says so", async () => {
    const { checkout, workspace, take } = await open(sandbox);
    await shell(
      checkout,
      `mkfifo pipe; rm .gitignore; mkfifo .gitignore; mkdir sub; mkfifo sub/.gitignore; echo s > sub/s.py
      truncate -s 3000000000 huge.bin; truncate -s 3000000000 lib/c.py; mkdir locked; echo l > locked/l.py; chmod 0 locked
      git init -q made; echo m > made/m.py; mkdir -p sub/.GIT; echo x > sub/.GIT/config
      d=deep; for i in $(seq 1 100); do d=$d/d; done; mkdir -p $d; echo x > $d/x; chmod 0 src`,
    );
    const { changed, leftOut, tree } = await take();
    expect(changed).toEqual({
      ".gitignore": "gone",
      "locked/l.py": "100644 l\n",
      "made/m.py": "100644 m\n",
      "sub/s.py": "100644 s\n",
    });
    const said = leftOut.join("\n");
    for (const name of [
      "pipe",
      "sub/.gitignore",
      "huge.bin",
      "lib/c.py",
      "made/.git",
      "sub/.GIT",
      "too deep",
    ])
      expect(said).toContain(name);
    await checkout.lay(tree);
    expect((await take()).tree).toBe(tree);
    expect((await workspace.trees.read(tree, "lib/c.py"))?.toString()).toBe("c\n");
  });
});
