/**
 * One table for the same small program in every language: the edges that its graph must have. The programs are
 * `tests/fixtures/repos/graph-NAME`.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type OpenGraph, openGraph } from "./open-graph.ts";
import { findTestsThroughCallers } from "./retrieval/tests-through-callers.ts";

/** A language's spelling of the names; "" if the program lacks the thing. */
interface Names {
  readonly expressPrice: string;
  readonly parcelPrice: string;
  readonly base: string;
  readonly express: string;
  readonly parcel: string;
  readonly surcharge: string;
  readonly limit: string;
  readonly size: string;
  readonly test: string;
  /** The call by which the test creates a parcel. */
  readonly made: string;
}

const common: Names = {
  expressPrice: "Express.price",
  parcelPrice: "Parcel.price",
  base: "Parcel.base",
  express: "Express",
  parcel: "Parcel",
  surcharge: "surcharge",
  limit: "LIMIT",
  size: "Size",
  test: "express price",
  made: "Express",
};
const inRates = { surcharge: "Rates.surcharge", limit: "Rates.LIMIT" };

const folder = join(import.meta.dirname, "../../tests/fixtures/repos");

/** Those that say how they differ in their own `names.json`. */
const named = globSync("graph-*/names.json", { cwd: folder }).map((path): [string, Names] => [
  path.slice("graph-".length, path.indexOf("/")),
  { ...common, ...JSON.parse(readFileSync(join(folder, path), "utf8")) },
]);

const programs: Readonly<Record<string, Names>> = {
  ...Object.fromEntries(named),
  c: {
    ...common,
    expressPrice: "express_price",
    parcelPrice: "parcel_price",
    base: "parcel_base",
    test: "test_express_price",
    made: "",
  },
  cpp: { ...common, test: "test_express_price", made: "" },
  csharp: { ...common, ...inRates, base: "Parcel.baseCost", test: "ExpressTests.expressPrice" },
  go: {
    ...common,
    expressPrice: "Express.Price",
    parcelPrice: "Parcel.Price",
    base: "Parcel.Base",
    surcharge: "Surcharge",
    test: "TestExpressPrice",
  },
  java: { ...common, ...inRates, size: "Rates.Size", test: "ExpressTest.expressPrice" },
  javascript: common,
  kotlin: { ...common, test: "ExpressTest.expressPrice" },
  lua: { ...common, test: "an express parcel.express price", made: "Express.new" },
  python: { ...common, test: "test_express_price" },
  // Rust has no super: the default of the trait that an override still reaches is `base`.
  rust: { ...common, parcelPrice: "Parcel.base", test: "express_price" },
  tsx: common,
  typescript: common,
};

/** Each row: from, kind, to; what begins with "/" are files, by how their names end. */
function table(names: Names): (readonly [string, string, string])[] {
  const { expressPrice, parcelPrice, base, express, parcel, surcharge, limit, test, made } = names;
  const hasMethods = expressPrice.includes(".");
  return [
    [expressPrice, "calls", surcharge],
    [expressPrice, "calls", parcelPrice],
    [parcelPrice === base ? "Parcel.price" : parcelPrice, "calls", base],
    [surcharge, "references", limit],
    [test, "calls", expressPrice],
    [test, "tests", expressPrice],
    ["Parcels.Pricing", "documents", surcharge],
    ["Parcels.Pricing", "documents", parcelPrice === base ? "Parcel.price" : parcelPrice],
    ["Parcels.Sizes", "documents", limit],
    ...(made === "" ? [] : [[test, "calls", made] as const]),
    ...(hasMethods ? [[express, "inherits", parcel] as const] : []),
    ...(hasMethods
      ? [[expressPrice, "overrides", parcelPrice === base ? "Parcel.price" : parcelPrice] as const]
      : []),
    ["/express", "imports", "/rates"],
  ];
}

const root = mkdtempSync(join(tmpdir(), "millwright-languages-"));
const graphs = new Map<string, Promise<OpenGraph>>();
afterAll(async () => {
  for (const graph of graphs.values()) (await graph).close();
  rmSync(root, { recursive: true, force: true });
});

/** Made at the first question, for all of a program. */
function graphOf(language: string): Promise<OpenGraph> {
  const known = graphs.get(language);
  if (known !== undefined) return known;
  const repository = join(import.meta.dirname, `../../tests/fixtures/repos/graph-${language}`);
  const making = Promise.resolve().then(async () => {
    const graph = openGraph({ repository, directory: join(root, language), home: undefined });
    await graph.refresh();
    return graph;
  });
  graphs.set(language, making);
  return making;
}

/** `from kind to` of all edges that are sure enough to act on. */
function describeEdges(graph: OpenGraph): Set<string> {
  const lines = new Set<string>();
  const show = (path: string, qualified: string): string =>
    qualified === "" ? `/${path.replace(/^.*\//, "").replace(/\..*$/, "").toLowerCase()}` : qualified;
  for (const { id, path } of graph.files())
    for (const entity of [graph.entity(id), ...graph.outline(path)])
      for (const { from, edge, to } of graph.outgoing(entity?.id ?? 0, undefined, { minConfidence: 0.5 }))
        lines.add(`${show(from.path, from.qualified)} ${edge.kind} ${show(to.path, to.qualified)}`);
  return lines;
}

describe.each(Object.entries(programs))("the graph of %s", (language, names) => {
  it("knows what calls, inherits, overrides, imports, tests and documents what", async () => {
    const edges = describeEdges(await graphOf(language));
    const missing = table(names)
      .map((row) => row.join(" "))
      .filter((row) => !edges.has(row));
    expect(missing).toEqual([]);
  });

  it("finds definitions by name, outlines files, and leaves nothing out", async () => {
    const graph = await graphOf(language);
    expect(graph.completeness()).toMatchObject({ complete: true, skipped: {} });
    for (const name of [names.expressPrice, names.surcharge, names.limit, names.size, names.express])
      expect(graph.named(name)[0]?.qualified).toBe(name);
    for (const mark of ["::", ":", "#"])
      expect(graph.named(names.parcelPrice.replace(".", mark))[0]?.qualified).toBe(names.parcelPrice);
    const [price] = graph.named(names.expressPrice);
    const path = price?.path ?? "";
    expect(graph.entityAt(path, price?.startLine ?? 0)?.qualified).toBe(names.expressPrice);
    expect(graph.outline(path).map(({ qualified }) => qualified)).toContain(names.expressPrice);
    expect(graph.meantAt(path, price?.at.line ?? 0, price?.name ?? "")?.found).toBe("line");
  });

  it("reaches the test of what no test names through its callers", async () => {
    const graph = await graphOf(language);
    const [base] = graph.named(names.base);
    const tests = findTestsThroughCallers(graph, { path: base?.path ?? "", line: base?.startLine }, 3);
    expect(tests.map(({ test }) => test.qualified)).toEqual([names.test]);
  });
});
