import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { openRecorder, readEvents } from "./recorder.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "millwright-recorder-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const options = { key: "count", title: "count", schema: z.object({ count: z.int() }) };

describe("a step", () => {
  test("is executed once in the life of a run, and its result is returned ever after", async () => {
    let executions = 0;
    const count = async (): Promise<{ count: number }> => ({ count: ++executions });
    const first = await openRecorder(directory, () => {});
    expect(await first.step(options, count)).toEqual({ count: 1 });
    expect(await first.step(options, count)).toEqual({ count: 1 });
    first.close();
    const second = await openRecorder(directory, () => {});
    expect(await second.step(options, count)).toEqual({ count: 1 });
    second.close();
    expect(executions).toBe(1);
  });

  test("has its intent on disk before it starts and its result after it", async () => {
    const recorder = await openRecorder(directory, () => {});
    let seenInside: string[] = [];
    await recorder.step(options, async () => {
      seenInside = (await readEvents(join(directory, "events.jsonl"))).map((event) => event.event);
      return { count: 1 };
    });
    recorder.close();
    expect(seenInside).toEqual(["step-started"]);
    const events = await readEvents(join(directory, "events.jsonl"));
    expect(events.map((event) => event.event)).toEqual(["step-started", "step-finished"]);
  });

  test("that failed, or whose process died, is done again", async () => {
    const recorder = await openRecorder(directory, () => {});
    await expect(recorder.step(options, () => Promise.reject(new Error("no luck")))).rejects.toThrow(
      "no luck",
    );
    expect(await recorder.step(options, async () => ({ count: 2 }))).toEqual({ count: 2 });
    recorder.close();
  });

  test("keeps a large result beside the events, and is done again when that file is damaged", async () => {
    const first = await openRecorder(directory, () => {});
    await first.step({ ...options, large: true }, async () => ({ count: 7 }));
    first.close();
    const second = await openRecorder(directory, () => {});
    expect(await second.step({ ...options, large: true }, async () => ({ count: 8 }))).toEqual({ count: 7 });
    second.close();
    const [artifact = ""] = readdirSync(join(directory, "artifacts"));
    appendFileSync(join(directory, "artifacts", artifact), "x");
    const third = await openRecorder(directory, () => {});
    expect(await third.step({ ...options, large: true }, async () => ({ count: 9 }))).toEqual({ count: 9 });
    third.close();
  });
});

test("a last line that a crash tore is dropped, and the record goes on after it", async () => {
  const path = join(directory, "events.jsonl");
  const first = await openRecorder(directory, () => {});
  first.append({ event: "remark-made", level: "note", text: "whole" });
  first.close();
  appendFileSync(path, '{"event":"remark-made","lev');
  const second = await openRecorder(directory, () => {});
  second.append({ event: "remark-made", level: "note", text: "after" });
  second.close();
  const texts = (await readEvents(path)).map((event) => (event.event === "remark-made" ? event.text : ""));
  expect(texts).toEqual(["whole", "after"]);
  expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3);
});

test("a damaged line in the middle is an error that says what to do", async () => {
  appendFileSync(join(directory, "events.jsonl"), 'no json\n{"event":"run-resumed","at":1}\n');
  await expect(openRecorder(directory, () => {})).rejects.toMatchObject({
    code: "disk",
    hint: "Restore this file from a copy, or start a new run.",
  });
});
