import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { findDifferences, settingsOfArm, showSettings, tellCommonFlags } from "./arm-settings.ts";
import type { BatchDocument } from "./batch-document.ts";

const batch = partOf<BatchDocument>({
  ...{ tasks: { file: "tasks.jsonl", sha256: "0123456789abcdef", count: 3 }, rules: ["fail-only"] },
  ...{ sandbox: "docker", version: "1.0.0", settings: { testTimeout: "2 min 0 s", workers: "1" } },
});
const arm = { strategy: "unified", model: "openai/gpt" };
const given = { strategy: "unified", model: "openai/gpt", sandbox: "docker", memory: "3g" };

test("arms differ in the flags that have other values, and in their batches, but not in the path of one task file", () => {
  const one = settingsOfArm(batch, { ...arm, settings: { ...given, maxTime: "20m" } });
  const moved = { ...batch, tasks: { ...batch.tasks, file: "/other/tasks.jsonl" } };
  const other = settingsOfArm(
    {
      ...moved,
      sandbox: "bubblewrap",
      off: ["no review"],
      settings: { testTimeout: "5 min 0 s", workers: "1" },
    },
    { ...arm, strategy: "react", settings: { ...given, maxTime: "10m", maxSteps: 30 } },
  );
  expect(findDifferences([one, other])).toMatchObject([
    { setting: "sandbox", values: ["docker", "bubblewrap"] },
    { setting: "turned off", values: ["nothing", "no review"] },
    { setting: "--test-timeout", values: ["2 min 0 s", "5 min 0 s"] },
    { setting: "--max-time", values: ["20m", "10m"] },
    { setting: "--max-steps", values: ["not given", "30"] },
  ]);
  expect(tellCommonFlags([one, other])).toBe("--workers 1; --memory 3g");
  expect(findDifferences([one, one])).toEqual([]);
});

test("flags that a document does not record are no defaults", () => {
  const imported = settingsOfArm({ ...batch, settings: undefined }, arm);
  const ours = settingsOfArm(batch, { ...arm, settings: { ...given, memory: "3g" } });
  expect(findDifferences([imported, ours])).toEqual([
    { setting: "--test-timeout", values: ["not recorded", "2 min 0 s"], affects: "results" },
    { setting: "--workers", values: ["not recorded", "1"], affects: "times" },
    { setting: "--memory", values: ["not recorded", "3g"], affects: "results" },
  ]);
  expect(findDifferences([imported, imported])).toEqual([]);
});

test("what a report shows contains no secrets, and they still count as differences", () => {
  const settingsOf = (settings: Record<string, string>) => settingsOfArm(batch, { ...arm, settings });
  const secret = settingsOf({
    modelUrl: "https://me:s3cret@localhost/v1",
    agentCommand: "OPENAI_API_KEY=sk-123 MODE='a b' codex exec -c x=y",
  });
  expect(showSettings(secret)).toMatchObject({
    "--model-url": "https://[redacted]@localhost/v1",
    "--agent-command": "OPENAI_API_KEY=[redacted] MODE=[redacted] codex exec -c x=y",
  });
  expect(tellCommonFlags([secret])).not.toMatch(/s3cret|sk-123|a b/);
  const other = settingsOf({ agentCommand: "A=1 codex" });
  expect(findDifferences([other, settingsOf({ agentCommand: "A=2 codex" })])).toMatchObject([
    { setting: "--agent-command", values: ["A=[redacted] codex", "A=[redacted] codex"] },
  ]);
});

test("one value in two spellings, or one folder at two places, is no difference", () => {
  const settingsOf = (settings: Record<string, unknown>) => settingsOfArm(batch, { ...arm, settings });
  const one = settingsOf({ maxTime: "20m", memory: "1g", maxSteps: 30, agentFolder: "/home/a/agent" });
  const other = settingsOf({
    maxTime: "1200s",
    memory: "1024m",
    maxSteps: "30",
    agentFolder: "/home/b/agent",
  });
  expect(findDifferences([one, other])).toEqual([]);
});

test("flags that no document records are not called none", () => {
  expect(tellCommonFlags([settingsOfArm({ ...batch, settings: undefined }, arm)])).toBe("not recorded");
  expect(tellCommonFlags([settingsOfArm({ ...batch, settings: {} }, { ...arm, settings: {} })])).toBe("none");
});
