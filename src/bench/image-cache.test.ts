import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ImageStore } from "../sandbox/contract.ts";
import { openImageCache, readImageIds } from "./image-cache.ts";
import { listWarm } from "./task-environment.ts";

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "millwright-images-"));
});
afterEach(() => rm(directory, { recursive: true }));

const { signal } = new AbortController();

/** A store that already contained `own`; each image has 10 bytes. */
function makeStore(own: readonly string[] = []): ImageStore & { readonly present: Set<string> } {
  const present = new Set(own);
  return {
    present,
    holdsFolders: false,
    nameLayer: (_, hash) => hash,
    find: async (name) => (present.has(name) ? { id: name, bytes: 10 } : undefined),
    ensure: async (name) => {
      const wasPulled = !present.has(name);
      present.add(name);
      return { id: name, bytes: 10, wasPulled };
    },
    build: async ({ name }) => void present.add(name),
    findLack: async () => undefined,
    remove: async (name) => void present.delete(name),
  };
}

test("the least recently used image goes first, once a quota is exceeded", async () => {
  const store = makeStore();
  const cache = openImageCache(directory, store, 20);
  for (const name of ["one", "two", "one", "three"]) {
    const { release } = await cache.hold(name, "acme/ledger", signal);
    await new Promise((resolve) => setTimeout(resolve, 2));
    await release();
  }
  expect([...store.present].sort()).toEqual(["one", "three"]);
});

test("an image's id is that of the image which the name stands for now, or of the one that was pulled", async () => {
  let id = "first";
  const present = makeStore();
  const store: ImageStore = {
    ...present,
    find: async (name) => (present.present.has(name) ? { id, bytes: 10 } : undefined),
    ensure: async (name, stop) => ({ ...(await present.ensure(name, stop)), id }),
  };
  const cache = openImageCache(directory, store, undefined);
  await cache.learn(["one"]);
  expect(cache.idOf("one")).toBeUndefined();
  await cache.hold("one", "acme/ledger", signal);
  expect(cache.idOf("one")).toBe("first");
  id = "second";
  await cache.learn(["one"]);
  expect(cache.idOf("one")).toBe("second");
  await store.remove("one");
  await cache.learn(["one"]);
  expect(cache.idOf("one")).toBe("first");
});

test("the ids that two caches of a folder learn at the same time are all kept", async () => {
  const names = ["one", "two", "three", "four"];
  const store = makeStore(names);
  await Promise.all(names.map((name) => openImageCache(directory, store, undefined).learn([name])));
  expect([...(await readImageIds(directory)).keys()].sort()).toEqual(names.toSorted());
});

test("an image in use stays until its task is done, also over the quota", async () => {
  const store = makeStore();
  const cache = openImageCache(directory, store, 10);
  const one = await cache.hold("one", "acme/ledger", signal);
  const two = await cache.hold("two", "acme/ledger", signal);
  expect(store.present.size).toBe(2);
  await one.release();
  expect([...store.present]).toEqual(["two"]);
  await two.release();
  expect([...store.present]).toEqual(["two"]);
});

test("the caches of one folder keep each other's images in use, as a worker has one for each batch", async () => {
  const store = makeStore();
  const [first, second] = [openImageCache(directory, store, 10), openImageCache(directory, store, 10)];
  const one = await first.hold("one", "acme/ledger", signal);
  const two = await second.hold("two", "acme/ledger", signal);
  await two.release();
  expect([...store.present]).toEqual(["one"]);
  await one.release();
});

test("an image that was there before is never removed, nor is any without a quota", async () => {
  const store = makeStore(["own"]);
  const cache = openImageCache(directory, store, 5);
  for (const name of ["own", "pulled"]) await (await cache.hold(name, "acme/ledger", signal)).release();
  expect([...store.present]).toEqual(["own"]);
  const all = openImageCache(directory, store, undefined);
  await (await all.hold("other", "acme/ledger", signal)).release();
  expect([...store.present]).toEqual(["own", "other"]);
});

test("a later process knows what an earlier one pulled", async () => {
  const store = makeStore();
  await (await openImageCache(directory, store, 10).hold("one", "acme/ledger", signal)).release();
  await (await openImageCache(directory, store, 10).hold("two", "acme/ledger", signal)).release();
  expect([...store.present]).toEqual(["two"]);
  expect(Object.keys(JSON.parse(await readFile(join(directory, "images.json"), "utf8")))).toEqual(["two"]);
});

test("the repositories of pulled images are warm in a later process, until the quota removes their images", async () => {
  const store = makeStore(["own"]);
  const cache = openImageCache(directory, store, 20);
  const use = async (name: string, repository: string): Promise<void> =>
    (await cache.hold(name, repository, signal)).release();
  await use("own", "acme/own");
  await use("one", "acme/ledger");
  await use("two", "acme/scales");
  const environment = join(directory, "environments", "weights");
  await mkdir(environment, { recursive: true });
  const marker = join(environment, "environment.json");
  const made = { schema: "millwright.environment/1", repository: "acme/weights", notes: [] };
  await writeFile(marker, JSON.stringify(made));
  await utimes(marker, 1, 1);
  expect(await listWarm(directory)).toEqual(["acme/weights", "acme/ledger", "acme/scales"]);
  await use("three", "acme/scales");
  expect(await listWarm(directory)).toEqual(["acme/weights", "acme/scales"]);
});
