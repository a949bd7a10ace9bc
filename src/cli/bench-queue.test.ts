import { mkdtempSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { hashText } from "../base/hash.ts";
import type { QueuedBatch } from "../queue/contract.ts";
import type { TryCounts } from "../session/queued-batch.ts";
import { type BenchFlags, readQueuedSettings } from "./bench-flags.ts";
import {
  describeBatch,
  describeRetry,
  findNewest,
  readQueueFlags,
  refuseRoomFlags,
  sharedFlags,
  tasksProblem,
} from "./bench-queue.ts";

const arms = [
  { strategy: "unified", model: "openai/gpt", settings: {} },
  { strategy: "search-repair", model: null, settings: {} },
];
const spec = {
  ...{
    schema: "millwright.batch/1",
    version: "1",
    file: "/shared/tasks.jsonl",
    sha256: "",
    beside: {},
    store: "/store",
    storeId: "",
  },
  ...{ epoch: "", flags: {}, arms, unfound: [] },
};
const batch: QueuedBatch = {
  ...{ id: "b", spec, limits: {}, state: "running", ready: [], isLeft: false },
  ...{ openedMs: 2 * 3_600_000, quietMs: 90_000 },
};
const none: TryCounts = { tries: 6, waiting: 0, active: 0, ended: 6, infrastructureErrors: 0 };
const what = "\n  unified,openai/gpt and search-repair on /shared/tasks.jsonl";
const age = "opened 2 h 0 min ago, last result 1 min 30 s ago";

test("a list of batches tells each batch's progress, age, arms and tasks", () => {
  expect(describeBatch(batch, none)).toBe(`b: finished; 6 of 6 tries ended; ${age}${what}`);
  const counts = { ...none, waiting: 2, active: 1, ended: 3, infrastructureErrors: 1 };
  const left = "3 of 6 tries ended, 1 of them with an infrastructure error; 2 waiting, 1 at workers";
  expect(describeBatch(batch, counts)).toBe(`b: running; ${left}; ${age}${what}`);
  expect(describeBatch({ ...batch, state: "paused" }, counts)).toBe(`b: paused; ${left}; ${age}${what}`);
  const cancelled = { ...none, tries: 3, ended: 3 };
  expect(describeBatch({ ...batch, state: "cancelled" }, cancelled)).toBe(
    `b: cancelled; 3 tries ended; ${age}${what}`,
  );
  const fresh = { ...batch, openedMs: 5000, quietMs: null, spec: {} };
  const empty = { ...none, tries: 0, ended: 0 };
  expect(describeBatch(fresh, empty)).toBe(
    "b: running; 0 of 0 tries ended; 0 waiting, 0 at workers; opened 5.0 s ago\n  of another version of Millwright",
  );
});

test("a retry says how many tries of the batch are queued again, and why the others are not", () => {
  const counts = { tries: 9, waiting: 1, active: 2, ended: 6, infrastructureErrors: 4 };
  expect(describeRetry("b", "paused", counts)).toBe(
    [
      "b: 4 of 9 tries are queued again, because they ended with an infrastructure error",
      "  not queued again: 2 ended without an infrastructure error, 1 already waits, 2 still run",
      "  the batch is paused. Continue it with `millwright bench resume b`",
      "  A waiting `bench run` collects the results. If `bench run` has ended, repeat its command",
    ].join("\n"),
  );
  expect(describeRetry("b", "running", none)).toBe(
    [
      "b: no try is queued again, because none ended with an infrastructure error",
      "  not queued again: 6 ended without an infrastructure error",
    ].join("\n"),
  );
});

test("a batch is on a queue with --store; the variable for the queue alone changes nothing", () => {
  const [queue, store] = ["postgres://db/x", "/store"];
  const given =
    (...names: string[]) =>
    (name: string): boolean =>
      names.includes(name);
  expect(readQueueFlags({ queue, store }, given("store"))).toEqual({ queue, store });
  expect(readQueueFlags({ queue }, given())).toBeUndefined();
  expect(readQueueFlags({}, given())).toBeUndefined();
  expect(() => readQueueFlags({ queue }, given("queue"))).toThrow("--store is missing");
  expect(() => readQueueFlags({ store }, given("store"))).toThrow("--queue is missing");
});

test("flags about a machine's free space are refused with a queue, and the message says where to set them", () => {
  const queue = { queue: "postgres://db/x", store: "/store" };
  const given = (name: string): boolean => name === "leastMemory";
  const hint =
    "Tries run on the workers' machines. Set the limits of each worker: `millwright worker --least-memory …`.";
  expect(() => refuseRoomFlags(queue, given)).toThrow(
    expect.objectContaining({ code: "usage", message: "--least-memory cannot be used with --queue", hint }),
  );
  expect(() => refuseRoomFlags(undefined, given)).not.toThrow();
  expect(() => refuseRoomFlags(queue, () => false)).not.toThrow();
});

test("a worker skips a batch whose task file it cannot read, and says why", () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-tasks-"));
  const loop = join(folder, "tasks.jsonl");
  symlinkSync(loop, loop);
  const problem = tasksProblem({ file: loop, sha256: "", beside: {} });
  expect(problem).toMatch(/^this machine cannot read .*tasks\.jsonl: .*ELOOP/);
});

test("a worker skips a batch whose hidden parts differ on its machine", () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-tasks-"));
  const [file, hidden] = [join(folder, "tasks.jsonl"), join(folder, "tasks.hidden.jsonl")];
  for (const path of [file, hidden]) writeFileSync(path, "{}\n");
  const spec = { file, sha256: hashText("{}\n"), beside: { [hidden]: hashText("{}\n") } };
  expect(tasksProblem(spec)).toBeUndefined();
  writeFileSync(hidden, "{ }\n");
  expect(tasksProblem(spec)).toBe(`${hidden} differs on this machine`);
});

test("a command without --fresh continues the newest of its batches, also one that began with --fresh", async () => {
  const nameSpec = ({ epoch }: { readonly epoch: string }): string => `own-${epoch}`;
  const found = (...epochs: readonly string[]) => {
    const listed = epochs.map((epoch) => ({ ...batch, id: nameSpec({ epoch }), spec: { ...spec, epoch } }));
    const other = { ...batch, id: "other", spec: { ...spec, epoch: "later/" } };
    return findNewest({ listBatches: async () => [...listed, other] }, spec, nameSpec);
  };
  expect(await found()).toEqual(spec);
  expect(await found("")).toEqual(spec);
  expect(await found("", "monday/", "tuesday/")).toEqual({ ...spec, epoch: "tuesday/" });
});

test("graders of a queued batch use the sandbox's settings of its agents, not those of their own machine", () => {
  const options = { sandbox: { provider: { name: "docker" } } };
  const flags = partOf<BenchFlags>({ lists: "lists.jsonl", workers: 4, cpus: "3" });
  const values = { memory: "8g", image: "own:1", cpus: "3", maxCost: "1" };
  const shared = sharedFlags({ flags, values, options });
  expect(shared).toEqual({
    ...{ lists: join(process.cwd(), "lists.jsonl"), cpus: "3" },
    ...{ memory: "8g", image: "own:1", sandbox: "docker" },
  });
  vi.stubEnv("MILLWRIGHT_PROCESSES", "9");
  vi.stubEnv("MILLWRIGHT_MEMORY", "1g");
  const { memory, processes } = readQueuedSettings(shared).settings;
  vi.unstubAllEnvs();
  expect({ memory, processes }).toEqual({ memory: 8 * 1024 ** 3, processes: 512 });
});
