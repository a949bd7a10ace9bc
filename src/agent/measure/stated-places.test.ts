import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type OpenGraph, openGraph } from "../../graph/open-graph.ts";
import { findStatedPlaces } from "./stated-places.ts";

const files = {
  "shop.go": `package shop

type Cart struct{ limit int }

func (c *Cart) Total() int { return net(c.limit) }

func (c *Cart) Limited() bool { return c.limit > 0 }

func net(price int) int { return price - 1 }

func Other() int { return 2 }
`,
  "stock.py": `class Stock:
    def missing(self):
        return []


def count():
    return 1
`,
  "test_stock.py": "def fill_everything():\n    return 1\n",
};

let folder: string;
let graph: OpenGraph;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "stated-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  graph = openGraph({ repository: folder, directory: join(folder, "index"), home: undefined });
  await graph.refresh();
});
afterAll(() => {
  graph.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The line of the only place with the text. */
function lineOf(name: keyof typeof files, text: string): number {
  return files[name].slice(0, files[name].indexOf(text)).split("\n").length;
}

test.each<[string, keyof typeof files, string, boolean | undefined]>([
  ["`Cart.Total` is wrong", "shop.go", "net(c.limit)", true],
  ["`Cart.Total` is wrong", "shop.go", "price - 1", true],
  ["`Cart.Total` is wrong", "shop.go", "return 2", false],
  // Everything that a type does.
  ["`Cart` is wrong", "shop.go", "c.limit > 0", true],
  ["stock.py is wrong", "stock.py", "return []", true],
  ["stock.py is wrong", "shop.go", "return 2", false],
  // A file name of common words does not count, nor do names of tests, nor fields alone.
  ["the count is wrong", "stock.py", "return 1", undefined],
  ["`fill_everything` is wrong", "stock.py", "return 1", undefined],
  ["`limit` is wrong", "shop.go", "return 2", undefined],
])("%s: %s, %s", (statement, file, text, expected) => {
  expect(findStatedPlaces(graph, statement)?.reach(file, lineOf(file, text))).toBe(expected);
});
