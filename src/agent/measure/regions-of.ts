/** Derives the test code of the base from the tests that ran. */

import { readTestRegions, type TestRegions } from "../../judging/test-regions.ts";
import type { Suite } from "../suite.ts";
import type { MeasurementContext } from "./measurement.ts";

/** Returns the regions of tests on the base. `readAgain` updates them after the suite has changed. */
export async function liveRegions(
  context: Pick<MeasurementContext, "workspace" | "frameworks">,
  suite: Suite,
): Promise<{ readonly regions: TestRegions; readonly readAgain: () => Promise<void> }> {
  let current = await regionsOf(context, suite);
  return {
    regions: {
      isWhole: (path) => current.isWhole(path),
      inside: (path) => current.inside(path),
      spansIn: (path, text) => current.spansIn(path, text),
    },
    async readAgain() {
      current = await regionsOf(context, suite);
    },
  };
}

export async function regionsOf(
  { workspace: { trees, base }, frameworks }: Pick<MeasurementContext, "workspace" | "frameworks">,
  { command, outcomes }: Pick<Suite, "command" | "outcomes">,
): Promise<TestRegions> {
  const entries = await trees.list(base);
  return readTestRegions({
    files: entries.filter(({ mode }) => mode !== "120000").map(({ path }) => path),
    read: async (path) => (await trees.read(base, path))?.toString("utf8"),
    outcomes,
    framework: frameworks.find(({ name }) => name === command.framework),
  });
}
