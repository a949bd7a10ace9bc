/**
 * Checks the modules that our runners load into the process of a repository's tests: they are compiled, and none of
 * them is needed only by a batch of candidates.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const runtime = join(import.meta.dirname, "..", "runtime", "python");
const python = (script: string, folder = runtime, flags: readonly string[] = []) =>
  spawnSync("python3", [...flags, "-c", script], {
    encoding: "utf8",
    env: { ...process.env, PYTHONPATH: folder, PYTHONDONTWRITEBYTECODE: "1" },
  });

test("a run of the repository as it stands loads no module of a batch", ({ skip }) => {
  if (python("").status !== 0) skip("there is no python3");
  const loaded = 'sorted(name for name in sys.modules if name in ("asyncio", "millwright_batch", "pickle"))';
  const { stdout, stderr } = python(`import millwright_unittest, sys; print(${loaded})`);
  expect(stderr).toBe("");
  expect(stdout.trim()).toBe("[]");
});

test("no module of ours is compiled at a start where build.sh has done it", ({ skip }) => {
  if (python("").status !== 0) skip("there is no python3");
  const built = mkdtempSync(join(tmpdir(), "built-python-"));
  onTestFinished(() => rmSync(built, { recursive: true, force: true }));
  execFileSync("sh", [join(runtime, "build.sh"), built]);
  const { stderr } = python("import millwright_unittest", built, ["-v"]);
  const own = (pattern: RegExp) => [...stderr.matchAll(pattern)].map(([, name]) => name).sort();
  const compiled = own(/millwright_(\w+)\.cpython-\S+\.pyc matches/g);
  expect(compiled).toContain("report");
  expect(compiled).toEqual(own(/^import 'millwright_(\w+)'/gm));
});
