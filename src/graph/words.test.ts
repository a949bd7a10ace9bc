/** What an index answers from words before the syntax was read, and that it says so. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { describeGraph, makePlayground, type Playground } from "../../tests/graph-fixtures.ts";
import { databaseName } from "./index-folder.ts";
import type { OpenGraph } from "./open-graph.ts";
import { findPlaces } from "./retrieval/find.ts";
import { openSearcher } from "./retrieval/open-searcher.ts";
import { startWordsThreads } from "./words/words-threads.ts";

const shop = {
  "shop/cart.py":
    "class Cart:\n    def total(self):\n        return sum_prices(self.items)\n\n\ndef sum_prices(items):\n    # Adds the surcharge of late orders.\n    return sum(items)\n",
  "shop/main.py": "from shop.cart import Cart, sum_prices\n\n\ndef run():\n    return Cart().total()\n",
  "src/lib.rs":
    "pub struct Parcel { weight: u8 }\nimpl Parcel {\n    pub fn price(&self) -> u8 { limit() }\n}\nfn limit() -> u8 { 3 }\n",
  "README.md": "# Shop\n\n`Cart` sums.\n",
};

/** Stops when the words are known. */
async function readWords(graph: OpenGraph): Promise<number> {
  const stop = new AbortController();
  let byWords = 0;
  await graph.refresh({
    wordsFrom: 0,
    signal: stop.signal,
    onSearchable: (searchable) => {
      byWords = searchable.byWords;
      stop.abort();
    },
  });
  return byWords;
}

const uses = (graph: OpenGraph, name: string): string[] =>
  graph
    .incoming(graph.named(name)[0]?.id ?? 0)
    .map(({ from, edge }) => `${from.path}:${edge.at.line} ${from.qualified} ${edge.kind}`);

