/** Tasks of a dataset hub, from a server that speaks its interface: nothing half-written or changed is ever used. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { fetchTasks } from "../../src/bench/hub/fetch-tasks.ts";
import { parseHubSource } from "../../src/bench/hub/hub-source.ts";
import { loadTasks } from "../../src/bench/load-tasks.ts";
import { type RunningHub, startHub } from "../dataset-hub.ts";

const dataset = "acme/tasks";
const row = {
  repo: "a/b",
  base_commit: "0".repeat(40),
  problem_statement: "",
  patch: "diff",
  test_patch: "",
};
const rows = (...ids: readonly string[]): string =>
  ids.map((id) => `${JSON.stringify({ instance_id: id, ...row })}\n`).join("");
const parquet = readFileSync(join(import.meta.dirname, "../fixtures/datasets/swe-bench.snappy.parquet"));

let cache: string;
let hub: RunningHub;
beforeEach(async () => {
  cache = mkdtempSync(join(tmpdir(), "millwright-hub-"));
  hub = await startHub(dataset);
});
afterEach(async () => {
  await hub.close();
  rmSync(cache, { recursive: true, force: true });
});

async function fetch(text: string, token?: string) {
  const source = parseHubSource(text);
  if (source === undefined) throw new Error(`${text} names no hub`);
  return fetchTasks(source, cache, { endpoint: hub.endpoint, token, pauseMs: 1 });
}

async function idsOf(text = `hub:${dataset}`): Promise<string[]> {
  const { path } = await fetch(text);
  return (await loadTasks({ tasks: path })).map(({ task }) => task.id);
}

const filesBelow = (): string[] =>
  readdirSync(cache, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [entry.name] : [],
  );

test("rows of Parquet files and of JSON Lines, pinned to their commit", async () => {
  const first = hub.commit({ "README.md": "x", "data/test-00000-of-00001.parquet": parquet });
  const { path, source } = await fetch(`hub:${dataset}`);
  expect(readFileSync(path)).toEqual(parquet);
  expect(source).toBe(`hub:${dataset}@${first}:data/test-00000-of-00001.parquet`);
  hub.commit({ "rows.jsonl": rows("a-1", "a-2") });
  expect(await idsOf()).toEqual(["a-1", "a-2"]);
  // The commit keeps its rows, and needs no network.
  await hub.close();
  expect((await fetch(source)).path).toBe(path);
  await expect(fetch(`hub:${dataset}`)).rejects.toMatchObject({
    hint: expect.stringContaining(`hub:${dataset}@${first}`),
  });
  hub = await startHub(dataset);
});

test("several files give the rows of all; splits and sets are chosen by a glob", async () => {
  const commit = hub.commit({
    "data/train-00000-of-00001.jsonl": rows("t-1"),
    "data/test-00000-of-00002.jsonl": rows("a-1"),
    "data/test-00001-of-00002.jsonl": rows("a-2"),
  });
  expect(await idsOf()).toEqual(["a-1", "a-2"]);
  expect((await fetch(`hub:${dataset}`)).source).toBe(`hub:${dataset}@${commit}:data/test-*.jsonl`);
  expect(await idsOf(`hub:${dataset}:data/tr*`)).toEqual(["t-1"]);
  expect(await idsOf(`hub:${dataset}@${commit}:**`)).toHaveLength(3);
  await expect(fetch(`hub:${dataset}:c/*`)).rejects.toMatchObject({
    ...{ code: "usage", hint: expect.stringContaining("data/train-00000-of-00001.jsonl") },
  });
  hub.commit({ "c/one.jsonl": rows("c-1"), "go/two.jsonl": rows("g-1") });
  await expect(fetch(`hub:${dataset}`)).rejects.toThrow("several sets of rows");
});

test("a cut connection continues where it ended, also if the hub is busy in between", async () => {
  hub.commit({ "rows.jsonl": rows("a-1", "a-2", "a-3") });
  hub.faults.cuts = [100, 50];
  hub.faults.statuses = [503];
  expect(await idsOf()).toEqual(["a-1", "a-2", "a-3"]);
  expect(hub.asked).toEqual(["rows.jsonl", "rows.jsonl 100-", "rows.jsonl 150-"]);
});

test("a hub without ranges sends the file again from its beginning", async () => {
  hub.commit({ "rows.jsonl": rows("a-1", "a-2") });
  hub.faults.cuts = [100];
  hub.faults.ignoresRanges = true;
  expect(await idsOf()).toEqual(["a-1", "a-2"]);
});

test("a connection that only breaks is an error, and what came stays for the next command", async () => {
  hub.commit({ "rows.jsonl": rows("a-1") });
  hub.faults.cuts = [100, 0, 0, 0, 0];
  await expect(fetch(`hub:${dataset}`)).rejects.toMatchObject({
    ...{ code: "repository", hint: expect.stringContaining("continues a download") },
  });
  expect(await idsOf()).toEqual(["a-1"]);
  expect(hub.asked.at(-1)).toBe("rows.jsonl 100-");
});

test("other content than listed is deleted, not used", async () => {
  const good = rows("a-1");
  hub.commit({ "rows.jsonl": good });
  for (const wrong of [
    good.replace("a-1", "a-2"),
    `${good}more`,
    `{"error": "${"x".repeat(good.length)}"}`,
  ]) {
    hub.faults.replaced.set("rows.jsonl", Buffer.from(wrong));
    await expect(fetch(`hub:${dataset}`)).rejects.toThrow("differs from the hub's list");
    expect(filesBelow()).toEqual(["files.json"]);
  }
  hub.faults.replaced.clear();
  expect(await idsOf()).toEqual(["a-1"]);
});

test("a file that changed while it came is fetched again from its beginning", async () => {
  hub.commit({ "rows.jsonl": rows("a-1", "a-2") });
  hub.faults.replaced.set("rows.jsonl", Buffer.from(rows("b-1", "b-2")));
  hub.faults.cuts = [100, 0, 0, 0, 0];
  await expect(fetch(`hub:${dataset}`)).rejects.toThrow("cannot be read");
  hub.faults.replaced.clear();
  expect(await idsOf()).toEqual(["a-1", "a-2"]);
  expect(hub.asked.slice(-2)).toEqual(["rows.jsonl 100-", "rows.jsonl"]);
});

test("a cached file that was damaged is fetched again", async () => {
  hub.commit({ "rows.jsonl": rows("a-1") });
  const { path } = await fetch(`hub:${dataset}`);
  writeFileSync(path, rows("a-9"));
  expect(await idsOf()).toEqual(["a-1"]);
});

test("a process killed in the middle leaves a part, which the next one continues", async () => {
  const text = rows(...Array.from({ length: 200 }, (_, at) => `a-${at}`));
  hub.commit({ "rows.jsonl": text });
  hub.faults.stallsAfter = 5000;
  const program = join(import.meta.dirname, "dataset-hub-fetch-and-die.ts");
  const child = spawn(process.execPath, [program, hub.endpoint, cache, `hub:${dataset}`], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  const sizeOfPart = (): number => {
    const name = readdirSync(cache, { recursive: true, encoding: "utf8" }).find((each) =>
      each.endsWith(".part"),
    );
    return name === undefined ? 0 : readFileSync(join(cache, name)).length;
  };
  while (sizeOfPart() < 5000 && child.exitCode === null) await delay(20);
  child.kill("SIGKILL");
  await ended;
  expect(filesBelow()).not.toContain("rows.jsonl");
  hub.faults.stallsAfter = undefined;
  expect(await idsOf()).toHaveLength(200);
  expect(hub.asked.at(-1)).toBe("rows.jsonl 5000-");
  expect(filesBelow().sort()).toEqual(["files.json", "rows.jsonl"]);
});

test("a file for which there is no space is not begun", async () => {
  hub.commit({ "rows.jsonl": rows("a-1") });
  hub.faults.claimedSizes.set("rows.jsonl", 2 ** 52);
  await expect(fetch(`hub:${dataset}`)).rejects.toMatchObject({ code: "disk" });
  expect(hub.asked).toEqual([]);
});

test("refusals say what to do, and a path cannot leave the cache", async () => {
  hub.commit({ "../../../evil.jsonl": rows("e-1"), "rows.jsonl": rows("a-1") });
  expect(await idsOf()).toEqual(["a-1"]);
  await expect(fetch("hub:acme/other")).rejects.toMatchObject({
    code: "usage",
    message: expect.stringContaining("does not have acme/other@main"),
  });
  hub.faults.statuses = [401];
  await expect(fetch(`hub:${dataset}`)).rejects.toMatchObject({ hint: expect.stringContaining("HF_TOKEN") });
  expect(hub.tokens.at(-1)).toBeUndefined();
  await fetch(`hub:${dataset}`, "secret");
  expect(hub.tokens.at(-1)).toBe("Bearer secret");
  expect(existsSync(join(cache, "..", "evil.jsonl"))).toBe(false);
  expect(() => parseHubSource("hub:../x")).toThrow("does not name a dataset");
  expect(() => parseHubSource("hub:acme")).toThrow("does not name a dataset");
  expect(parseHubSource("hub.jsonl")).toBeUndefined();
});
