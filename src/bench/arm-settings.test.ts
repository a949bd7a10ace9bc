import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import { findDifferences, settingsOfArm, tellCommonFlags } from "./arm-settings.ts";
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
  expect(findDifferences([one, other])).toEqual([
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
    { setting: "--test-timeout", values: ["not recorded", "2 min 0 s"] },
    { setting: "--workers", values: ["not recorded", "1"] },
    { setting: "--memory", values: ["not recorded", "3g"] },
  ]);
  expect(findDifferences([imported, imported])).toEqual([]);
});
