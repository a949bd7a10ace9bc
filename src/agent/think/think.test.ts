import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import type { ModelClient, ModelRequest } from "../../llm/contract.ts";
import { openModels } from "../../llm/open-models.ts";
import { createLimits } from "../record/limits.ts";
import { type ThinkEnd, type ThinkTool, think } from "./think.ts";

interface Script {
  readonly answers: readonly object[];
  readonly maxSteps?: number;
  readonly advise?: boolean;
  readonly rescue?: (sign: string) => string | undefined;
  readonly reopen?: () => string | undefined;
  readonly takeWords?: (text: string, inARow: number) => number | undefined;
}

/** The loop's end, and the calls of the tools. */
async function run({ answers, ...request }: Script): Promise<{
  end: ThinkEnd<number>;
  asked: unknown[];
  requests: readonly ModelRequest<unknown>[];
}> {
  const folder = mkdtempSync(join(tmpdir(), "millwright-think-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "script.json");
  writeFileSync(file, JSON.stringify({ answers }));
  const opened = await openModels({ model: `scripted:${file}`, environment: {} });
  const requests: ModelRequest<unknown>[] = [];
  const models: ModelClient = {
    ...opened,
    generate(each) {
      requests.push(each as ModelRequest<unknown>);
      return opened.generate(each);
    },
  };
  const asked: unknown[] = [];
  const input = z.object({ n: z.number() });
  const tools: ThinkTool<number>[] = [
    {
      name: "double",
      description: "twice as much",
      input,
      async run(given) {
        const { n } = input.parse(given);
        asked.push(n);
        return { text: `it is ${2 * n}` };
      },
    },
    {
      name: "done",
      description: "ends",
      input,
      run: async (given) => ({ text: "done", end: input.parse(given).n }),
    },
  ];
  const limits = createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 });
  const { signal } = new AbortController();
  const end = await think<number>(
    { models, limits, decoding: {}, signal },
    { role: "planning", system: "Count.", opening: "Begin.", tools, maxSteps: 12, ...request },
  );
  return { end, asked, requests };
}

const double = (n: number) => ({ name: "double", input: { n } });
const done = (n: number) => ({ name: "done", input: { n } });

test("runs calls in their order, hands their replies back, and ends with what a tool ends it", async () => {
  const { end, asked } = await run({
    answers: [
      { calls: [double(1), double(2)] },
      { when: { contains: ["it is 2", "it is 4"] }, calls: [done(7), double(9)] },
    ],
  });
  expect(end).toEqual({ kind: "ended", value: 7, steps: 2 });
  expect(asked).toEqual([1, 2]);
});

test("a tool that there is not, and input that does not fit, are told to the model and not run", async () => {
  const { end, asked } = await run({
    answers: [
      {
        calls: [
          { name: "shell", input: {} },
          { name: "double", input: { n: "two" } },
        ],
      },
      { when: { contains: "shell" }, calls: [done(1)] },
    ],
  });
  expect(end.kind).toBe("ended");
  expect(asked).toEqual([]);
});

test("what the opening says that is no longer needed is not sent again", async () => {
  let step = 0;
  const { requests } = await run({
    answers: [{ calls: [double(1)] }, { calls: [double(2)] }, { calls: [done(3)] }],
    reopen: () => (++step < 3 ? undefined : "Begin, shortly."),
  });
  const openings = requests.map(({ messages }) => (messages[0] as { text: string }).text);
  expect(openings).toEqual(["Begin.", "Begin.", "Begin, shortly."]);
  expect(requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5]);
});

test("talk alone is asked for a call, and ends the loop when it goes on", async () => {
  const talk = { text: "I think that it is fine.", times: "always" };
  expect((await run({ answers: [talk] })).end).toMatchObject({
    ...{ kind: "stopped", because: "stuck", steps: 3 },
    message: "3 answers in a row called no tool",
  });
  const taken = await run({ answers: [talk], takeWords: (text) => text.length });
  expect(taken.end).toMatchObject({ kind: "ended", value: talk.text.length, steps: 1 });
  const takeWords = (_: string, inARow: number): number | undefined => (inARow > 3 ? inARow : undefined);
  const patient = await run({ answers: [talk], advise: false, takeWords });
  expect(patient.end).toMatchObject({ kind: "ended", value: 4, steps: 4 });
  const cut = { ...talk, finish: "length", times: 2 };
  const later = await run({ answers: [cut, { calls: [done(1)] }], takeWords: (text) => text.length });
  expect(later.end).toMatchObject({ kind: "ended", value: 1, steps: 3 });
  const answers = [{ text: "Hm." }, { when: { contains: "call one of the tools" }, calls: [done(1)] }];
  expect((await run({ answers })).end).toMatchObject({ kind: "ended", steps: 2 });
});

test("a call that is made again and again ends the loop, and no sooner than the steps where it is only watched", async () => {
  const answers = [{ calls: [double(1)], times: "always" }];
  expect((await run({ answers })).end).toMatchObject({ kind: "stopped", because: "stuck", steps: 5 });
  const { end } = await run({ answers, advise: false, maxSteps: 9 });
  expect(end).toMatchObject({ kind: "stopped", because: "steps", steps: 9 });
});

test("where the loop is hopeless another way may be offered instead of its end, and it ends where none is", async () => {
  const signs: string[] = [];
  const rescue = (sign: string): string | undefined => (signs.push(sign) > 1 ? undefined : "Go back.");
  const hm = { text: "Hm.", times: 3 };
  const taken = await run({ answers: [hm, { when: { contains: "Go back." }, calls: [done(1)] }], rescue });
  expect(taken.end).toMatchObject({ kind: "ended", steps: 4 });
  signs.length = 0;
  const left = await run({ answers: [{ ...hm, times: "always" }], rescue });
  expect(left.end).toMatchObject({ kind: "stopped", because: "stuck", steps: 6 });
});

test("a model that fails ends the loop with its words", async () => {
  const answers = [{ failure: { kind: "auth", message: "no such key" } }];
  expect((await run({ answers })).end).toMatchObject({
    kind: "stopped",
    because: "model",
    message: expect.stringContaining("no such key"),
  });
});

test("of many calls in one answer only the first are run", async () => {
  const answers = [{ calls: Array.from({ length: 40 }, (_, n) => double(n)) }, { calls: [done(1)] }];
  expect((await run({ answers })).asked).toHaveLength(12);
});

test("each request begins with the whole of the one before, so that what providers keep of it is read again", async () => {
  const { requests } = await run({
    answers: [{ calls: [double(1)] }, { calls: [double(2)] }, { calls: [done(3)] }],
  });
  const sent = requests.map(({ system, tools, messages }) => [
    JSON.stringify([system, tools?.map(({ name, description }) => [name, description])]),
    ...messages.map((message) => JSON.stringify(message)),
  ]);
  expect(sent.map(({ length }) => length)).toEqual([2, 4, 6]);
  for (const [at, before] of sent.slice(0, -1).entries())
    expect(sent[at + 1]?.slice(0, before.length)).toEqual(before);
});
