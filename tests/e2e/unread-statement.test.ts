/** `search-repair` reads no statement: what it is given as one leads the search, and makes no evidence better. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { solveReportSchema } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

async function solve(files: Readonly<Record<string, string>>, statement: string, failing: string) {
  const repository = join(playground.folder, "project");
  mkdirSync(repository);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  const { stdout, exitCode } = await playground.start([
    ...["solve", statement, "--repo", repository, "--output", "json", "--failing-test", failing],
  ]).ended;
  return { report: solveReportSchema.parse(JSON.parse(stdout)), exitCode };
}

test("a patch that only takes code away is unverified, whatever the statement says", async () => {
  const { report, exitCode } = await solve(
    {
      "shop.py": `class Cart:
    def __init__(self):
        self.items = []
        self.saved = False

    def add(self, item):
        self.items.append(item)
        self.save()

    def save(self):
        self.saved = True
`,
      "test_shop.py": `import unittest

from shop import Cart


class CartTest(unittest.TestCase):
    def test_adds(self):
        cart = Cart()
        cart.add("tea")
        self.assertEqual(cart.items, ["tea"])
        self.assertFalse(cart.saved)

    def test_saves(self):
        cart = Cart()
        cart.save()
        self.assertTrue(cart.saved)
`,
    },
    "Adding to a cart should not mark it as saved",
    "test_adds",
  );
  expect(report.patch).toContain("-        self.save()");
  expect(report).toMatchObject({ outcome: "unverified", strength: "weak" });
  expect(report.gate.filter(({ holds }) => !holds)).toEqual([
    {
      predicate: "evidence-suffices",
      holds: false,
      evidence: expect.stringContaining("nobody who read what is wanted asked for that"),
    },
  ]);
  expect(exitCode).toBe(10);
});
