import { expect, test } from "vitest";
import { z } from "zod";
import { partOf } from "../../tests/part-of.ts";
import { MillwrightError } from "../base/errors.ts";
import type { LogStore } from "../bench/log-store.ts";
import { nothingMeasured } from "../bench/measurement.ts";
import type { ObjectStore } from "../bench/object-store.ts";
import type { ResultStore } from "../bench/result-store.ts";
import { keepLogs, keepObjects, keepResults } from "./patient-store.ts";

const full = (code: string): Error => {
  const cause = Object.assign(new Error("no space left on device"), { code });
  return new MillwrightError("disk", "The store /shared cannot be used", { cause });
};

function storeThat(fails: (count: number) => Error | undefined) {
  const kept: string[] = [];
  let count = 0;
  const store: ObjectStore = {
    ...{ name: "/shared", id: "" },
    get: async () => undefined,
    async putOnce(path) {
      count += 1;
      const error = fails(count);
      if (error !== undefined) throw error;
      kept.push(path);
      return true;
    },
  };
  return { store, kept };
}

test("finished work waits while the store is full, and is told about once", async () => {
  const { store, kept } = storeThat((count) =>
    count < 4 ? full(count < 3 ? "ENOSPC" : "EDQUOT") : undefined,
  );
  const notices: string[] = [];
  const { signal } = new AbortController();
  const patient = keepObjects(store, { signal, onNotice: (text) => notices.push(text), everyMs: 1 });
  expect(await patient.putOnce("objects/one", Buffer.from("work"))).toBe(true);
  expect(kept).toEqual(["objects/one"]);
  expect(notices).toEqual(["a finished result waits, because the store /shared is full"]);
});

test("results and logs wait, too", async () => {
  const notices: string[] = [];
  let writes = 0;
  const write = async (): Promise<void> => {
    writes += 1;
    if (writes % 2 === 1) throw full("ENOSPC");
  };
  const patience = {
    ...{ signal: new AbortController().signal, everyMs: 1 },
    onNotice: (text: string) => void notices.push(text),
  };
  const results = keepResults(
    partOf<ResultStore>({
      directory: "/results",
      async keep<T>(_kind: unknown, _key: string, result: T): Promise<T> {
        await write();
        return result;
      },
    }),
    patience,
  );
  const logs = keepLogs(partOf<LogStore>({ directory: "/logs", keep: write }), patience);
  expect(await results.keep({ schema: "millwright.text/1", type: z.string() }, "key", "work")).toBe("work");
  await logs.keep("key", { id: "t", sandbox: "local", version: "0", measurement: nothingMeasured });
  expect(notices).toEqual(
    ["/results", "/logs"].map((name) => `a finished result waits, because the store ${name} is full`),
  );
});

test("other errors are no reason to wait, and a worker that stops does not wait", async () => {
  const onNotice = (): void => {};
  const content = Buffer.from("work");
  const { signal } = new AbortController();
  const lost = keepObjects(storeThat(() => full("EACCES")).store, { signal, onNotice, everyMs: 1 });
  await expect(lost.putOnce("objects/one", content)).rejects.toThrow("cannot be used");
  const stopped = { signal: AbortSignal.abort(), onNotice, everyMs: 1 };
  const filled = keepObjects(storeThat(() => full("ENOSPC")).store, stopped);
  await expect(filled.putOnce("objects/one", content)).rejects.toThrow("cannot be used");
});
