import { defineConfig } from "vitest/config";

/** Faults of the whole machine: one at a time, and not among the ordinary tests. */
export default defineConfig({
  test: {
    include: ["tests/machine/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    pool: "forks",
    maxWorkers: 1,
    fileParallelism: false,
  },
});
