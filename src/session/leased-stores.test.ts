import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { nothingMeasured } from "../bench/measurement.ts";
import { getContent, type ObjectStore } from "../bench/object-store.ts";
import { openObjectStore } from "../bench/open-object-store.ts";
import { renderResult } from "../bench/result-store.ts";
import { openLeasedStores, recordName } from "./leased-stores.ts";

let folder: string;
let shared: ObjectStore;
/** The records of all workers: the first value of a key stays. */
let records: Record<string, string>;
let calls: string[][];
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "millwright-leased-"));
  shared = await openObjectStore(join(folder, "store"));
  [records, calls] = [{}, []];
});
afterEach(() => rmSync(folder, { recursive: true }));

const kind = { schema: "millwright.text/1", type: z.string() };
const log = { id: "t", sandbox: "local", version: "0", measurement: nothingMeasured };

const nameOf = (what: "results" | "logs", key: string) => recordName({ shared, epoch: "" }, what, key);

function open(store = shared) {
  const record = async (values: Readonly<Record<string, string>>) => {
    calls.push(Object.keys(values).sort());
    records = { ...values, ...records };
    return Object.fromEntries(Object.keys(values).map((key) => [key, records[key] ?? ""]));
  };
  return openLeasedStores(
    { queue: { findRecord: async (key) => records[key] }, lease: { record }, shared: store, epoch: "" },
    {
      ...{ isFresh: false, logs: join(folder, "logs") },
      storeBeside: async (_, result): Promise<Record<string, string>> =>
        result === "patch" ? { run: "archive" } : {},
    },
  );
}

test("a result, its run and the logs before it are recorded together, and others find them", async () => {
  const stores = open();
  await stores.results.keep(kind, "a", "patch");
  expect(await stores.settle()).toBe(true);
  await stores.logs.keep("l", log);
  await stores.results.keep(kind, "g", "resolved");
  expect(await stores.settle()).toBe(true);
  expect(calls).toEqual([
    [nameOf("results", "a"), "run"],
    [nameOf("logs", "l"), nameOf("results", "g")],
  ]);
  expect(stores.kept).toEqual({
    results: { a: records[nameOf("results", "a")], g: records[nameOf("results", "g")] },
    logs: { l: records[nameOf("logs", "l")] },
  });
  expect(await open().results.find(kind, "a")).toBe("patch");
  expect(await stores.logs.find("l")).toMatchObject(log);
});

test("a log without a result is recorded at the end", async () => {
  const stores = open();
  await stores.logs.keep("l", log);
  expect(await stores.settle()).toBe(true);
  expect(calls).toEqual([[nameOf("logs", "l")]]);
});

test("if another worker recorded a result first, the same work finds that one", async () => {
  const other = open();
  const mine = open();
  await other.results.keep(kind, "a", "by another");
  await other.settle();
  await mine.results.keep(kind, "a", "mine");
  expect(await mine.settle()).toBe(false);
  expect(mine.kept.results).toEqual({});
  expect(await mine.results.find(kind, "a")).toBe("by another");
  expect(mine.kept.results).toEqual({ a: hashText(renderResult(kind, "a", "by another")) });
});

test("a store finds and keeps its own results, whatever another store of the same server has", async () => {
  const one = open();
  await one.results.keep(kind, "a", "patch");
  expect(await one.settle()).toBe(true);
  const other = open(await openObjectStore(join(folder, "other")));
  expect(await other.results.find(kind, "a")).toBeUndefined();
  await other.results.keep(kind, "a", "patch again");
  expect(await other.settle()).toBe(true);
  expect(await other.results.find(kind, "a")).toBe("patch again");
  expect(await open().results.find(kind, "a")).toBe("patch");
});

test("a result that is lost in the store is made again once, and others find it", async () => {
  const first = open();
  await first.results.keep(kind, "a", "lost");
  expect(await first.settle()).toBe(true);
  rmSync(join(folder, "store", "objects", records[nameOf("results", "a")] ?? ""));
  const again = open();
  expect(await again.results.find(kind, "a")).toBeUndefined();
  await again.results.keep(kind, "a", "made again");
  expect(await again.settle()).toBe(true);
  expect(again.kept.results).toEqual({ a: hashText(renderResult(kind, "a", "made again")) });
  const other = open();
  expect(await other.results.find(kind, "a")).toBe("made again");
  expect(other.kept.results).toEqual(again.kept.results);
});

test("a log that is made again counts, although another worker recorded one that is lost", async () => {
  records = { [nameOf("logs", "l")]: hashText("lost") };
  const stores = open();
  await stores.logs.keep("l", log);
  expect(await stores.settle()).toBe(true);
  expect(await getContent(shared, stores.kept.logs["l"] ?? "")).toBeDefined();
});

test("a store that fails is an error at the end, and nothing is recorded", async () => {
  const broken = new MillwrightError("disk", "The store is full");
  const stores = open({ ...shared, putOnce: () => Promise.reject(broken) });
  await stores.results.keep(kind, "a", "patch");
  await stores.logs.keep("l", log);
  await expect(stores.settle()).rejects.toBe(broken);
  expect(records).toEqual({});
});
