/** Working folders in every sandbox that works here: what commands see, what they may do, and what is left of it. */
import { spawnSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { planIgnored } from "../../src/workspace/ignored-folders.ts";
import {
  describeFolder,
  git,
  makeFolder,
  makeRepository,
  openTestWorkspace,
  shell,
  usableSandboxes,
  walk,
  writeFiles,
} from "./workspace-fixture.ts";

/** More files than are copied where they can be laid over. */
function largeFolder(folder: string): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: 600 }, (_, index) => [`${folder}/m${index}.js`, `${index}\n`]),
  );
}

/** The files git does not ignore, and their contents. */
function visibleFiles(folder: string): Record<string, string> {
  const visible = walk(folder)
    .filter((path) => !/^(\.git|node_modules|cache)(\/|$)/.test(path))
    .filter((path) => !lstatSync(join(folder, path)).isDirectory());
  return Object.fromEntries(visible.map((path) => [path, readFileSync(join(folder, path), "utf8")]));
}

describe.each(usableSandboxes)("a checkout in $name", (sandbox) => {
  const files = {
    "src/a.py": "a\n",
    "src/b.py": "b\n",
    "lib/c.py": "c\n",
    ".gitignore": "node_modules/\ncache/\n.env\n",
  };

  test("is at the user's own path where the sandbox can show it there, with what git ignores", async () => {
    const repository = makeRepository(files);
    writeFiles(repository, {
      ...largeFolder("node_modules"),
      "cache/x": "1\n",
      ".env": "A=1\n",
      "src/new.py": "n\n",
    });
    const workspace = await openTestWorkspace(repository, sandbox);
    const checkout = await workspace.openCheckout();
    expect(checkout.root).toBe(sandbox.mounts === "none" ? checkout.folder : repository);
    const text =
      "pwd; cat src/new.py .env cache/x node_modules/m7.js; git status --short; git log --format=%s";
    expect(await shell(checkout, text)).toBe(`${checkout.root}\nn\nA=1\n1\n7\n?? src/new.py\nfirst\n`);
    expect(checkout.exists("node_modules/m7.js")).toBe(true);
    expect(checkout.exists("src/new.py")).toBe(true);
    expect(checkout.exists("node_modules/other.js")).toBe(false);
    expect(checkout.exists("../../etc/passwd")).toBe(false);
  });

  test("writes in place stay in it, and two checkouts do not see each other's", async () => {
    const repository = makeRepository(files);
    writeFiles(repository, { ...largeFolder("node_modules"), "cache/x": "1\n", ".env": "A=1\n" });
    const before = describeFolder(repository);
    const workspace = await openTestWorkspace(repository, sandbox);
    const [one, two] = await Promise.all([workspace.openCheckout(), workspace.openCheckout()]);
    const change =
      "for f in node_modules/m1.js cache/x .env src/a.py .git/HEAD; do printf X | dd of=$f bs=1 conv=notrunc 2>/dev/null; done; rm -r node_modules/m2.js";
    await shell(one, change);
    expect(
      await shell(
        one,
        "head -c1 node_modules/m1.js cache/x .env src/a.py | grep -c X; ls node_modules | wc -l",
      ),
    ).toBe("4\n599\n");
    expect(await shell(two, "cat node_modules/m1.js cache/x .env src/a.py node_modules/m2.js")).toBe(
      "1\n1\nA=1\na\n2\n",
    );
    await workspace.close();
    expect(describeFolder(repository)).toEqual(before);
  });

  test("git works in it and writes nothing to the user's, in a linked work tree too", async () => {
    const repository = makeRepository({ ...files, ...largeFolder("many") });
    const linked = join(makeFolder(), "linked");
    git(repository, "worktree", "add", "--quiet", "-b", "other", linked);
    git(repository, "config", "core.worktree", repository);
    const before = [...describeFolder(repository), ...describeFolder(linked)];
    for (const [folder, branch] of [
      [repository, "main"],
      [linked, "other"],
    ] as const) {
      const checkout = await (await openTestWorkspace(folder, sandbox)).openCheckout();
      const commit = "git -c user.name=A -c user.email=a@example.org commit -q -m second";
      await shell(checkout, `echo x > src/a.py; git add src/a.py; ${commit}`);
      const text =
        "git log --format=%s; git branch --show-current; git status --short; git show HEAD~1:many/m5.js";
      expect(await shell(checkout, text)).toBe(`second\nfirst\n${branch}\n5\n`);
      expect([...describeFolder(repository), ...describeFolder(linked)]).toEqual(before);
    }
  });

  test("shows our runtime read-only, and a scratch folder that the host reads", async () => {
    const workspace = await openTestWorkspace(makeRepository(files), sandbox);
    const checkout = await workspace.openCheckout();
    expect(
      await shell(
        checkout,
        `cat ${checkout.runtime}/reporter.txt; echo report > ${checkout.scratch.inside}/out`,
      ),
    ).toBe("ours\n");
    expect(readFileSync(join(checkout.scratch.host, "out"), "utf8")).toBe("report\n");
    if (!sandbox.provider.boundary) return;
    const written = await checkout.execute({
      run: `echo x > ${checkout.runtime}/reporter.txt`,
      timeoutMs: 10_000,
    });
    expect(written.exitCode).not.toBe(0);
  });

  test("shows programs of ours that were compiled before, and lets no command change them", async () => {
    const runtimeDirectory = makeFolder();
    const build = '[ $# -gt 0 ] || exit 0\necho driver > "$1/driver"\n';
    writeFiles(runtimeDirectory, { "go/build.sh": build });
    const host = { ...process.env, XDG_CACHE_HOME: makeFolder() };
    const options = { runtimeDirectory, hostEnvironment: host };
    const workspace = await openTestWorkspace(makeRepository(files), sandbox, options);
    const checkout = await workspace.openCheckout();
    const found = await checkout.findPrograms(["go", "rust"]);
    if (!sandbox.provider.boundary) {
      expect(found).toEqual({});
      return;
    }
    expect(Object.keys(found)).toEqual(["MILLWRIGHT_BUILT_GO"]);
    const driver = `${found["MILLWRIGHT_BUILT_GO"]}/driver`;
    expect(await shell(checkout, `cat ${driver}; ! echo other > ${driver}`)).toBe("driver\n");
    expect(await shell(checkout, `! rm -rf ${driver} 2> errors; cat ${driver}`)).toBe("driver\n");
  });

  test("lay gives it exactly the tree's files, whatever commands did to them", async () => {
    const workspace = await openTestWorkspace(makeRepository(files), sandbox);
    const tree = await workspace.trees.write(workspace.base, [
      { path: "src/a.py", content: "changed\n" },
      { path: "lib/c.py", content: null },
      { path: "deep/er/d.py", content: "d\n" },
    ]);
    const checkout = await workspace.openCheckout();
    const expected = {
      ".gitignore": files[".gitignore"],
      "src/a.py": "changed\n",
      "src/b.py": "b\n",
      "deep/er/d.py": "d\n",
    };
    const damages = [
      "true",
      "rm -rf src deep .gitignore",
      "echo more >> src/a.py; chmod 600 src/b.py; touch -d @0 deep/er/d.py",
      "rm src/a.py; mkdir -p src/a.py/folder; rm -r deep; echo file > deep",
      "mkdir -p junk/deep; echo x > junk/deep/f; echo x > src/junk.py; mkfifo src/pipe; ln -s a.py src/link",
      "echo '*' > src/.gitignore; echo x > src/hidden.py; echo x > lib; echo '*' > .gitignore; echo x > top.py",
      "git init -q src; git init -q junk; mkdir src/empty",
      "mv src other; ln -s other src",
      "chmod 000 src/a.py; chmod 500 src deep/er; chmod 555 .",
      "ln -f src/a.py src/b.py; echo linked > src/b.py",
      `d=x; for i in $(seq 200); do d=$d/${"n".repeat(30)}; done; mkdir x; cd x; for i in $(seq 200); do mkdir ${"n".repeat(30)} && cd ${"n".repeat(30)} || exit 0; done; echo x > f`,
    ];
    for (const damage of damages) {
      await checkout.lay(tree);
      await shell(checkout, damage);
      await checkout.lay(tree);
      expect(visibleFiles(checkout.folder), damage).toEqual(expected);
      expect(existsSync(join(checkout.folder, "src", "empty")), damage).toBe(false);
      expect(existsSync(join(checkout.folder, "src", ".git")), damage).toBe(false);
      expect(lstatSync(join(checkout.folder, "src/b.py")).mode & 0o777, damage).toBe(0o644);
    }
    await checkout.lay(workspace.base);
    expect(visibleFiles(checkout.folder)).toEqual(files);
  });

  test("lay keeps what git ignores, the commands' own additions too", async () => {
    const repository = makeRepository(files);
    writeFiles(repository, { "cache/x": "1\n" });
    const workspace = await openTestWorkspace(repository, sandbox);
    const checkout = await workspace.openCheckout();
    await shell(checkout, "echo 2 > cache/y; mkdir -p src/cache; echo 3 > src/cache/z");
    await checkout.lay(workspace.base);
    expect(await shell(checkout, "cat cache/x cache/y src/cache/z")).toBe("1\n2\n3\n");
    const tree = await workspace.trees.write(workspace.base, [{ path: ".gitignore", content: "/cache\n" }]);
    await checkout.lay(tree);
    expect(existsSync(join(checkout.folder, "src/cache"))).toBe(false);
  });

  test("an ignored file stays the commands' own, also where a tree has one of its name", async () => {
    const repository = makeRepository(files);
    writeFiles(repository, { ".env": "A=1\n", "cache/x": "1\n" });
    const workspace = await openTestWorkspace(repository, sandbox);
    const tree = await workspace.trees.write(workspace.base, [
      { path: ".env", content: "tree" },
      { path: "cache/x", content: "tree" },
    ]);
    const checkout = await workspace.openCheckout();
    await checkout.lay(tree);
    await checkout.lay(workspace.base);
    expect(await shell(checkout, "cat .env cache/x")).toBe("A=1\n1\n");
  });

  test("lay neither writes nor removes anything through a link that a command made", async () => {
    const outside = makeFolder();
    writeFiles(outside, { "a.py": "outside\n", "er/d.py": "outside\n", "other.py": "outside\n" });
    const before = describeFolder(outside);
    const workspace = await openTestWorkspace(makeRepository(files), sandbox);
    const tree = await workspace.trees.write(workspace.base, [
      { path: "deep/er/d.py", content: "d\n" },
      { path: "src/a.py", content: "2\n" },
    ]);
    const checkout = await workspace.openCheckout();
    const swaps = [
      `rm -r src; ln -s ${outside} src`,
      `rm -rf deep; ln -s ${outside} deep`,
      `mkdir -p deep; rm -rf deep/er; ln -s ${outside} deep/er`,
      `rm src/a.py; ln -s ${outside}/a.py src/a.py; ln -s ${outside} junk; mkdir more; ln -s ${outside} more/link`,
      `ln -s ${outside} .git/objects/link; rm -rf .git; ln -s ${outside} .git`,
      `rm -f .gitignore; ln -s ${outside}/other.py .gitignore`,
    ];
    for (const swap of swaps) {
      for (const next of [workspace.base, tree]) {
        await checkout.execute({ run: swap, timeoutMs: 10_000 });
        await checkout.lay(next);
        expect(describeFolder(outside), swap).toEqual(before);
        expect(visibleFiles(checkout.folder)["src/b.py"], swap).toBe("b\n");
      }
    }
    await checkout.close();
    expect(describeFolder(outside)).toEqual(before);
  });

  test("the environment is rebuilt, and a command cannot leave the repository by its directory", async () => {
    const hostEnvironment = {
      PATH: process.env["PATH"],
      SECRET_TOKEN: "s3cret",
      npm_config_x: "1",
      LANG: "C.UTF-8",
    };
    const workspace = await openTestWorkspace(makeRepository(files), sandbox, { hostEnvironment });
    const checkout = await workspace.openCheckout();
    const printed = await checkout.execute({
      run: "env; pwd",
      directory: "src",
      env: { EXTRA: "1" },
      timeoutMs: 10_000,
    });
    const text = printed.stdout.head.toString() + printed.stdout.tail.toString();
    expect(text).toContain("EXTRA=1\n");
    expect(text).toContain("PYTHONDONTWRITEBYTECODE=1\n");
    expect(text).toContain(`${checkout.root}/src\n`);
    expect(text).not.toMatch(/s3cret|npm_config/);
    await expect(checkout.execute({ run: "pwd", directory: "../..", timeoutMs: 1000 })).rejects.toMatchObject(
      { code: "usage" },
    );
  });

  test("closing removes every folder; the trees stay", async () => {
    const directory = makeFolder();
    const workspace = await openTestWorkspace(makeRepository(files), sandbox, { directory });
    const checkout = await workspace.openCheckout();
    await shell(checkout, "mkdir x; chmod 000 x");
    await checkout.close();
    await checkout.close();
    await workspace.close();
    expect(readdirSync(directory).sort()).toEqual(["store", "workspace.json"]);
  });
});

