import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addRecording } from "./add-recording.ts";

const decision = (step: string, decided: number, time = 1): string =>
  `${JSON.stringify({ step, time, decided })}\n`;

test("a recording gets the newest answers, and the decisions that belong to them", async () => {
  const root = mkdtempSync(join(tmpdir(), "millwright-recording-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "recording");
  const add = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
    const calls = join(root, name);
    mkdirSync(calls);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(calls, file), text);
    await addRecording(calls, folder);
  };
  const both = decision("baseline", 1) + decision("baseline", 2, 2) + decision("whole-suite", 3);
  await add("first", { "a.answer.json": "1", "k.pace.jsonl": `${both}{"step":"cut o\n` });
  const early = decision("baseline", 9);
  await add("early", { "a.answer.json": "2", "b.answer.json": "3", "k.pace.jsonl": early });
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  expect(["a.answer.json", "b.answer.json", "k.pace.jsonl"].map(read)).toEqual([
    ...["2", "3"],
    decision("whole-suite", 3) + early,
  ]);
  const longer = decision("baseline", 4) + decision("whole-suite", 5);
  await add("longer", { "k.pace.jsonl": longer });
  expect(read("k.pace.jsonl")).toBe(longer);
  expect(readdirSync(folder)).toHaveLength(3);
});

test("runs that end at the same time all keep their decisions", async () => {
  const root = mkdtempSync(join(tmpdir(), "millwright-recording-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "recording");
  const steps = Array.from({ length: 8 }, (_, at) => `step ${at}`);
  await Promise.all(
    steps.map(async (step, at) => {
      const calls = join(root, `calls${at}`);
      mkdirSync(calls);
      writeFileSync(join(calls, "k.pace.jsonl"), decision(step, at));
      await addRecording(calls, folder);
    }),
  );
  const kept = readFileSync(join(folder, "k.pace.jsonl"), "utf8").trimEnd().split("\n").toSorted();
  expect(kept).toEqual(steps.map((step, at) => decision(step, at).trimEnd()));
  expect(readdirSync(folder)).toEqual(["k.pace.jsonl"]);
});
