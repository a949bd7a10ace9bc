import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { recorderOfArm } from "../../agent/control/arm.ts";
import { createLimits } from "../../agent/record/limits.ts";
import { openRecorder } from "../../agent/record/recorder.ts";
import { absentModels } from "../../agent/think/absent-models.ts";
import { renderLeft, tellLeft } from "./left.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "left-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("only limits that bind are told, and the last rounds say what they are for", () => {
  expect(renderLeft(14, {})).toBe("Left: 14 rounds.");
  expect(renderLeft(3, { ms: 245_000, usd: 1.239, tokens: 45_678 })).toBe(
    "Left: 3 rounds, 4 min 5 s, $1.24, 45k tokens.",
  );
  expect(renderLeft(14, { ms: 100_000 })).toContain(
    "1 min 40 s. Before a limit is reached, propose the best candidate",
  );
  expect(renderLeft(1, {})).toContain("1 round. Before a limit is reached, propose the best candidate");
});

test("a run that goes on tells the same time as before, and the rounds that follow their own", async () => {
  const models = { ...absentModels, left: () => ({ usd: 2 }) };
  const tell = async (usedMs: number, rounds: number): Promise<string> => {
    const limits = createLimits({ maxMs: 600_000, maxSteps: undefined, usedMs }, () => 0);
    const recorder = await openRecorder(folder, () => {});
    const text = await tellLeft({ limits, models, recorder }, rounds);
    recorder.close();
    return text;
  };
  expect(await tell(60_000, 19)).toBe("Left: 19 rounds, 9 min 0 s, $2.00.");
  expect(await tell(300_000, 19)).toBe("Left: 19 rounds, 9 min 0 s, $2.00.");
  expect(await tell(300_000, 18)).toBe("Left: 18 rounds, 5 min 0 s, $2.00.");
});

test("each arm of a run hears of its own limits", async () => {
  const recorder = await openRecorder(folder, () => {});
  const tell = (arm: string, usd: number): Promise<string> => {
    const models = { ...absentModels, left: () => ({ usd }) };
    const limits = createLimits({ maxMs: undefined, maxSteps: undefined, usedMs: 0 });
    return tellLeft({ limits, models, recorder: recorderOfArm(recorder, arm) }, 19);
  };
  expect(await tell("1", 2)).toBe("Left: 19 rounds, $2.00.");
  expect(await tell("2", 1)).toBe("Left: 19 rounds, $1.00.");
  recorder.close();
});