describe.each(usableSandboxes)("a virtual environment in $name", (sandbox) => {
  test("imports the copy, not the user's files, whichever way the package is installed for editing", async () => {
    const repository = makeRepository({
      "src/shop/__init__.py": "NAME = 'user'\n",
      "lib/tool.py": "NAME = 'user'\n",
      ".gitignore": ".venv/\n",
    });
    const environment = join(repository, ".venv");
    spawnSync("python3", ["-m", "venv", "--without-pip", environment]);
    const site = join(environment, "lib", readdirSync(join(environment, "lib"))[0] ?? "", "site-packages");
    writeFiles(site, {
      "__editable___shop_finder.py": `import sys\nfrom importlib.util import spec_from_file_location\nMAPPING: dict[str, str] = {'shop': '${repository}/src/shop'}\nclass Finder:\n    @classmethod\n    def find_spec(cls, name, path=None, target=None):\n        if name in MAPPING: return spec_from_file_location(name, MAPPING[name] + '/__init__.py')\ndef install(): sys.meta_path.append(Finder)\n`,
      "__editable__.shop.pth": "import __editable___shop_finder; __editable___shop_finder.install()\n",
      "tool.pth": `${repository}/lib\n`,
    });
    const program = join(environment, "bin", "names");
    writeFileSync(
      program,
      `#!${environment}/bin/python3\nimport sys, shop, tool\nprint(shop.NAME, tool.NAME, sys.prefix)\n`,
      { mode: 0o755 },
    );
    const before = describeFolder(repository);
    const hostEnvironment = { PATH: `${environment}/bin:${process.env["PATH"]}`, VIRTUAL_ENV: environment };
    const workspace = await openTestWorkspace(repository, sandbox, { hostEnvironment });
    const tree = await workspace.trees.write(workspace.base, [
      { path: "src/shop/__init__.py", content: "NAME = 'copy'\n" },
      { path: "lib/tool.py", content: "NAME = 'copy'\n" },
    ]);
    const checkout = await workspace.openCheckout();
    await checkout.lay(tree);
    const expected = `copy copy ${checkout.root}/.venv\n`;
    expect(await shell(checkout, "names")).toBe(expected);
    const inside = await checkout.execute({
      run: "python3 .venv/bin/names",
      env: { PYTHONPATH: "/nowhere" },
      timeoutMs: 20_000,
    });
    expect(inside.stdout.head.toString() + inside.stdout.tail.toString()).toBe(expected);
    expect(describeFolder(repository)).toEqual(before);
  });
});

