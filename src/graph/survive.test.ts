/** What an index survives: kills, damage, other versions, a second process, and files of every kind. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { describeGraph, makePlayground } from "../../tests/graph-fixtures.ts";
import { formatEntityId, parseEntityId } from "./entity-id.ts";
import { databaseName, indexFolderOf } from "./index-folder.ts";
import { takeWriterLock } from "./store/writer-lock.ts";

const program = join(import.meta.dirname, "../../bin/start.mjs");

function manyFiles(count: number): Record<string, string> {
  const files: Record<string, string> = {};
  for (let index = 0; index < count; index++) {
    const functions = Array.from(
      { length: 20 },
      (_, at) => `def f${index}_${at}(x):\n    return f${(index + at) % count}_0(x)\n`,
    );
    files[`pkg/m${index}.py`] = `from pkg.m${(index + 1) % count} import *\n\n${functions.join("\n")}`;
  }
  return { ...files, "pkg/__init__.py": "" };
}

describe("an index", () => {
  it("is whole again after kill -9 at any moment", async () => {
    const playground = makePlayground(manyFiles(250));
    const indexes = `${playground.directory}-all`;
    const directory = indexFolderOf({ repository: playground.repository, indexes, environment: {} });
    const reached: number[] = [];
    for (const wait of [300, 600, 900, 100, 1200]) {
      const child = spawn(
        process.execPath,
        [
          "--disable-warning=ExperimentalWarning",
          program,
          "index",
          playground.repository,
          "--index-dir",
          indexes,
        ],
        { stdio: "ignore" },
      );
      const exited = once(child, "exit");
      await Promise.race([exited, setTimeout(wait)]);
      child.kill("SIGKILL");
      await exited;
      if (!existsSync(join(directory, databaseName))) continue;
      const graph = playground.open(directory);
      expect(graph.store.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
      for (const { path } of graph.files())
        if (path !== "pkg/__init__.py") expect(graph.outline(path)).toHaveLength(20);
      reached.push(graph.completeness().indexed);
      graph.close();
    }
    expect(reached).toEqual([...reached].sort((a, b) => a - b));
    const graph = playground.open(directory);
    await graph.refresh();
    const anew = playground.open();
    await anew.refresh();
    expect(describeGraph(graph)).toEqual(describeGraph(anew));
  }, 120_000);

  it("is built anew where it is damaged, cut off, of another version, or not ours, and says so", async () => {
    const playground = makePlayground({ "a.py": "def f():\n    pass\n" });
    const path = join(playground.directory, databaseName);
    const first = playground.open();
    await first.refresh();
    first.close();
    const damages: readonly (readonly [() => void, RegExp])[] = [
      [() => writeFileSync(path, "no database at all ".repeat(500)), /damaged/],
      [() => truncateSync(path, 5000), /damaged/],
      [() => changeDatabase(path, "PRAGMA user_version = 99"), /version 99/],
      [
        () => changeDatabase(path, "UPDATE meta SET value = 'older' WHERE key = 'version'"),
        /another version/,
      ],
      [() => changeDatabase(path, "PRAGMA application_id = 7"), /not an index of Millwright/],
    ];
    for (const [damage, reason] of damages) {
      damage();
      const graph = playground.open();
      expect(graph.rebuilt).toMatch(reason);
      await graph.refresh();
      expect(graph.named("f").map(formatEntityId)).toEqual(["python:a.py#f:function"]);
      graph.close();
    }
  });

  it("that turns out to be damaged in the middle is built anew by the next refresh", async () => {
    const playground = makePlayground(manyFiles(30));
    const path = join(playground.directory, databaseName);
    const first = playground.open();
    await first.refresh();
    first.store.database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    first.close();
    const content = readFileSync(path);
    content.fill(0xa5, 4096 * 3, content.length - 4096);
    writeFileSync(path, content);
    const graph = playground.open();
    await graph.refresh();
    expect(graph.completeness()).toMatchObject({ indexed: 31, complete: true });
    expect(graph.store.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  });

  it("is written by one process at a time; the others answer from what there is", async () => {
    const playground = makePlayground({ "a.py": "def f():\n    pass\n" });
    const graph = playground.open();
    await graph.refresh();
    const lock = takeWriterLock(playground.directory);
    expect(lock).toBeDefined();
    playground.write({ "a.py": "def g():\n    pass\n" });
    const other = playground.open();
    expect(await other.refresh()).toMatchObject({ busy: true });
    expect(other.named("f")).toHaveLength(1);
    lock?.release();
    expect(await other.refresh()).toMatchObject({ busy: false, changed: 1 });
    expect(graph.named("g")).toHaveLength(1);
  });

  it("survives files of every kind and says why it left them out", async () => {
    const playground = makePlayground({
      ".gitignore": "ignored/\n",
      "good.py": "def good():\n    pass\n",
      "broken.py": "def before():\n    pass\n\n\ndef broken(:\n  x = = 3\n",
      "binary.py": Buffer.from([0x64, 0, 1, 2, 0xff, 0xfe]),
      "latin.py": Buffer.from("def caf\xe9():\n    pass\n", "latin1"),
      "app.min.js": "var a=1;",
      "bundle.js": `var x=[${"1,".repeat(20_000)}1];`,
      "made.py": "# Code generated by a tool. DO NOT EDIT.\ndef made():\n    pass\n",
      "empty.py": "",
      "ignored/hidden.py": "def hidden():\n    pass\n",
      "spaced name #1.py": "def spaced():\n    pass\n",
    });
    const outside = `${playground.directory}-outside`;
    mkdirSync(outside);
    writeFileSync(join(outside, "secret.py"), "def secret():\n    pass\n");
    symlinkSync(join(outside, "secret.py"), join(playground.repository, "link.py"));
    symlinkSync(outside, join(playground.repository, "folder"));
    symlinkSync("link-to-itself.py", join(playground.repository, "link-to-itself.py"));
    const large = openSync(join(playground.repository, "large.py"), "w");
    ftruncateSync(large, 100 * 1024 * 1024);
    closeSync(large);
    const graph = playground.open();
    await graph.refresh();
    const skipped = Object.fromEntries(graph.files().map(({ path, skipped: reason }) => [path, reason]));
    expect(skipped).toMatchObject({
      "good.py": undefined,
      "broken.py": undefined,
      "binary.py": "binary",
      "app.min.js": "data or lock file",
      "bundle.js": "minified",
      "link.py": "symbolic link",
      folder: "symbolic link",
      "link-to-itself.py": "symbolic link",
      "large.py": "larger than 5 MiB",
    });
    expect(skipped).not.toHaveProperty("ignored/hidden.py");
    expect(graph.named("secret")).toEqual([]);
    expect(graph.named("hidden")).toEqual([]);
    expect(graph.named("before")).toHaveLength(1);
    expect(graph.file("broken.py")?.syntaxErrors).toBeGreaterThan(0);
    expect(graph.file("made.py")?.isGenerated).toBe(true);
    const [spaced] = graph.named("spaced");
    expect(spaced && parseEntityId(formatEntityId(spaced))).toMatchObject({ path: "spaced name #1.py" });
    expect(graph.completeness().complete).toBe(true);
  });

  it("re-exports that all lead to each other are gone through once, not by every way", async () => {
    const names = Array.from({ length: 40 }, (_, index) => `a${index}`);
    const all = names.map((name) => `export * from "./${name}.js";`).join("\n");
    const files = Object.fromEntries(names.map((name) => [`${name}.js`, `${all}\n`]));
    const use = 'import { absent, present } from "./a0.js";\nabsent(present());\n';
    const last = `${all}\nexport function present() {\n  return 1;\n}\n`;
    const graph = makePlayground({ ...files, "a39.js": last, "use.js": use }).open();
    await graph.refresh();
    const [present] = graph.named("present");
    expect(graph.incoming(present?.id ?? 0, ["calls"]).map(({ from }) => from.path)).toEqual(["use.js"]);
    expect(graph.named("absent")).toEqual([]);
  });
});

function changeDatabase(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}
