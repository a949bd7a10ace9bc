import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Tests that one change in many can break, and that take minutes together: `npm run test:long` (vitest.long.config.ts). */
export const longTests = "tests/**/*.long.test.ts";

/**
 * Whole runs take most of the time and tests beside the sources least: the last file to end leaves nobody waiting. Among files of
 * a folder the largest comes first, and before them all those that take over a minute, whatever their size.
 */
const folders = [
  "/tests/contract/test-frameworks.test.ts",
  "/tests/contract/walls.test.ts",
  "/tests/e2e/",
  "/tests/contract/",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = folders.findIndex((folder) => moduleId.includes(folder));
      return place === -1 ? folders.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "tests/**/*.test.ts"],
    globalSetup: "tests/global-setup.ts",
    exclude: [longTests, "tests/fixtures/**", "tests/machine/**", "node_modules/**"],
    // The build of a fixture takes minutes on a machine that does much else.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    pool: "forks",
    // A process for each file would take an eighth of the time. No test mocks a module; what one sets in the environment is undone.
    isolate: false,
    unstubEnvs: true,
    // For two cores: a worker and what it starts take half of one. The rest is waiting, for sandboxes and for limits.
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
  },
});
