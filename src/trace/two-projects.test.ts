import { describe, expect, test } from "vitest";
import { joinProjects, type ProjectSide, showPath, splitChanges } from "./two-projects.ts";

const side = (root: string, place: string, files: readonly string[]): ProjectSide => ({
  root,
  place,
  sources: { files, read: (path) => Promise.resolve(`${root}:${path}`) },
});
const target = side("/home/one/lib", "/home/one/lib", ["src/lib.rs", "src/main.rs"]);
const second = side("/tmp/copy/try", "/tmp/try", ["src/main.rs", "src/[odd]/x.rs"]);
const all = ["*"];

describe("what is asked for", () => {
  test("is the target's where it has it, else the second project's", async () => {
    const { root, specs, sources, prefixes } = joinProjects(
      [
        { path: "src/lib.rs", names: ["f"], otherwise: "src/lib.rs" },
        { path: "src/main.rs", names: all, otherwise: "src/main.rs" },
        { path: "src/*/x.rs", names: all, otherwise: "src/*/x.rs" },
      ],
      target,
      second,
    );
    expect(root).toBe("/");
    expect(prefixes).toEqual({ target: "home/one/lib/", second: "tmp/copy/try/" });
    expect(specs.map(({ path }) => path)).toEqual([
      "home/one/lib/src/lib.rs",
      "home/one/lib/src/main.rs",
      "tmp/copy/try/src/*/x.rs",
    ]);
    expect(sources.files).toContain("tmp/copy/try/src/main.rs");
    expect(await sources.read("tmp/copy/try/src/main.rs")).toBe("/tmp/copy/try:src/main.rs");
    expect(await sources.read("home/one/lib/src/lib.rs")).toBe("/home/one/lib:src/lib.rs");
  });

  test("stays the target's alone where nothing of the second is asked for, or there is none", () => {
    const own = { path: "src/lib.rs", names: all, otherwise: "src/lib.rs" };
    expect(joinProjects([own], target, second)).toMatchObject({
      root: target.root,
      specs: [{ path: "src/lib.rs" }],
    });
    const below = { path: "lib/x.rs", names: all, otherwise: "src/main.rs" };
    expect(joinProjects([below], target, undefined).specs).toEqual([{ path: "src/main.rs", names: all }]);
  });

  test("of neither is told as the target's, with the nearest", () => {
    const nowhere = { path: "src/lib.r", names: all, otherwise: "src/lib.r" };
    expect(() => joinProjects([nowhere], target, second)).toThrow(
      /The target \(\d+ files\) has no file src\/lib\.r/,
    );
  });
});

test("paths are shown as the user has them, wherever the copies stand", () => {
  const places = { root: "/copy/lib", base: "/", second: { root: "/copy/try", place: "/tmp/try" } };
  expect(showPath("copy/lib/src/a.py:3", places)).toBe("src/a.py:3");
  expect(showPath("/copy/try/main.py", places)).toBe("/tmp/try/main.py");
  expect(showPath("usr/lib/json.py:9", places)).toBe("usr/lib/json.py:9");
  expect(showPath("/copy/lib/a.py", { root: "/copy/lib" })).toBe("a.py");
});

test("changes are laid over the tree that they are of, also where one project stands in the other's folder", () => {
  const change = (path: string) => ({ path, content: "" });
  const changes = [change("a/b/x"), change("a/y")];
  const paths = (list: readonly { readonly path: string }[]): string[] => list.map(({ path }) => path);
  const inner = splitChanges(changes, { target: "a/b/", second: "a/" });
  expect([paths(inner.target), paths(inner.second)]).toEqual([["x"], ["y"]]);
  const outer = splitChanges(changes, { target: "a/", second: "a/b/" });
  expect([paths(outer.target), paths(outer.second)]).toEqual([["y"], ["x"]]);
  expect(paths(splitChanges(changes, { target: "", second: undefined }).target)).toEqual(["a/b/x", "a/y"]);
});
