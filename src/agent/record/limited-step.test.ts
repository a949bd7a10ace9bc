import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { cutSchema, limitedStep, type Reached } from "./limited-step.ts";
import { openPace } from "./pace.ts";
import { openRecorder } from "./recorder.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "millwright-limited-"));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const schema = z.object({ lines: z.int(), ...cutSchema });
const options = { key: "cover", title: "cover", schema, usualMs: 60_000 };

test("what a limit of time cut off is asked anew by a run with more time, and by no other", async () => {
  const given: number[] = [];
  const ask = async (remainingMs: number): Promise<z.infer<typeof schema>> => {
    const recorder = await openRecorder(directory, () => {});
    const context = { recorder, limits: { remainingMs: () => remainingMs } };
    const found = await limitedStep<z.infer<typeof schema>>(context, options, async (timeMs) => {
      given.push(timeMs);
      return { result: { lines: timeMs / 1_000 }, isCut: timeMs < 40_000 };
    });
    recorder.close();
    return found;
  };
  expect(await ask(5_000)).toEqual({ lines: 5, cutMs: 5_000 });
  expect((await ask(4_000)).lines).toBe(5);
  expect((await ask(20_000)).lines).toBe(20);
  expect(await ask(50_000)).toEqual({ lines: 50 });
  expect((await ask(Number.POSITIVE_INFINITY)).lines).toBe(50);
  expect((await ask(0)).lines).toBe(50);
  expect(given).toEqual([5_000, 20_000, 50_000]);
});

test("at the limit a step still has a second, and what is slow without one is recorded for good", async () => {
  const recorder = await openRecorder(directory, () => {});
  const ask = (remainingMs: number, key: string): Promise<z.infer<typeof schema>> =>
    limitedStep<z.infer<typeof schema>>(
      { recorder, limits: { remainingMs: () => remainingMs } },
      { ...options, key },
      async (timeMs) => ({ result: { lines: timeMs }, isCut: true }),
    );
  expect(await ask(0, "none")).toEqual({ lines: 1_000, cutMs: 1_000 });
  expect(await ask(Number.POSITIVE_INFINITY, "all")).toEqual({ lines: 60_000 });
  recorder.close();
});

test("what showed nothing runs again as often as it is asked, until it shows something", async () => {
  const recorder = await openRecorder(directory, () => {});
  const built: number[] = [];
  const ask = (): Promise<z.infer<typeof schema>> =>
    limitedStep<z.infer<typeof schema>>(
      { recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY } },
      { ...options, key: "build" },
      async () => {
        built.push(1);
        return { result: { lines: built.length }, isCut: true, isOpen: built.length < 2 };
      },
    );
  expect(await ask()).toEqual({ lines: 1, cutMs: 0 });
  expect(await ask()).toEqual({ lines: 2 });
  expect(await ask()).toEqual({ lines: 2 });
  recorder.close();
});

/** A step that reaches a line every `msPerLine` milliseconds, of at most 50 lines. */
async function readAtPace(
  msPerLine: number,
  { from, reached }: { readonly from?: string; readonly reached?: Reached<z.infer<typeof schema>> } = {},
) {
  const own = mkdtempSync(join(directory, "run-"));
  const folder = join(own, "calls");
  const replayed = from && join(from, "calls");
  const pace = openPace({ folder, replayed, of: () => "the task" });
  const recorder = await openRecorder(own, () => {}, undefined, { pace });
  const context = { recorder, limits: { remainingMs: () => Number.POSITIVE_INFINITY } };
  const steps = { ...options, ...(reached === undefined ? {} : { reached }) };
  const given: number[] = [];
  const found = await limitedStep<z.infer<typeof schema>>(context, steps, async (timeMs) => {
    given.push(timeMs);
    const lines = Math.min(50, Math.floor(timeMs / msPerLine));
    return { result: { lines }, isCut: lines < 50 };
  });
  recorder.close();
  return { own, lines: found.lines, given };
}

const lines: Reached<z.infer<typeof schema>> = {
  of: (result) => result.lines,
  only: (result, recorded) => ({ ...result, lines: Math.min(result.lines, Number(recorded)) }),
  contains: (result, recorded) => result.lines >= Number(recorded),
};

test("a replay completes what the recorded run completed, on a slower machine too", async () => {
  const first = await readAtPace(1_000, { reached: lines });
  expect(first.lines).toBe(50);
  expect((await readAtPace(20_000, { from: first.own, reached: lines })).lines).toBe(50);
  expect((await readAtPace(20_000, { reached: lines })).lines).toBe(3);
});

