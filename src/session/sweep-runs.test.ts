import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sweepDeadRuns } from "./sweep-runs.ts";

test("a half-written patch of one run that cannot be completed keeps no other from its work", async () => {
  const runs = mkdtempSync(join(tmpdir(), "millwright-sweep-"));
  onTestFinished(() => rmSync(runs, { recursive: true, force: true }));
  const workspace = join(runs, "20260101-000000-a-abcdef", "workspace");
  mkdirSync(join(workspace, "checkouts"), { recursive: true });
  writeFileSync(join(runs, "20260101-000000-a-abcdef", "run.json"), "{}");
  writeFileSync(join(workspace, "apply.json"), "{");
  const { done, left } = await sweepDeadRuns(runs);
  expect(left).toEqual([expect.stringMatching(/half-written.*damaged/)]);
  expect(done).toEqual(expect.arrayContaining([join(workspace, "checkouts")]));
});
