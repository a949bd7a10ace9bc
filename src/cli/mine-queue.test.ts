import { expect, test, vi } from "vitest";
import { readQueuedSettings } from "./bench-flags.ts";
import { nameMiningBatch, sharedFlags } from "./mine-queue.ts";

test("a mining batch of any folder has a name that the queue allows, and that differs between folders", () => {
  const names = ["/data/my dataset", "/data/my-dataset", "/data/datensätze", "/data/mined.2"].map((folder) =>
    nameMiningBatch(folder, { version: "1" }),
  );
  for (const name of names) expect(name).toMatch(/^mine-[\w.-]+-[0-9a-f]{8}$/);
  expect(new Set(names).size).toBe(names.length);
  expect(names.at(-1)).toMatch(/^mine-mined\.2-/);
});

test("workers of a mining batch test with the settings of `bench mine`, not with those of their own machine", () => {
  const flags = { timeLimit: 1000, testTimeout: 50, setupVariable: [], workers: 4, cpus: "3" };
  const values = { memory: "8g", image: "own:1", cpus: "3", maxCost: "1" };
  const shared = sharedFlags({ flags, values }, { provider: { name: "docker" } });
  expect(shared).toEqual({
    ...{ timeLimit: 1000, testTimeout: 50, setupVariable: [], cpus: "3" },
    ...{ memory: "8g", image: "own:1", sandbox: "docker" },
  });
  vi.stubEnv("MILLWRIGHT_PROCESSES", "9");
  const { memory, processes } = readQueuedSettings(shared).settings;
  vi.unstubAllEnvs();
  expect({ memory, processes }).toEqual({ memory: 8 * 1024 ** 3, processes: 512 });
});
