/** What a run that was killed leaves of the user's keys. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPlayground } from "./millwright.ts";

test("a killed run's copy of .env can be read by its owner alone, and goes with the next start", async () => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const repository = join(playground.folder, "shop");
  mkdirSync(repository);
  writeFileSync(join(repository, ".env"), "TOKEN=1234567890\n");
  writeFileSync(
    join(repository, "test_slow.py"),
    "import time, unittest\n\n\nclass SlowTest(unittest.TestCase):\n    def test_slow(self):\n        time.sleep(60)\n",
  );
  const run = playground.start(["solve", "--repo", repository, "--sandbox", "local"]);
  await expect.poll(() => findKeys(playground.runs).length, { timeout: 30_000 }).toBeGreaterThan(0);
  const [id = ""] = readdirSync(playground.runs).filter((name) => !name.startsWith("."));
  expect(statSync(join(playground.runs, id)).mode & 0o077).toBe(0);
  run.kill("SIGKILL");
  await run.ended;
  expect(findKeys(playground.runs)).not.toEqual([]);
  const next = playground.copyRepository("repair-python");
  await playground.start(["tests", "--repo", next, "--sandbox", "local"]).ended;
  expect(findKeys(playground.runs)).toEqual([]);
});

function findKeys(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const found = execFileSync("find", [folder, "-name", ".env"], { encoding: "utf8", stdio: "pipe" });
  return found.split("\n").filter(Boolean);
}

test.each(["tests", "solve"])("%s: a pipe as the project's settings is refused by its name", async (name) => {
  const playground = createPlayground();
  onTestFinished(() => playground.remove());
  const repository = playground.copyRepository("repair-python");
  const settings = join(repository, "millwright.config.json");
  execFileSync("mkfifo", [settings]);
  const end = await playground.start([name, "--repo", repository]).ended;
  expect([2, 3]).toContain(end.exitCode);
  expect(end.stderr).toContain("millwright.config.json");
  expect(end.stderr).not.toMatch(/defect of Millwright|^ {4}at /m);
});