describe("an index of which only the words are known", () => {
  it("answers all questions, and says what they rest on", async () => {
    const { repository, open } = makePlayground(shop);
    const graph = open();
    expect(graph.map({ tokens: 200 }).files).toEqual([]);
    expect(await readWords(graph)).toBe(3);
    expect(graph.completeness()).toMatchObject({ files: 4, byWords: 3, resolved: 0, complete: false });
    expect(graph.named("Cart.total")[0]).toMatchObject({
      kind: "method",
      startLine: 2,
      endLine: 3,
      signature: "def total(self)",
    });
    expect(graph.outline("src/lib.rs").map(({ qualified, kind }) => `${kind} ${qualified}`)).toEqual([
      "struct Parcel",
      "field Parcel.weight",
      "method Parcel.price",
      "function limit",
    ]);
    expect(uses(graph, "sum_prices")).toEqual([
      "shop/cart.py:3 Cart.total calls",
      "shop/main.py:1  references",
    ]);
    const [price] = graph.named("Parcel.price");
    expect(graph.outgoing(price?.id ?? 0).map(({ to }) => to.name)).toContain("limit");
    expect(graph.neighbours(price?.id ?? 0).map(({ kind }) => kind)).toContain("calls");
    expect(graph.meantAt("shop/main.py", 5, "total")?.entities[0]?.qualified).toBe("Cart.total");
    expect(graph.suggest("sum_price")).toEqual(["sum_prices"]);
    expect(graph.store.prepare("SELECT count(*) AS n FROM ranks").get()).toEqual({ n: 1 });
    expect(graph.map({ tokens: 200 }).text).toContain("def sum_prices(items)");
    const searcher = openSearcher({ graph, repository });
    const [best] = findPlaces(searcher, "surcharge of late orders").pieces;
    expect(searcher.index.piece(best?.piece ?? 0).qualified).toBe("sum_prices");
  });

  it("becomes the same as one that never knew them; numbers stay with what is still there", async () => {
    const playground = makePlayground(shop);
    const graph = playground.open();
    await readWords(graph);
    const before = graph.named("Cart.total")[0]?.id;
    playground.write({
      "shop/main.py": "from shop.cart import Cart\n\n\ndef run_late():\n    return Cart().total()\n",
    });
    expect(await graph.update("shop/main.py")).toMatchObject({ state: "written" });
    expect(graph.named("run")).toEqual([]);
    await graph.refresh();
    expect(graph.completeness()).toMatchObject({ byWords: 0, complete: true });
    expect(graph.named("Cart.total")[0]?.id).toBe(before);
    expect(graph.store.prepare("SELECT count(*) AS n FROM words").get()).toEqual({ n: 0 });
    expect(graph.store.prepare("SELECT count(*) AS n FROM ranks WHERE edges > 0").get()).toEqual({ n: 1 });
    expect(describeGraph(graph)).toEqual(await builtAnew(playground));
  });

  it("is gone on with: what has changed since is read first, and then it answers for all", async () => {
    const playground = makePlayground(shop);
    const graph = playground.open();
    await setTimeout(30); // A file's status does not show a change within milliseconds.
    await readWords(graph);
    playground.write({
      "shop/fresh.py": "def ring_up():\n    return 1\n",
      "src/lib.rs": "pub fn weigh() -> u8 { 3 }\n",
    });
    const told: unknown[] = [];
    await graph.refresh({
      onSearchable: ({ byWords }) =>
        told.push(
          byWords,
          ...["ring_up", "weigh", "limit", "Cart.total"].map((name) => graph.named(name).length),
        ),
    });
    expect(told).toEqual([2, 1, 1, 0, 1]);
    expect(graph.completeness()).toMatchObject({ byWords: 0, complete: true });
    expect(describeGraph(graph)).toEqual(await builtAnew(playground));
  });

  it("says while it is read whether files have changed of which the reading knows nothing", async () => {
    const playground = makePlayground(shop);
    const graph = playground.open();
    await setTimeout(30);
    let looks: Promise<boolean[]> | undefined;
    const look = async (): Promise<boolean[]> => {
      const before = await graph.isBehind();
      playground.write({ "shop/fresh.py": "def ring_up():\n    return 1\n" });
      return [before, await graph.isBehind()];
    };
    await graph.refresh({
      wordsFrom: 0,
      onSearchable: () => {
        looks = look();
      },
    });
    expect(await looks).toEqual([false, true]);
  });

  it("does not take a file's old words for its new text, though that is as long", async () => {
    const playground = makePlayground(shop);
    const graph = playground.open();
    await readWords(graph);
    expect(uses(graph, "sum_prices")).toContain("shop/main.py:1  references");
    playground.write({ "shop/main.py": shop["shop/main.py"].replace("sum_prices", "add_prices") });
    const stop = new AbortController();
    const onProgress = ({ done, total }: { done: number; total: number }): void => {
      if (done === total) stop.abort();
    };
    await graph.refresh({ signal: stop.signal, onProgress });
    expect(graph.completeness()).toMatchObject({ resolved: 0 });
    expect(uses(graph, "sum_prices")).not.toContain("shop/main.py:1  references");
  });

  it("answers while it is written", async () => {
    const graph = makePlayground(shop).open();
    await graph.refresh();
    graph.store.database.exec("BEGIN IMMEDIATE");
    expect(graph.map({ tokens: 200 }).text).toContain("class Cart");
    graph.store.database.exec("ROLLBACK");
  });

  it("maps the tests where there is nothing else, and never what is built beside the sources", async () => {
    const playground = makePlayground({ "tests/test_cart.py": "def test_cart():\n    assert 1\n" });
    const graph = playground.open();
    await graph.refresh();
    expect(graph.map({ tokens: 200 }).text).toContain("def test_cart()");
    playground.write({ "dist/cart.js": "export function add() {}\n", "lib/cart.js": "function sum() {}\n" });
    await graph.refresh();
    expect(graph.map({ tokens: 200 }).text).toBe("lib/cart.js:\n  function sum()\n");
  });

  it("goes without a thread that is gone, whenever it went", async () => {
    const threads = startWordsThreads(2);
    await threads.stop();
    const segments: number[] = [];
    await threads.read([], {
      signal: new AbortController().signal,
      onFiles: () => {},
      onSegment: (thread, { words }) => segments.push(thread, words.length),
    });
    expect(segments).toEqual([]);
  });

  it("is not made where little is to be read", async () => {
    const graph = makePlayground(shop).open();
    let isCalled = false;
    await graph.refresh({
      onSearchable: () => {
        isCalled = true;
      },
    });
    expect(isCalled).toBe(false);
    expect(graph.completeness().complete).toBe(true);
  });

  it("is whole or not there after kill -9 at any moment", async () => {
    const files = Array.from({ length: 300 }, (_, index) => [
      `m${index}.py`,
      `from m${(index + 1) % 300} import f${(index + 1) % 300}\n\n\ndef f${index}():\n    return f${(index + 1) % 300}()\n`,
    ]);
    const playground = makePlayground(Object.fromEntries(files));
    for (const wait of [250, 450, 700, 1000]) {
      await killAfter(playground, wait);
      if (!existsSync(join(playground.directory, databaseName))) continue;
      const graph = playground.open();
      const { byWords, indexed } = graph.completeness();
      expect(byWords).toBeLessThanOrEqual(indexed);
      expect([0, 300]).toContain(indexed);
      for (const { path } of graph.files()) expect(graph.outline(path)).toHaveLength(1);
      if (indexed > 0) expect(uses(graph, "f7")).toContain("m6.py:5 f6 calls");
      graph.close();
    }
    const graph = playground.open();
    await graph.refresh();
    expect(describeGraph(graph)).toEqual(await builtAnew(playground));
  }, 120_000);
});

async function killAfter({ repository, directory }: Playground, wait: number): Promise<void> {
  const module = JSON.stringify(new URL("./open-graph.ts", import.meta.url).href);
  const program = `
    const { openGraph } = await import(${module});
    const graph = openGraph(${JSON.stringify({ repository, directory })});
    await graph.refresh({ wordsFrom: 0 });`;
  // A file, because a program on the command line would pass its flags on to threads, which do not accept them.
  const file = `${directory}-refresh.mjs`;
  writeFileSync(file, program);
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", file], { stdio: "ignore" });
  const exited = once(child, "exit");
  await Promise.race([exited, setTimeout(wait)]);
  child.kill("SIGKILL");
  await exited;
}

async function builtAnew(playground: Playground): Promise<string[]> {
  const graph = playground.open(`${playground.directory}-anew`);
  await graph.refresh();
  return describeGraph(graph);
}
