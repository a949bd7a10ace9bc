/** What our runners load into the process of a repository's tests: nothing that only a batch of candidates needs. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const runtime = join(import.meta.dirname, "..", "runtime", "python");
const python = (script: string) =>
  spawnSync("python3", ["-c", script], {
    encoding: "utf8",
    env: { ...process.env, PYTHONPATH: runtime, PYTHONDONTWRITEBYTECODE: "1" },
  });

test("a run of the repository as it stands loads no module of a batch", ({ skip }) => {
  if (python("").status !== 0) skip("there is no python3");
  const loaded = 'sorted(name for name in sys.modules if name in ("asyncio", "millwright_batch", "pickle"))';
  const { stdout, stderr } = python(`import millwright_unittest, sys; print(${loaded})`);
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("[]");
});
