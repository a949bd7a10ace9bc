import { afterEach, beforeEach, expect, test } from "vitest";
import { runProcess } from "../../src/base/process.ts";
import { solveReportSchema } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const version = await runProcess(["go", "version"], { timeoutMs: 60_000 }).catch(() => undefined);

test.skipIf(version?.exitCode !== 0)("repairs a Go repository", async () => {
  const repository = playground.copyRepository("repair-go");
  const end = await playground.start(["solve", "--repo", repository, "--output", "json"]).ended;
  const report = solveReportSchema.parse(JSON.parse(end.stdout));
  expect(report).toMatchObject({ outcome: "verified", exitCode: 0 });
  expect(report.patch).toContain(
    "-\t\tif item.Packs > 0 && day < item.Until {\n+\t\tif item.Packs > 0 && day <= item.Until {\n",
  );
});
