import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createRedactor } from "../../base/redact.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { openModels } from "../../llm/open-models.ts";
import { usageOf } from "../record/costs.ts";
import { createLimits } from "../record/limits.ts";
import { openRecorder, readEvents } from "../record/recorder.ts";
import { inScope } from "../record/scope.ts";
import { think } from "./think.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-calls-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const secret = "hunter2hunter2";
const usage = { input: 10, output: 5, cached: 4, usd: 0.25 };
const input = z.object({ n: z.number() });

/** One process of a run that counts: two answers with calls, and one that ends. */
async function count(options: { answers?: readonly object[]; dies?: boolean } = {}) {
  const answers = options.answers ?? [
    {
      calls: [
        { name: "double", input: { n: 1 } },
        { name: "paint", input: {} },
      ],
      usage,
    },
    { calls: [{ name: "double", input: { n: 2 } }], usage },
    { calls: [{ name: "done", input: { n: 7 } }], usage },
  ];
  const script = join(folder, "script.json");
  writeFileSync(script, JSON.stringify({ answers }));
  const redactor = createRedactor([secret]);
  const recorder = await openRecorder(folder, () => {}, redactor);
  const opened = await openModels({
    ...{ model: `scripted:${script}`, environment: {}, recording: join(folder, "calls"), redactor },
  });
  const models = opened.watchedBy(recorder.calls.watch);
  const tools = [
    {
      ...{ name: "double", description: "", input },
      async run(given: unknown) {
        const { n } = input.parse(given);
        if (options.dies === true && n === 2) throw new Error("killed");
        return { text: `it is ${2 * n}, says ${secret}` };
      },
    },
    { ...{ name: "done", description: "", input }, run: async () => ({ text: "done", end: true as const }) },
  ];
  const limits = createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 });
  const { signal } = new AbortController();
  const request = { role: "editing", system: "Count.", opening: "Begin.", tools, maxSteps: 9 } as const;
  const context = { models, limits, decoding: {}, signal, recorder };
  try {
    await inScope({ arm: "1", round: 3, action: "edit-code" }, () => think<true>(context, request));
  } catch (error) {
    if (options.dies !== true) throw error;
  } finally {
    recorder.close();
  }
  return { spent: models.spent(), events: await readEvents(join(folder, "events.jsonl")) };
}

const names = (events: readonly RunEvent[]) =>
  events.map((event) => `${event.event}${"order" in event ? ` ${event.order}` : ""}`);
const whole = [
  ...["call-started 1", "call-ended 1", "tool-started 2", "tool-ended 2", "tool-started 3", "tool-ended 3"],
  ...["call-started 4", "call-ended 4", "tool-started 5", "tool-ended 5"],
  ...["call-started 6", "call-ended 6", "tool-started 7", "tool-ended 7"],
];

test("each call of a model and of a tool has its place, its scope, its handles and its cost, without secrets", async () => {
  const { events, spent } = await count();
  expect(names(events)).toEqual(whole);
  const scope = { arm: "1", round: 3, action: "edit-code", thread: 1 };
  const [, first, , doubled, , refused] = events;
  expect(first).toMatchObject({
    ...{ ...scope, role: "editing", recorded: false, finish: "calls" },
    tools: [
      { id: "call_1_1", tool: "double" },
      { id: "call_1_2", tool: "paint" },
    ],
    usage: { calls: 1, inputTokens: 10, cachedTokens: 4, outputTokens: 5, usd: 0.25, unpriced: 0 },
  });
  expect(doubled).toMatchObject({
    ...scope,
    call: 1,
    id: "call_1_1",
    tool: "double",
    about: "1",
    failed: false,
  });
  expect(refused).toMatchObject({ call: 1, tool: "paint", failed: true });
  expect(events.at(-1)).toMatchObject({ tool: "done", last: true });
  const { handle } = first as { handle: string };
  const answer = readFileSync(join(folder, "calls", `${handle}.answer.json`), "utf8");
  expect(answer).toContain('"id": "call_1_1"');
  expect(existsSync(join(folder, "calls", `${handle}.request.json`))).toBe(true);
  const { output } = doubled as { output: string };
  expect(readFileSync(join(folder, "outputs", `${output}.txt`), "utf8")).toBe("it is 2, says [redacted]");
  expect(usageOf(events)).toMatchObject({
    calls: spent.calls,
    inputTokens: spent.inputTokens,
    usd: spent.usd,
  });
});

test("a resumed process writes no call twice; what was cut off is an intent without an end", async () => {
  const died = await count({ dies: true });
  expect(names(died.events)).toEqual(whole.slice(0, 9));
  const resumed = await count({ answers: [{ calls: [{ name: "done", input: { n: 7 } }], usage }] });
  expect(names(resumed.events)).toEqual([
    ...whole.slice(0, 9),
    ...["tool-started 6", "tool-ended 6", "call-started 7", "call-ended 7", "tool-started 8", "tool-ended 8"],
  ]);
  expect(usageOf(resumed.events)).toMatchObject({ calls: 3, usd: 0.75 });
  expect(resumed.spent).toMatchObject({ calls: 3, usd: 0.75 });
  expect(names((await count({ answers: [] })).events)).toEqual(names(resumed.events));
});

test("an answer whose event was lost is written when it is read again, with what it cost, as one of the recording", async () => {
  await count();
  const path = join(folder, "events.jsonl");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, `${lines.slice(0, 7).join("\n")}\n`); // call 4 was sent, and the recording has its answer
  const { events } = await count({ answers: [] });
  expect(events.flatMap((event) => (event.event === "call-ended" ? [event.recorded] : []))).toEqual([
    false,
    true,
    true,
  ]);
  expect(usageOf(events)).toMatchObject({ calls: 3, usd: 0.75 });
});

test("what fails is written with its reason, and what an answer cost that came later is counted once", async () => {
  const failure = { kind: "unavailable", message: `down, ${secret}` };
  const first = await count({ answers: [{ failure }] });
  expect(first.events.at(-1)).toMatchObject({
    ...{ event: "call-ended", tools: [], recorded: false, usage: { calls: 0 } },
    failure: { kind: "unavailable", message: "down, [redacted]" },
  });
  const { events, spent } = await count({ answers: [{ calls: [{ name: "done", input: { n: 7 } }], usage }] });
  expect(names(events)).toEqual([
    ...["call-started 1", "call-ended 1", "call-started 2", "call-ended 2", "tool-started 3", "tool-ended 3"],
  ]);
  expect(usageOf(events).calls).toBe(spent.calls);
});
