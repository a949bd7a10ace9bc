import { describe, expect, it } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { buildFileForm } from "../forms/file-form.ts";
import { createSearcher, findPlaces } from "./find.ts";
import { findFilesByName } from "./find-files.ts";
import { findPassages } from "./find-passages.ts";
import { ecmascriptWeights, fileWeights, rustWeights } from "./fusion-weights.ts";
import { type OpenSearcher, openSearcher } from "./open-searcher.ts";
import { findRelatedTests } from "./related-tests.ts";

const shop = {
  "shop/cart.py":
    'class Cart:\n    def add_item(self, item):\n        if item.weight > 30:\n            raise ValueError("a parcel may not be heavier than 30 kg")\n        self.items.append(item)\n\n    def total(self):\n        return sum(item.price for item in self.items)\n',
  "shop/rates.py":
    'def price_of(zone, weight):\n    """What a parcel costs."""\n    return zone.base + weight * zone.rate\n\n\ndef express_surcharge(zone):\n    return zone.base / 2\n',
  "shop/report.py":
    "def monthly_report(carts):\n    rows = []\n    for cart in carts:\n        rows.append(cart.total())\n    return rows\n",
  "tests/test_rates.py":
    "from shop.rates import express_surcharge, price_of\n\n\ndef test_overnight_delivery_is_dearer(zone):\n    assert express_surcharge(zone) > 0\n\n\ndef test_price(zone):\n    assert price_of(zone, 2) == 9\n",
  "README.md":
    "# Shop\n\nSells things.\n\n## Running the tests\n\nInstall it, then run `pytest -q`.\n\n## Releases\n\nEvery month.\n",
};

async function openShop(files: Record<string, string> = shop): Promise<OpenSearcher> {
  const playground = makePlayground(files);
  const graph = playground.open();
  await graph.refresh();
  return openSearcher({ graph, repository: playground.repository });
}

function firstFile(searcher: OpenSearcher, text: string): string | undefined {
  const { index } = searcher;
  return index.files[findPlaces(searcher, text).files[0]?.file ?? -1]?.path;
}

function firstPiece(searcher: OpenSearcher, text: string): string | undefined {
  const [first] = findPlaces(searcher, text).pieces;
  return first === undefined ? undefined : searcher.index.piece(first.piece).qualified;
}

describe("the place of a change", () => {
  it("is found by words, by a quoted message, by a name and by a place of a stack trace", async () => {
    const searcher = await openShop();
    expect(firstFile(searcher, "The monthly report has no header row")).toBe("shop/report.py");
    expect(firstPiece(searcher, "ValueError: a parcel may not be heavier than 30 kg")).toBe("Cart.add_item");
    expect(firstPiece(searcher, "`price_of` is wrong for zero")).toBe("price_of");
    const trace =
      'It crashes\n```\nTraceback (most recent call last):\n  File "/srv/shop/cart.py", line 8, in x\n```';
    expect(firstFile(searcher, trace)).toBe("shop/cart.py");
    expect(firstPiece(searcher, trace)).toBe("Cart.total");
  });

  it("is no test and no document, but they lead to it", async () => {
    const searcher = await openShop();
    const { files } = findPlaces(searcher, "Overnight delivery is not dearer");
    const paths = files.map(({ file }) => searcher.index.files[file]?.path);
    expect(paths[0]).toBe("shop/rates.py");
    expect(paths).not.toContain("tests/test_rates.py");
    expect(paths).not.toContain("README.md");
  });

  it("is no test inside a file of the program", async () => {
    const searcher = await openShop({
      "src/lib.rs":
        'pub fn parse_zone(text: &str) -> u8 {\n    text.len() as u8\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n    #[test]\n    fn zone_with_umlaut_is_parsed() {\n        assert_eq!(parse_zone("ü"), 1);\n    }\n}\n',
    });
    const { pieces } = findPlaces(searcher, "a zone with umlaut is parsed wrongly");
    expect(pieces.map(({ piece }) => searcher.index.piece(piece).qualified)).toEqual(["parse_zone"]);
  });

  it("is behind what does it, where a file only declares it, unless the declarations are meant", async () => {
    const searcher = await openShop({
      "src/rates.js": "export function parcelRate(weight) {\n  return weight;\n}\n",
      "index.d.ts": `/** The parcelRate of a parcel by its weight. */\n${"export function parcelRate(weight: number): number;\n".repeat(2)}`,
    });
    expect(firstFile(searcher, "parcelRate of a parcel by its weight is wrong")).toBe("src/rates.js");
    expect(firstFile(searcher, "parcelRate of a parcel by its weight: wrong typings in index.d.ts")).toBe(
      "index.d.ts",
    );
  });

  it("has an answer for any text: nothing, noise, a repository without files", async () => {
    const searcher = await openShop();
    for (const text of ["", "\0\u{1f600} ```", "zzzz qqqq", "a".repeat(100_000)])
      expect(findPlaces(searcher, text).files.length).toBe(3);
    expect(findPlaces(await openShop({}), "anything").files).toEqual([]);
  });
});

