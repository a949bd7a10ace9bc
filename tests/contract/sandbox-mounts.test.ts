/** What a sandbox shows of the host's folders, and what it keeps from them. */
import { lstatSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { MillwrightError } from "../../src/base/errors.ts";
import type { Mount } from "../../src/sandbox/contract.ts";
import { type Fixture, type FixtureOptions, members, openFixture } from "./sandbox-fixture.ts";

/** Names that option strings of mount programs have trouble with. */
const oddNames = ["a b", "größe", "a,b", "a:b", "a\\b", 'a"b', "a\nb", "-a", "a=b", "a$b'c"];

for (const { provider, name, missing, mounts: support } of members) {
  const title = `${name}${missing === undefined ? "" : ` (skipped: ${missing})`}`;
  const canBind = missing === undefined && support !== "none";
  const canOverlay = missing === undefined && support === "overlay";

  async function within(
    mounts: (root: string) => Promise<Mount[]>,
    body: (fixture: Fixture, root: string) => Promise<void>,
    options: FixtureOptions = {},
  ): Promise<void> {
    let root = "";
    const fixture = await openFixture(provider, {
      ...options,
      mounts: async (folder) => {
        root = folder;
        return mounts(folder);
      },
    });
    try {
      await body(fixture, root);
    } finally {
      await fixture.remove();
    }
  }

  describe.skipIf(!canBind)(`${title}: binds`, () => {
    test("a read-only mount can be read and refuses writes", async () => {
      const prepare = async (root: string): Promise<Mount[]> => {
        await mkdir(join(root, "source"));
        await writeFile(join(root, "source/file"), "content");
        await chmod(join(root, "source"), 0o777);
        return [{ mode: "read-only", source: join(root, "source"), target: "/mnt/shown" }];
      };
      await within(prepare, async ({ run }, root) => {
        expect((await run("cat /mnt/shown/file")).out).toBe("content");
        expect((await run("echo x > /mnt/shown/file")).exitCode).not.toBe(0);
        expect((await run("rm -f /mnt/shown/file; touch /mnt/shown/new")).exitCode).not.toBe(0);
        expect(await readdir(join(root, "source"))).toEqual(["file"]);
      });
    });

    test("a file, and a folder nested in another mount, at any path", async () => {
      const prepare = async (root: string): Promise<Mount[]> => {
        for (const folder of ["outer", "inner"]) await mkdir(join(root, folder));
        await writeFile(join(root, "inner/file"), "nested");
        await writeFile(join(root, "single"), "alone");
        return [
          { mode: "read-write", source: join(root, "outer"), target: "/work/a/b" },
          { mode: "read-only", source: join(root, "inner"), target: "/work/a/b/deep/inner" },
          { mode: "read-only", source: join(root, "single"), target: "/srv/single" },
        ];
      };
      await within(prepare, async ({ run }, root) => {
        expect((await run("cat /work/a/b/deep/inner/file /srv/single")).out).toBe("nestedalone");
        expect((await run("echo x > /work/a/b/deep/inner/file")).exitCode).not.toBe(0);
        expect((await run("echo written > /work/a/b/new")).exitCode).toBe(0);
        expect(await readFile(join(root, "outer/new"), "utf8")).toBe("written\n");
      });
    });

    test("a mount replaces what the sandbox itself shows there", async () => {
      const prepare = async (root: string): Promise<Mount[]> => {
        await mkdir(join(root, "own"));
        await writeFile(join(root, "own/mine"), "");
        return [{ mode: "read-only", source: join(root, "own"), target: "/opt" }];
      };
      await within(prepare, async ({ run }) => {
        expect((await run("ls /opt")).out).toBe("mine\n");
      });
    });

    test("folders with odd names", async () => {
      const prepare = async (root: string): Promise<Mount[]> => {
        for (const odd of oddNames) {
          await mkdir(join(root, "odd", odd), { recursive: true });
          await writeFile(join(root, "odd", odd, "file"), odd);
        }
        return oddNames.map((odd) => ({
          mode: "read-only",
          source: join(root, "odd", odd),
          target: join("/mnt", odd),
        }));
      };
      await within(prepare, async ({ run }) => {
        for (const odd of oddNames) {
          expect((await run(["cat", join("/mnt", odd, "file")])).out).toBe(odd);
        }
      });
    });

    test.each<[string, (root: string) => Mount[], RegExp]>([
      ["a source that is not there", (root) => [bind(join(root, "no"), "/mnt/x")], /no/],
      ["a relative target", (root) => [bind(root, "mnt/x")], /mnt\/x/],
      ["a target that is not normal", (root) => [bind(root, "/mnt/../etc")], /\/etc/],
      ["a mount that hides an earlier one", (root) => [bind(root, "/mnt/a/b"), bind(root, "/mnt/a")], /hide/],
      [
        "a place that does not exist inside a read-only mount",
        (root) => [bind(root, "/mnt/a"), bind(root, "/mnt/a/not/there")],
        /\/mnt\/a\/not\/there/,
      ],
      [
        "a place that does not exist inside the host's toolchain",
        (root) => [bind(root, "/usr/not/there")],
        /.+/,
      ],
    ])("refuses %s with a clear error", async (_, mounts, message) => {
      const opening = openFixture(provider, { mounts: async (root) => mounts(root) });
      const error: unknown = await opening.catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(MillwrightError);
      expect(String(error)).toMatch(message);
    });
  });

  describe.skipIf(!canOverlay)(`${title}: overlays`, () => {
    const prepare = async (root: string): Promise<Mount[]> => {
      const source = join(root, "so,ur:ce \\x");
      await mkdir(join(source, "folder"), { recursive: true });
      await writeFile(join(source, "kept"), "kept");
      await writeFile(join(source, "changed"), "old");
      await writeFile(join(source, "folder/removed"), "here");
      return [{ mode: "overlay", source, changes: join(root, "cha,nges: x"), target: "/work/repository" }];
    };

    test("changes last from command to command, and the source has none of them", async () => {
      await within(prepare, async ({ run }, root) => {
        const source = join(root, "so,ur:ce \\x");
        const before = lstatSync(join(source, "changed")).mtimeMs;
        await run("cd /work/repository && echo new > changed && rm -r folder && echo x > added");
        const after = await run("cd /work/repository && cat kept changed added; ls");
        expect(after.out).toBe("keptnew\nx\nadded\nchanged\nkept\n");
        expect(await readFile(join(source, "changed"), "utf8")).toBe("old");
        expect(lstatSync(join(source, "changed")).mtimeMs).toBe(before);
        expect((await readdir(source)).toSorted()).toEqual(["changed", "folder", "kept"]);
        expect((await readdir(join(root, "cha,nges: x/upper"))).toSorted()).toEqual([
          "added",
          "changed",
          "folder",
        ]);
      });
    });

    test("two commands at once see one overlay", async () => {
      await within(prepare, async ({ run }) => {
        const wait = "until [ -e /work/repository/signal ]; do sleep 0.02; done; echo seen";
        const [seen] = await Promise.all([run(wait), run("sleep 0.2; touch /work/repository/signal")]);
        expect(seen.out).toBe("seen\n");
      });
    });

    test("a bind lies in an overlay, and an overlay in a bind", async () => {
      const both = async (root: string): Promise<Mount[]> => {
        for (const folder of ["base", "bound", "layer"]) await mkdir(join(root, folder));
        await writeFile(join(root, "layer/below"), "below");
        return [
          { mode: "overlay", source: join(root, "base"), changes: join(root, "one"), target: "/work" },
          { mode: "read-write", source: join(root, "bound"), target: "/work/scratch" },
          {
            mode: "overlay",
            source: join(root, "layer"),
            changes: join(root, "two"),
            target: "/work/scratch/modules",
          },
        ];
      };
      await within(both, async ({ run }, root) => {
        await run("echo a > /work/a; echo b > /work/scratch/b; echo c > /work/scratch/modules/c");
        expect((await run("cd /work; cat a scratch/b scratch/modules/below scratch/modules/c")).out).toBe(
          "a\nb\nbelowc\n",
        );
        expect(await readdir(join(root, "base"))).toEqual([]);
        expect((await readdir(join(root, "bound"))).toSorted()).toEqual(["b", "modules"]);
        expect(await readdir(join(root, "layer"))).toEqual(["below"]);
      });
    });

    test("the host sees no mount, and can remove all folders after the close", async () => {
      await within(prepare, async ({ run, sandbox }, root) => {
        await run("echo x > /work/repository/x");
        await sandbox.close();
        expect(await readFile("/proc/self/mounts", "utf8")).not.toContain(root);
      });
    });
  });
}

function bind(source: string, target: string): Mount {
  return { mode: "read-only", source, target };
}
