import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openGraph } from "./open-graph.ts";
import { takeOverIndex } from "./take-over-index.ts";

const home = undefined;

test("a copy of a folder reads only what is not the same in both", async () => {
  const base = mkdtempSync(join(tmpdir(), "millwright-take-over-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [folder, copy] = [join(base, "one"), join(base, "other")];
  mkdirSync(folder);
  const write = (root: string, name: string, text: string): void => {
    writeFileSync(join(root, name), text);
    utimesSync(join(root, name), 1_600_000_000, 1_600_000_000);
  };
  write(folder, "a.py", "def first():\n    return 1\n");
  write(folder, "b.py", "from a import first\n\n\ndef second():\n    return first()\n");
  const from = { directory: join(base, "index"), repository: folder };
  const graph = openGraph({ ...from, home });
  expect(await graph.refresh()).toMatchObject({ changed: 2 });
  graph.close();
  cpSync(folder, copy, { recursive: true });
  for (const name of ["a.py", "b.py"]) utimesSync(join(copy, name), 1_500_000_000, 1_500_000_000);
  write(copy, "b.py", "from a import first\n\n\ndef third_():\n    return first()\n");

  const to = { directory: join(base, "index-of-copy"), repository: copy };
  takeOverIndex(from, to);
  const taken = openGraph({ ...to, home });
  onTestFinished(() => taken.close());
  expect(await taken.refresh()).toMatchObject({ changed: 1 });
  expect(taken.named("second")).toEqual([]);
  const [first] = taken.named("first");
  expect(taken.incoming(first?.id ?? 0, ["calls"]).map(({ from: caller }) => caller.name)).toEqual([
    "third_",
  ]);
});

test("an index that is none is left alone", () => {
  const base = mkdtempSync(join(tmpdir(), "millwright-take-over-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  writeFileSync(join(base, "graph.sqlite"), "no database at all, though it is long enough to be read as one");
  const to = { directory: join(base, "to"), repository: base };
  takeOverIndex({ directory: base, repository: base }, to);
  const graph = openGraph({ ...to, home });
  onTestFinished(() => graph.close());
  expect(graph.rebuilt).toBeUndefined();
});