it("weighs its evidence as the language of most sources wants it", () => {
  const weightsFor = (...paths: string[]) =>
    createSearcher(paths.map((path) => ({ path, form: buildFileForm(path, "", []) }))).weights;
  expect(weightsFor("lib/a.js", "src/b.ts", "tools.py")).toBe(ecmascriptWeights);
  expect(weightsFor("a.rs", "b.rs", "web/c.js")).toBe(rustWeights);
  expect(weightsFor("a.rs", "b.py")).toBe(fileWeights);
  expect(weightsFor("a.py", "test/b.test.js", "examples/c.js")).toBe(fileWeights);
});

it("puts a crate's manifest before others where its code fits", async () => {
  const manifestOf = (name: string) => `[package]\nname = "${name}"\nversion = "0.1.0"\n`;
  const searcher = await openShop({
    "Cargo.toml": '[workspace]\nmembers = ["orders", "parcels"]\n',
    "orders/Cargo.toml": manifestOf("orders"),
    "orders/src/cart.rs": "pub fn total(prices: &[u32]) -> u32 {\n    prices.iter().sum()\n}\n",
    "parcels/Cargo.toml": manifestOf("parcels"),
    "parcels/src/seal.rs": "/// Closes it with wax.\npub fn seal() -> u32 {\n    1\n}\n",
  });
  const { index } = searcher;
  const manifestFor = (text: string) =>
    findPlaces(searcher, text)
      .files.map(({ file }) => index.files[file]?.path ?? "")
      .find((path) => path.endsWith("Cargo.toml"));
  expect(manifestFor("closing with wax leaks")).toBe("parcels/Cargo.toml");
  expect(manifestFor("the sum of prices overflows")).toBe("orders/Cargo.toml");
});

it("knows files that only declare by what is in them, wherever they lie", async () => {
  const { index, priors } = await openShop({
    "src/types/order.ts": "export interface Order { id: string }\nexport type Orders = Order[];\n",
    "src/types/parcel.ts": "export class Parcel {\n  seal() {\n    return 1;\n  }\n}\n",
    "index.d.ts": "export function seal(): void;\n",
  });
  const declaring = index.files.filter((_, file) => priors.isDeclaration[file] === 1).map(({ path }) => path);
  expect(declaring.sort()).toEqual(["index.d.ts", "src/types/order.ts"]);
});

it("names the tests of a place, the most particular first", async () => {
  const searcher = await openShop();
  const names = (path: string, line: number): string[] =>
    findRelatedTests(searcher, { path, line }, 5).map(({ piece }) => searcher.index.piece(piece).name);
  expect(names("shop/rates.py", 7)).toEqual(["test_overnight_delivery_is_dearer"]);
  expect(names("shop/rates.py", 1)[0]).toBe("test_price");
  expect(findRelatedTests(searcher, { path: "no/such/file.py" }, 5)).toEqual([]);
});

it("finds the passage of a document that answers a question", async () => {
  const searcher = await openShop();
  const [best] = findPassages(searcher, "How are the tests run here?", 3);
  expect(searcher.index.piece(best?.piece ?? -1).name).toBe("Running the tests");
});

it("takes the command that runs tests for an answer, and a log of changes only where the past is asked for", async () => {
  const searcher = await openShop({
    "CONTRIBUTING.md":
      "# Helping\n\n## Sending\n\nOpen a request.\n\n## Before that\n\n```\nyarn check && npx vitest\n```\n",
    "CHANGELOG.md": "# Log\n\n## Two\n\nA test of the till.\n\n## One\n\nSells things.\n",
    "till.py": "def ring():\n    return 1\n",
  });
  const best = (question: string): string =>
    searcher.index.piece(findPassages(searcher, question, 1)[0]?.piece ?? -1).name;
  expect(best("How is a test run?")).toBe("Before that");
  expect(best("Which version had a test?")).toBe("Two");
});

it("finds files by pieces of their names", () => {
  const paths = ["src/parser/validator.rs", "src/parser/mod.rs", "tests/validate.rs", "docs/values.md"];
  const best = (query: string): string | undefined => findFilesByName(paths, query, 3)[0]?.path;
  expect(best("validator")).toBe("src/parser/validator.rs");
  expect(best("parsval")).toBe("src/parser/validator.rs");
  expect(best("parser mod")).toBe("src/parser/mod.rs");
  expect(findFilesByName(paths, "xyz", 3)).toEqual([]);
});

it("reads hostile texts in one pass", () => {
  const hostile = ["/*".repeat(50_000), '"'.repeat(50_001), "`a".repeat(40_000), 'r#"'.repeat(3000)];
  const forms = ["a.js", "b.java", "c.ts", "d.rs", "e.py", "f.lua"].map((path, at) => {
    const text = hostile[at] ?? '"""\n--[[\n'.repeat(10_001);
    return { path, form: buildFileForm(path, text, []) };
  });
  const searcher = createSearcher(forms);
  for (const text of hostile) expect(findPlaces(searcher, `x\n${text}`).files.length).toBeGreaterThan(0);
});
