import { expect, test } from "vitest";
import type { TestFramework } from "../languages/contract.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import { collectCoverage } from "./coverage.ts";

test("a framework that cannot trace is not run for it, and the ranking hears why", async () => {
  const [known] = testFrameworks as readonly TestFramework[];
  if (known === undefined) throw new Error("there is no framework");
  const framework: TestFramework = { ...known, name: "mute", coverage: "none" };
  const unused = (): never => {
    throw new Error("nothing is to be run");
  };
  const context = { recorder: { step: unused } } as unknown as Parameters<typeof collectCoverage>[0];
  const bench = { run: unused } as unknown as Parameters<typeof collectCoverage>[1];
  const baseline = { outcomes: [], targets: [] } as unknown as Parameters<typeof collectCoverage>[2];
  const coverage = await collectCoverage(context, bench, baseline, framework);
  expect(coverage.tests.size).toBe(0);
  expect(coverage.remarks).toEqual([expect.stringContaining("mute cannot say which lines a test executes")]);
});
