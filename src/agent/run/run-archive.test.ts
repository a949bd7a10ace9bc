import { mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { packRun, unpackRun } from "./run-archive.ts";

test("a run that was made again replaces the earlier one, and the same archive changes nothing", async () => {
  const folder = await mkdtemp(join(tmpdir(), "millwright-archive-"));
  const [made, runs] = [join(folder, "made"), join(folder, "runs")];
  const file = join(runs, "try-1", "report.json");
  const pack = async (text: string, more: string): Promise<Buffer> => {
    await mkdir(join(made, text, "try-1"), { recursive: true });
    await writeFile(join(made, text, "try-1", "report.json"), text);
    await writeFile(join(made, text, "try-1", more), "");
    return packRun(join(made, text, "try-1"));
  };
  const [first, second] = [await pack("first", "old"), await pack("second", "new")];
  await mkdir(runs);
  await unpackRun(first, runs, "try-1");
  await unpackRun(second, runs, "try-1");
  expect(await readFile(file, "utf8")).toBe("second");
  expect(await readdir(join(runs, "try-1"))).toEqual(["archive.sha256", "new", "report.json"]);
  await writeFile(file, "still there");
  await unpackRun(second, runs, "try-1");
  expect(await readFile(file, "utf8")).toBe("still there");
  expect(await readdir(runs)).toEqual(["try-1"]);
});
