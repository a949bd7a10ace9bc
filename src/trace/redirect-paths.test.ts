import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { TreeStore } from "../workspace/contract.ts";
import { linkBeside, redirectPackages, redirectPaths } from "./redirect-paths.ts";

/** The result for one file of a project in `/u/prog`, whose target `/u/lib` was copied to `/copy/lib`. */
async function redirected(path: string, text: string, mode = "100644"): Promise<string> {
  let written = text;
  const trees: Pick<TreeStore, "list" | "read" | "write"> = {
    list: async () => [{ path, mode, blob: "" }],
    read: async () => Buffer.from(text),
    async write(_tree, changes) {
      written = String(changes[0]?.content);
      expect(changes[0]?.mode).toBe(mode === "120000" ? mode : undefined);
      return "other";
    },
  };
  const places = { root: "/u/prog", original: "/u/lib", copy: "/copy/lib" };
  const tree = await redirectPaths({ trees: trees as TreeStore, tree: "tree", ...places });
  expect(tree).toBe(written === text ? "tree" : "other");
  return written;
}

test.each([
  ["Cargo.toml", 'lib = { path = "../lib/core" }', 'lib = { path = "/copy/lib/core" }'],
  ["Cargo.toml", 'lib = { path = "/u/lib" }', 'lib = { path = "/copy/lib" }'],
  ["sub/Cargo.toml", 'lib = { path = "../../lib" }', 'lib = { path = "/copy/lib" }'],
  ["Cargo.toml", 'other = { path = "../library" }', 'other = { path = "../library" }'],
  ["package.json", '"lib": "file:../lib"', '"lib": "file:/copy/lib"'],
  ["go.mod", "replace example.org/lib => ../lib\n", "replace example.org/lib => /copy/lib\n"],
  ["go.mod", "replace example.org/o => ../other\n", "replace example.org/o => ../other\n"],
  [
    "try.py",
    'sys.path[:0] = ["/u/lib/src", "/u/o"]\nprint("/u/lib")\n',
    'sys.path[:0] = ["/copy/lib/src", "/u/o"]\nprint("/u/lib")\n',
  ],
  ["notes.txt", '"../lib"', '"../lib"'],
])("%s: %s", async (path, text, expected) => {
  expect(await redirected(path, text)).toBe(expected);
});

test("a link to the target leads to the copy, wherever it stands, and other links stay", async () => {
  expect(await redirected("node_modules/lib", "/u/lib", "120000")).toBe("/copy/lib");
  expect(await redirected("node_modules/@some/lib", "../../../lib/core", "120000")).toBe("/copy/lib/core");
  expect(await redirected("node_modules/lib", "../../library", "120000")).toBe("../../library");
});

test("installed packages that are links to the target lead to the copy", () => {
  const folder = mkdtempSync(join(tmpdir(), "redirect-"));
  try {
    mkdirSync(join(folder, "node_modules/@some"), { recursive: true });
    symlinkSync("../../lib", join(folder, "node_modules/lib"));
    symlinkSync("/u/lib/core", join(folder, "node_modules/@some/core"));
    symlinkSync("/u/other", join(folder, "node_modules/other"));
    redirectPackages(folder, { root: "/u/prog", original: "/u/lib", copy: "/copy/lib" });
    const links = ["lib", "@some/core", "other"].map((name) =>
      readlinkSync(join(folder, "node_modules", name)),
    );
    expect(links).toEqual(["/copy/lib", "/copy/lib/core", "/u/other"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("a neighbour of the project has its copy beside the project's, and nothing that is there is replaced", () => {
  const folder = mkdtempSync(join(tmpdir(), "redirect-"));
  try {
    const moved = join(folder, "prog");
    for (const copy of ["/copy/old", "/copy/lib"])
      linkBeside(moved, { root: "/u/prog", original: "/u/lib", copy });
    expect(readlinkSync(join(folder, "lib"))).toBe("/copy/lib");
    linkBeside(moved, { root: "/u/prog", original: "/other/far", copy: "/copy/far" });
    expect(existsSync(join(folder, "far"))).toBe(false);
    mkdirSync(join(folder, "own"));
    linkBeside(moved, { root: "/u/prog", original: "/u/own", copy: "/copy/own" });
    expect(() => readlinkSync(join(folder, "own"))).toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
