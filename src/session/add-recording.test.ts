import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addRecording } from "./add-recording.ts";

test("a recording gets the newest answers, and keeps a longer pace", async () => {
  const root = mkdtempSync(join(tmpdir(), "millwright-recording-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = join(root, "recording");
  const add = async (name: string, files: Readonly<Record<string, string>>): Promise<void> => {
    const calls = join(root, name);
    mkdirSync(calls);
    for (const [file, text] of Object.entries(files)) writeFileSync(join(calls, file), text);
    await addRecording(calls, folder);
  };
  await add("first", { "a.answer.json": "1", "k.pace.jsonl": "1\n2\n" });
  await add("early", { "a.answer.json": "2", "b.answer.json": "3", "k.pace.jsonl": "9\n" });
  const read = (name: string): string => readFileSync(join(folder, name), "utf8");
  expect(["a.answer.json", "b.answer.json", "k.pace.jsonl"].map(read)).toEqual(["2", "3", "1\n2\n"]);
  await add("longer", { "k.pace.jsonl": "4\n5\n6\n" });
  expect(read("k.pace.jsonl")).toBe("4\n5\n6\n");
  expect(readdirSync(folder)).toHaveLength(3);
});
