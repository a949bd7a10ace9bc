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

async function solve(files: Readonly<Record<string, string>>, statement: string, failing?: string) {
  const repository = join(playground.folder, "project");
  mkdirSync(repository);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(repository, name), text);
  const { stdout, exitCode } = await playground.start([
    ...["solve", statement, "--repo", repository, "--output", "json", "--max-time", "5m"],
    ...(failing === undefined ? [] : ["--failing-test", failing]),
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
      evidence: expect.stringContaining("no model read a statement that asks for this"),
    },
  ]);
  expect(exitCode).toBe(10);
});

const shop = {
  "shop.py": `class Cart:
    def __init__(self, prices):
        self.prices = prices

    def total(self):
        return sum(net(price) for price in self.prices)


class Stock:
    def __init__(self, counts):
        self.counts = counts

    def missing(self, wanted):
        return [name for name in wanted if self.counts.get(name, 0) < wanted[name]]


def net(price):
    if price > 100:
        return price - 10
    return price
`,
  "test_shop.py": `import unittest

from shop import Cart, Stock


class ShopTest(unittest.TestCase):
    def test_takes_ten_off_from_a_hundred(self):
        self.assertEqual(Cart([100, 20]).total(), 110)

    def test_leaves_small_prices(self):
        self.assertEqual(Cart([5, 99]).total(), 104)

    def test_takes_ten_off_above(self):
        self.assertEqual(Cart([101, 300]).total(), 381)

    def test_missing(self):
        self.assertEqual(Stock({"tea": 2}).missing({"tea": 3, "jam": 0}), ["tea"])
`,
};

test("a patch that is neither in what the statement names nor in what that uses is unverified", async () => {
  const statement = "`Stock.missing()` is wrong for a hundred";
  const { report, exitCode } = await solve(shop, statement, "test_takes_ten_off_from_a_hundred");
  expect(report.patch).toContain("+    if price >= 100:");
  expect(report.outcome, JSON.stringify(report.gate)).toBe("unverified");
  expect(report.reason).toContain("neither code that the statement names (Stock.missing");
  expect(exitCode).toBe(10);
});

test.each([
  ["`Cart` sums them wrong", "verified", 0],
  ["`Stock` counts them twice", "unverified", 10],
])(
  "a failing test that prints no name is the stated one by what it calls, and by nothing else: %s",
  async (statement, outcome, code) => {
    const { report, exitCode } = await solve(shop, statement);
    expect(report.patch).toContain("+    if price >= 100:");
    expect(report.outcome, JSON.stringify(report.gate)).toBe(outcome);
    expect(report.gate).toContainEqual(
      expect.objectContaining({ predicate: "failure-is-the-stated-one", holds: code === 0 }),
    );
    expect(exitCode).toBe(code);
  },
);
