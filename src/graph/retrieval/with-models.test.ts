import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { makePlayground } from "../../../tests/graph-fixtures.ts";
import { connect, serve } from "../../../tests/model-fixture.ts";
import { succeed } from "../../base/result.ts";
import type { Embedder } from "../../llm/contract.ts";
import { findPlaces } from "./find.ts";
import { type KeptVectors, openKeptVectors } from "./kept-vectors.ts";
import { type OpenSearcher, openSearcher } from "./open-searcher.ts";
import { whyFile } from "./reasons.ts";
import { embedAll } from "./similarity.ts";
import { defaultRankerTokens, findWithModels, type SearchModels, usedWithoutModels } from "./with-models.ts";

const shop = {
  "shop/cart.py":
    "class Cart:\n    def add_item(self, item):\n        self.items.append(item)\n\n    def total(self):\n        return sum(item.price for item in self.items)\n",
  "shop/rates.py":
    'def price_of(zone, weight):\n    """What a parcel costs."""\n    return zone.base + weight * zone.rate\n\n\ndef express_surcharge(zone):\n    return zone.base / 2\n',
  "shop/report.py": "def monthly_report(carts):\n    return [cart.total() for cart in carts]\n",
};
const text = "the price of a parcel";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function openShop(): Promise<OpenSearcher> {
  const playground = makePlayground(shop);
  const graph = playground.open();
  await graph.refresh();
  return openSearcher({ graph, repository: playground.repository });
}

async function keepVectors(): Promise<KeptVectors> {
  const folder = await mkdtemp(join(tmpdir(), "vectors-"));
  const vectors = openKeptVectors(folder);
  closers.push(() => rm(folder, { recursive: true }), vectors.close);
  return vectors;
}

function modelsOf(searcher: OpenSearcher, more: Partial<SearchModels>): SearchModels {
  const { linesOf } = searcher;
  const none = { client: undefined, embedder: undefined, vectors: undefined };
  return { ...none, rankerTokens: defaultRankerTokens, linesOf, ...more };
}

const nothingRead = JSON.stringify({ names: [], paths: [], words: [] });

it("finds what only the model's words lead to", async () => {
  const searcher = await openShop();
  const reading = { names: [], paths: [], words: ["express_surcharge"] };
  const server = await serve([{ text: JSON.stringify(reading) }, { text: '{"files":[],"places":[]}' }]);
  const client = await connect(server);
  const asked = "overnight is too dear";
  const { found, used } = await findWithModels(searcher, asked, modelsOf(searcher, { client }));
  expect(searcher.index.piece(found.pieces[0]?.piece ?? -1).name).toBe("express_surcharge");
  expect(used).toMatchObject({ mentions: "openai-compatible/test", ranker: "openai-compatible/test" });
});

it("puts what the judge chose first, keeps the rest, and does not mind labels that do not exist", async () => {
  const searcher = await openShop();
  const plain = findPlaces(searcher, text);
  const judged = { files: ["F2", "F99"], places: ["P3", "P1", "P3", "none"] };
  const server = await serve([{ text: nothingRead }, { text: JSON.stringify(judged) }]);
  const client = await connect(server);
  const { found } = await findWithModels(searcher, text, modelsOf(searcher, { client }));
  expect(whyFile(found, found.files[0]?.file ?? -1)).toContain("a model chose it");
  expect(whyFile(plain, plain.files[1]?.file ?? -1)).not.toContain("a model chose it");
  const [first, second, third] = plain.pieces;
  expect(found.pieces).toEqual([third, first, second, ...plain.pieces.slice(3)]);
  expect(found.files).toHaveLength(plain.files.length);
  expect(found.files[0]).toEqual(plain.files[1]);
});

it("shows the judge no more than the cap", async () => {
  const searcher = await openShop();
  const server = await serve([{ text: nothingRead }, { text: '{"files":[],"places":[]}' }]);
  const client = await connect(server);
  await findWithModels(searcher, text.repeat(100), modelsOf(searcher, { client, rankerTokens: 150 }));
  const body = server.requests[1]?.body as { messages: readonly { role: string; content: string }[] };
  const shown = body.messages.find(({ role }) => role === "user")?.content ?? "";
  expect(shown).toContain("F1 shop/");
  expect(shown.length).toBeLessThan(4 * 150 + 100);
});

it("answers by the rules where a model fails, and says so", async () => {
  const searcher = await openShop();
  const server = await serve([{ status: 401 }]);
  const client = await connect(server);
  const { found, used } = await findWithModels(searcher, text, modelsOf(searcher, { client }));
  expect(found.pieces).toEqual(findPlaces(searcher, text).pieces);
  expect(used.mentions).toMatch(/^rules: openai-compatible\/test failed/);
  expect(used.similarity).toBe(usedWithoutModels.similarity);
});

it("embeds a definition once, whatever is asked later", async () => {
  const searcher = await openShop();
  const server = await serve([{}]);
  const { embedder } = await connect(server, { embeddingModel: "openai-compatible/vectors" });
  const vectors = await keepVectors();
  const models = modelsOf(searcher, { embedder, vectors });
  const { found, used } = await findWithModels(searcher, text, models);
  expect(used.similarity).toBe("openai-compatible/vectors");
  expect(found.pieces.length).toBeGreaterThan(3);
  await findWithModels(searcher, "another question", models);
  const sent = server.requests.map(({ body }) => (body["input"] as readonly string[]).length);
  expect(sent.at(0)).toBeGreaterThan(4);
  expect(sent.slice(1)).toEqual([1]);
});

it("answers with the vectors that are there when their time is over, and says how many they are", async () => {
  const searcher = await openShop();
  const vectors = await keepVectors();
  const embedder: Embedder = {
    name: "slow",
    identity: "slow",
    async embed(texts, { signal, onVectors } = {}) {
      onVectors?.(
        texts.slice(0, 3).map(({ length }) => Float32Array.of(length, 1)),
        0,
      );
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
      return { ok: false, kind: "cancelled", message: "stopped" };
    },
  };
  const models = modelsOf(searcher, { embedder, vectors, embedLimitMs: 1 });
  expect((await findWithModels(searcher, text, models)).used.similarity).toMatch(
    /^slow, 2 of \d+ definitions so far$/,
  );
});

it("keeps the vectors that are there when it is stopped, and goes on from them", async () => {
  const searcher = await openShop();
  const vectors = await keepVectors();
  const sent: number[] = [];
  const embedder: Embedder = {
    name: "test",
    identity: "test",
    async embed(texts, { onVectors } = {}) {
      sent.push(texts.length);
      const all = texts.map(({ length }) => Float32Array.of(length, 1));
      onVectors?.(all.slice(0, 3), 0);
      return sent.length === 1 ? { ok: false, kind: "cancelled", message: "stopped" } : succeed(all);
    },
  };
  const told: number[] = [];
  const onProgress = (done: number): void => void told.push(done);
  const request = { searcher, linesOf: searcher.linesOf, embedder, vectors, onProgress };
  expect(await embedAll(request)).toMatchObject({ ok: false, kind: "cancelled" });
  expect(told).toEqual([3]);
  expect(await embedAll(request)).toMatchObject({ fresh: (sent[0] ?? 0) - 3 });
  expect(sent[1]).toBe((sent[0] ?? 0) - 3);
});
