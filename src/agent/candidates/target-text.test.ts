import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { openGraph } from "../../graph/open-graph.ts";
import type { ActionContext } from "../action.ts";
import { describeTarget } from "./target-text.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "target-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stock = `def keep(names):
    kept = []
    for name in names:
        kept.append(name)
    return kept


# What is left of it,
# in packs.
def take(count):
    """Takes packs."""
    raise NotImplementedError


def use():
    return take(2)
`;

async function describe(task: Partial<ActionContext["task"]>, text = stock) {
  writeFileSync(join(folder, "stock.py"), text);
  const directory = mkdtempSync(join(tmpdir(), "index-"));
  const graph = openGraph({ repository: folder, directory, home: undefined });
  try {
    await graph.refresh({});
    const context = partOf<ActionContext>({
      task,
      view: { tree: () => "tree", context: { graph: async () => graph } },
      workspace: { trees: { read: async () => Buffer.from(text) } },
    });
    return await describeTarget(context, true);
  } finally {
    graph.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

test("a target is shown with what stands above it, who calls it, and a neighbour where a body is to be written", async () => {
  const target = "stock.py:take";
  const asked = await describe({ kind: "code-generation", target });
  expect(asked.text).toContain("stock.py:8-12\n8\t# What is left of it,");
  expect(asked.text).toContain('11\t    """Takes packs."""');
  expect(asked.text).toContain("Called at: stock.py:16 (use).");
  expect(asked.text).toContain("A similar function near the target:\nstock.py:1-5");
  expect(asked.spans).toMatchObject([
    { startLine: 8, endLine: 12 },
    { startLine: 1, endLine: 5 },
  ]);
  expect((await describe({ kind: "test-generation", target })).text).not.toContain("near the target");
  expect((await describe({ kind: "repair" })).text).toBe("");
});

test("the neighbour is the one that is named alike, though others are nearer", async () => {
  const of = (name: string): string => `def ${name}(text):\n    kept = text\n    return kept\n\n\n`;
  const text = `${of("parse_list_header")}${of("quote")}${of("parse_dict_header")}${of("unquote")}`;
  const asked = await describe({ kind: "code-generation", target: "stock.py:parse_dict_header" }, text);
  expect(asked.text).toContain("A similar function near the target:\nstock.py:1-3");
});
