import { readdirSync, readFileSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join, relative } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { describeGraph, describeRows, makePlayground, type Playground } from "../../tests/graph-fixtures.ts";
import type { OpenGraph } from "./open-graph.ts";

async function builtAnew(playground: Playground): Promise<OpenGraph> {
  const graph = playground.open(`${playground.directory}-anew-${Math.random()}`);
  await graph.refresh();
  return graph;
}

/** Copies a fixture's files into a new folder. */
function copyFixture(name: string): Readonly<Record<string, string>> {
  const folder = join(import.meta.dirname, "../../tests/fixtures/repos", name);
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = paths.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}

describe("an index that is brought up to date", () => {
  it("says the same as one that is built anew, whatever was edited in whatever order", async () => {
    const name = fc.constantFrom("load", "save", "Base", "Child", "Other");
    const module = fc.constantFrom("a", "b", "pkg/__init__", "pkg/c", "pkg/d");
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom("a", "b", "pkg", "pkg.c", ".c", "."), name)
        .map(([from, one]) => `from ${from} import ${one}`),
      name.map((one) => `def ${one}(x):\n    return x`),
      fc
        .tuple(name, name)
        .map(
          ([call, inner]) =>
            `def run_${call}():\n    item = ${inner}()\n    item.load()\n    return ${call}(1)`,
        ),
      fc
        .tuple(name, name, name)
        .map(
          ([type, base, method]) =>
            `class ${type}(${base}):\n    def ${method}(self):\n        return self.save()`,
        ),
      fc.constant("import pkg.c\npkg.c.load(2)"),
      fc.constant("from pkg import *\nsave(3)"),
    );
    const text = fc.array(line, { maxLength: 4 }).map((lines) => `${lines.join("\n")}\n`);
    const edit = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("write" as const), module, text }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), module }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("update" as const), module, text }) },
    );
    const property = fc.asyncProperty(fc.array(edit, { minLength: 2, maxLength: 7 }), async (edits) => {
      const playground = makePlayground();
      const graph = playground.open();
      for (const one of edits) {
        const path = `${one.module}.py`;
        if (one.kind === "remove") rmSync(join(playground.repository, path), { force: true });
        else playground.write({ [path]: one.text });
        if (one.kind === "update") await graph.update(path);
        else await graph.refresh();
      }
      await graph.refresh();
      expect(describeGraph(graph)).toEqual(describeGraph(await builtAnew(playground)));
    });
    // The same runs each time; remove the seed to search for more.
    await fc.assert(property, { numRuns: 25, seed: 33 });
  }, 120_000);

  it.each(["rust", "python", "typescript", "java", "go", "cpp"])(
    "has the same rows as one that is built anew after lines of %s were put in, taken out and replaced",
    async (language) => {
      const nat = fc.nat(1000);
      const edit = fc.record({ file: nat, line: nat, removed: fc.nat(2), from: nat, added: fc.nat(3) });
      const property = fc.asyncProperty(fc.array(edit, { minLength: 6, maxLength: 10 }), async (edits) => {
        const files = { ...copyFixture(`graph-${language}`) };
        const playground = makePlayground(files);
        const graph = playground.open();
        await graph.refresh();
        const paths = Object.keys(files);
        for (const { file, line, removed, from, added } of edits) {
          const path = paths[file % paths.length] ?? "";
          const lines = (files[path] ?? "").split("\n");
          const copied = lines.slice(from % lines.length).slice(0, added);
          lines.splice(line % lines.length, removed, ...copied);
          files[path] = lines.join("\n");
          playground.write({ [path]: files[path] });
          await graph.update(path);
        }
        await graph.refresh();
        expect(describeRows(graph)).toEqual(describeRows(await builtAnew(playground)));
      });
      await fc.assert(property, { numRuns: 2, seed: 34 });
    },
    60_000,
  );

  it("keeps the numbers of what is still there, and follows a renamed file", async () => {
    const playground = makePlayground({
      "shop.py": "class Cart:\n    def total(self):\n        return 0\n",
      "main.py": "from shop import Cart\n\nCart().total()\n",
    });
    const graph = playground.open();
    await graph.refresh();
    const total = graph.named("Cart.total")[0];
    playground.write({
      "shop.py":
        "import os\n\n\nclass Cart:\n    def add(self):\n        pass\n\n    def total(self):\n        return 0\n",
    });
    expect(await graph.update("shop.py")).toMatchObject({ state: "written" });
    expect(graph.named("Cart.total")[0]).toMatchObject({ id: total?.id, startLine: 8 });
    renameSync(join(playground.repository, "shop.py"), join(playground.repository, "store.py"));
    playground.write({ "main.py": "from store import Cart\n\nCart().total()\n" });
    await graph.refresh();
    expect(graph.named("total").map(({ path }) => path)).toEqual(["store.py"]);
    const users = graph.incoming(graph.named("Cart")[0]?.id ?? 0, ["calls"]);
    expect(users.map(({ from, edge }) => `${from.path}:${edge.at.line}`)).toEqual(["main.py:3"]);
  });

  it("resolves an import by place again when the file comes and goes", async () => {
    const playground = makePlayground({ "pkg/d.py": "from . import load\n" });
    const graph = playground.open();
    await graph.refresh();
    const imported = () =>
      graph.outgoing(graph.entityAt("pkg/d.py", 9)?.id ?? 0, ["imports"]).map(({ to }) => to.path);
    playground.write({ "pkg/__init__.py": "\n" });
    await graph.refresh();
    expect(imported()).toEqual(["pkg/__init__.py"]);
    rmSync(join(playground.repository, "pkg/__init__.py"));
    await graph.refresh();
    expect(imported()).toEqual([]);
  });

  it("sees each of two changes within a moment", async () => {
    const playground = makePlayground();
    const graph = playground.open();
    for (const name of ["one", "two", "six"]) {
      playground.write({ "a.py": `def ${name}():\n    pass\n` });
      await graph.refresh();
      expect(graph.outline("a.py").map((entity) => entity.name)).toEqual([name]);
    }
  });

  it("reads nothing again that has not changed", async () => {
    const playground = makePlayground({ "a.py": "def f():\n    pass\n", "b.py": "import a\na.f()\n" });
    // Files written just now are read again in any case.
    for (const name of ["a.py", "b.py"]) utimesSync(join(playground.repository, name), 1e9, 1e9);
    await playground.open().refresh();
    const again = await playground.open().refresh();
    expect(again).toEqual({ busy: false, changed: 0, removed: 0, stopped: false });
  });

  it("writes nothing where nothing has changed, so that what was read from it can be kept", async () => {
    const { repository, open } = makePlayground({ "a.py": "def f():\n    pass\n" });
    const before = new Date(Date.now() - 3600_000);
    utimesSync(join(repository, "a.py"), before, before);
    const graph = open();
    const changes = () => graph.store.prepare("SELECT total_changes() AS n").get()?.n;
    await graph.refresh();
    await graph.refresh();
    const known = changes();
    await graph.refresh();
    expect(changes()).toBe(known);
  });

  it("answers from what it has when it is stopped, says how much that is, and goes on later", async () => {
    const files = Array.from({ length: 40 }, (_, index) => [`m${index}.py`, `def f${index}():\n    pass\n`]);
    const playground = makePlayground(Object.fromEntries(files));
    const graph = playground.open();
    const stop = new AbortController();
    const part = await graph.refresh({
      signal: stop.signal,
      onProgress: ({ done }) => done >= 10 && stop.abort(),
    });
    expect(part.stopped).toBe(true);
    const some = graph.completeness();
    expect(some).toMatchObject({ files: 40, complete: false });
    expect(some.indexed).toBeGreaterThanOrEqual(10);
    expect(graph.files().filter(({ path }) => graph.outline(path).length === 1).length).toBe(some.indexed);
    await graph.refresh();
    expect(graph.completeness()).toMatchObject({ indexed: 40, resolved: 40, complete: true });
  });
});
