/** What of the base is test code, by what ran there. */
import { readTestRegions, type TestRegions } from "../../judging/test-regions.ts";
import type { Suite } from "./baseline.ts";
import type { MeasurementContext } from "./measurement.ts";

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