test("a replay keeps to what the recorded run reached, on any machine, and so does its own replay", async () => {
  const first = await readAtPace(6_000, { reached: lines });
  expect(first.lines).toBe(10);
  const faster = await readAtPace(100, { from: first.own, reached: lines });
  const slower = await readAtPace(30_000, { from: faster.own, reached: lines });
  expect([faster.lines, slower.lines]).toEqual([10, 10]);
});

/** A step that a limit ended at first, asked once with each of these remaining times. */
async function askEach(times: readonly number[], from?: string, isOpen = false) {
  const own = mkdtempSync(join(directory, "run-"));
  const pace = openPace({ folder: own, replayed: from, of: () => "the task" });
  const recorder = await openRecorder(own, () => {}, undefined, { pace });
  const found: (number | undefined)[][] = [];
  for (const remainingMs of times) {
    const context = { recorder, limits: { remainingMs: () => remainingMs } };
    const steps = { ...options, reached: lines };
    const result = await limitedStep<z.infer<typeof schema>>(context, steps, async (timeMs) => ({
      ...{ result: { lines: timeMs / 1_000 }, isCut: timeMs < 40_000, isOpen: timeMs < 40_000 && isOpen },
    }));
    found.push([result.lines, result.cutMs]);
  }
  recorder.close();
  return { own, found };
}

test("a replay with more time left repeats no step that the recorded run took as final", async () => {
  const first = await askEach([20_000, 15_000]);
  expect(first.found).toEqual([
    [20, 20_000],
    [20, 20_000],
  ]);
  expect((await askEach([60_000, 60_000], first.own)).found).toEqual(first.found);
});

test("a replay that had less time than the recorded run repeats the step, within what was recorded", async () => {
  const first = await askEach([50_000]);
  expect((await askEach([20_000, 60_000], first.own)).found).toEqual([
    [20, 20_000],
    [50, undefined],
  ]);
});

test("in a replay too, a step without a result may run again at any time", async () => {
  const first = await askEach([50_000]);
  expect((await askEach([20_000], first.own, true)).found).toEqual([[20, 0]]);
});

test("a replay gives a step that a limit ended more time only for what is missing", async () => {
  const first = await readAtPace(6_000, { reached: lines });
  const same = await readAtPace(6_000, { from: first.own, reached: lines });
  const slower = await readAtPace(12_000, { from: first.own, reached: lines });
  expect([same.given, same.lines]).toEqual([[60_000], 10]);
  expect([slower.given, slower.lines]).toEqual([[60_000, 1_800_000], 10]);
});

test("a false recording makes no replay wait for years", async () => {
  const falsify = (own: string, isCut: boolean): void => {
    const folder = join(own, "calls");
    const [file = ""] = readdirSync(folder).filter((name) => name.endsWith(".pace.jsonl"));
    const line = JSON.parse(readFileSync(join(folder, file), "utf8"));
    const decided = { ...line.decided, isCut, ms: 1e12 };
    writeFileSync(join(folder, file), `${JSON.stringify({ ...line, decided })}\n`);
  };
  const first = await readAtPace(6_000, { reached: lines });
  falsify(first.own, true);
  const tenTimes = 600_000;
  const again = await readAtPace(60_001, { from: first.own, reached: lines });
  expect(again.given).toEqual([tenTimes, 4 * tenTimes]);
  falsify(first.own, false);
  expect((await readAtPace(6_000, { from: first.own, reached: lines })).given).toEqual([4 * tenTimes]);
});

test("without a part to keep to, a replay gives a step that a limit ended the same time", async () => {
  const first = await readAtPace(6_000);
  const again = await readAtPace(6_000, { from: first.own });
  expect([first.given, again.given]).toEqual([[60_000], [60_000]]);
});

test("a replay takes the recorded answer of a step that the clock decides", async () => {
  const answer = async (text: string, from?: string) => {
    const own = mkdtempSync(join(directory, "run-"));
    const pace = openPace({ folder: own, replayed: from, of: () => "the task" });
    const recorder = await openRecorder(own, () => {}, undefined, { pace });
    const asked = { key: "server", title: "ask", schema: z.string(), decides: "clock" } as const;
    const said = await recorder.step(asked, async () => text);
    recorder.close();
    return { own, said };
  };
  const first = await answer("two problems");
  expect((await answer("too late", first.own)).said).toBe("two problems");
  expect((await answer("too late")).said).toBe("too late");
});