describe("times of files", () => {
  const sandbox = usableSandboxes.filter((each) => each.name === "local");
  const seconds = (folder: string, path: string): number =>
    Math.floor(lstatSync(join(folder, path)).mtimeMs / 1000);

  test("are the user's, so that what was built from them stays valid", async () => {
    const repository = makeRepository({ "a.py": "1", "b.py": "1" });
    utimesSync(join(repository, "a.py"), 1_400_000_000, 1_400_000_000);
    symlinkSync("a.py", join(repository, "link"));
    const workspace = await openTestWorkspace(repository, sandbox[0]);
    const checkout = await workspace.openCheckout();
    expect(seconds(checkout.folder, "a.py")).toBe(1_400_000_000);
    const tree = await workspace.trees.write(workspace.base, [{ path: "b.py", content: "2" }]);
    await checkout.lay(tree);
    expect(seconds(checkout.folder, "a.py")).toBe(1_400_000_000);
  });

  test("differ by a second or more whenever the content does, so that no stale bytecode is used", async () => {
    const repository = makeRepository({ "limit.py": "LIMIT = 1\n" });
    const workspace = await openTestWorkspace(repository, sandbox[0]);
    const checkout = await workspace.openCheckout();
    const seen = new Set([seconds(checkout.folder, "limit.py")]);
    for (const value of [2, 3, 2, 1]) {
      const tree = await workspace.trees.write(workspace.base, [
        { path: "limit.py", content: `LIMIT = ${value}\n` },
      ]);
      await checkout.lay(tree);
      const run = {
        run: ["python3", "-c", "import limit; print(limit.LIMIT)"],
        env: { PYTHONDONTWRITEBYTECODE: "" },
        timeoutMs: 20_000,
      };
      const result = await checkout.execute(run);
      expect(result.stdout.head.toString() + result.stdout.tail.toString()).toBe(`${value}\n`);
      expect(existsSync(join(checkout.folder, "__pycache__"))).toBe(true);
      expect(seen).not.toContain(seconds(checkout.folder, "limit.py"));
      seen.add(seconds(checkout.folder, "limit.py"));
    }
  });
});

test("a repository with hundreds of ignored folders gets few mounts: the small ones are copied", () => {
  const repository = makeFolder();
  const small = Array.from({ length: 200 }, (_, index) => `packages/p${index}/node_modules`);
  writeFiles(repository, Object.fromEntries(small.map((folder) => [`${folder}/x.js`, "1"])));
  const large = Array.from({ length: 30 }, (_, index) => `packages/p${index}/build`);
  for (const folder of large) {
    mkdirSync(join(repository, folder));
    writeFileSync(join(repository, folder, "data"), Buffer.alloc(9 * 1024 * 1024));
  }
  const plan = planIgnored(repository, [...small, ...large], "overlay");
  expect(plan.overlays.every((path) => large.includes(path))).toBe(true);
  expect(plan.overlays.length).toBeGreaterThan(10);
  expect(plan.overlays.length).toBeLessThan(30);
  expect([...plan.overlays, ...plan.copies].sort()).toEqual([...small, ...large].sort());
  expect(planIgnored(repository, large, "bind").overlays).toEqual([]);
});
