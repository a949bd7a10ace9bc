/** Ruby and PHP, whole runs without a model. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { runProcess } from "../../src/base/process.ts";
import { solveReportSchema } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

async function works(...command: string[]): Promise<boolean> {
  const end = await runProcess(command, { timeoutMs: 60_000 }).catch(() => undefined);
  return end?.exitCode === 0;
}

async function repair(fixture: string): Promise<string> {
  const repository = playground.copyRepository(fixture);
  const end = await playground.start(["solve", "--repo", repository, "--output", "json"]).ended;
  const report = solveReportSchema.parse(JSON.parse(end.stdout));
  expect(report).toMatchObject({ outcome: "verified", exitCode: 0 });
  return report.patch;
}

test.skipIf(!(await works("ruby", "-e", "require 'minitest'")))("repairs a Ruby repository", async () => {
  expect(await repair("repair-ruby")).toContain(
    "-      return false unless amount < available\n+      return false unless amount <= available\n",
  );
});

const hasPhp =
  (await works("phpunit", "--version")) &&
  (await works("php", "-r", "exit(extension_loaded('pcov') ? 0 : 1);"));

test.skipIf(!hasPhp)("repairs a PHP repository, where PHP can measure coverage", async () => {
  expect(await repair("repair-php")).toContain(
    "-        if ($grams > $this->heavyFrom) {\n+        if ($grams >= $this->heavyFrom) {\n",
  );
});
