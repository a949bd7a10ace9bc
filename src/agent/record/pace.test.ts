import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { openPace } from "./pace.ts";
import { openRecorder } from "./recorder.ts";

function folderForTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "millwright-pace-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test("a recording that is gone is told, and ends nothing", () => {
  const folder = folderForTest();
  const warnings: string[] = [];
  const pace = openPace({
    ...{ folder, replayed: join(folder, "gone"), of: () => "the task" },
    warn: (text) => warnings.push(text),
  });
  expect(pace.recall("a", 1)).toBeUndefined();
  expect(warnings).toEqual([expect.stringContaining("The folder is gone.")]);
});

test("a damaged line is ignored with a warning", () => {
  const folder = folderForTest();
  const of = () => "the task";
  const first = openPace({ folder, of });
  first.keep("a", 1, "early");
  first.keep("b", 1, "late");
  first.close();
  const path = join(folder, readdirSync(folder)[0] ?? "");
  writeFileSync(path, readFileSync(path, "utf8").replace('"early"}', '"ear'));
  const warnings: string[] = [];
  const again = openPace({ folder, replayed: folder, of, warn: (text) => warnings.push(text) });
  expect(again.recall("a", 1)).toBeUndefined();
  expect(again.recall("b", 1)).toEqual({ decided: "late", isLast: true });
  expect(warnings).toEqual([expect.stringMatching(/^1 line of .* cannot be read/)]);
});

test("a replay says plainly that the recording lacks its decisions", () => {
  const folder = folderForTest();
  const missingIn = (): string => {
    const warnings: string[] = [];
    const replay = openPace({
      ...{ folder: folderForTest(), replayed: folder, of: () => "the task" },
      warn: (text) => warnings.push(text),
    });
    expect([replay.recall("a", 1), replay.recall("b", 1)]).toEqual([undefined, undefined]);
    expect(warnings).toHaveLength(1);
    return warnings[0] ?? "";
  };
  const follows =
    "Models may then see test results that differ from the recorded ones, and requests may have no recorded answer.";
  expect(missingIn()).toContain("of this run. Recordings of older versions contain no such decisions. ");
  expect(missingIn()).toContain(follows);
  const other = openPace({ folder, of: () => "another task" });
  other.keep("a", 1, "early");
  other.close();
  expect(missingIn()).toContain("of this run. It has the decisions of 1 other run, with another task");
  expect(missingIn()).toContain(follows);
});

test("what cannot be written stops the run like any other part of its record", async () => {
  const folder = folderForTest();
  writeFileSync(join(folder, "calls"), "a file");
  const pace = openPace({ folder: join(folder, "calls"), of: () => "the task" });
  const recorder = await openRecorder(folder, () => {}, undefined, { pace });
  onTestFinished(() => recorder.close());
  const options = { key: "server", title: "ask", schema: z.string(), decides: "clock" } as const;
  await expect(recorder.step(options, async () => "x")).rejects.toMatchObject({ code: "disk" });
});

test("the user's answers are recorded with the run, and not as what the clock decided", async () => {
  const [folder, again] = [folderForTest(), folderForTest()];
  const of = () => "the task";
  const ask = async (own: string, answer: string, replayed?: string): Promise<string> => {
    const pace = openPace({ folder: own, replayed, of });
    const recorder = await openRecorder(own, () => {}, undefined, { pace });
    const options = { key: "ask", title: "ask the user", schema: z.string(), decides: "nothing" } as const;
    return recorder.step(options, async () => answer).finally(() => recorder.close());
  };
  await ask(folder, "yes");
  expect(await ask(again, "no", folder)).toBe("no");
});
