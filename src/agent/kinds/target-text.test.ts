import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
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

async function describe(task: Partial<ActionContext["task"]>): Promise<string> {
  writeFileSync(join(folder, "stock.py"), stock);
  const directory = mkdtempSync(join(tmpdir(), "index-"));
  const graph = openGraph({ repository: folder, directory, home: undefined });
  try {
    await graph.refresh({});
    return await describeTarget({
      task,
      view: { tree: () => "tree", context: { graph: async () => graph } },
      workspace: { trees: { read: async () => Buffer.from(stock) } },
    } as unknown as ActionContext);
  } finally {
    graph.close();
    rmSync(directory, { recursive: true, force: true });
  }
}

test("a target is shown with what stands above it, who calls it, and a neighbour where a body is to be written", async () => {
  const target = "stock.py:take";
  const asked = await describe({ kind: "code-generation", target });
  expect(asked).toContain("stock.py:8-12\n8\t# What is left of it,");
  expect(asked).toContain('11\t    """Takes packs."""');
  expect(asked).toContain("Called at: stock.py:16 (use).");
  expect(asked).toContain("A function beside it:\nstock.py:1-5");
  expect(await describe({ kind: "test-generation", target })).not.toContain("beside it");
  expect(await describe({ kind: "repair" })).toBe("");
});
