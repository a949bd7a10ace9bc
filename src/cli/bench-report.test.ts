import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { writePage } from "./bench-report.ts";

test("the page's folder is created, and a place that takes no file is a clear error", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-page-"));
  onTestFinished(() => {
    vi.restoreAllMocks();
    rmSync(folder, { recursive: true });
  });
  vi.spyOn(process.stderr, "write").mockImplementation(() => true);
  const page = join(folder, "missing", "reports", "page.html");
  await writePage([], page, undefined);
  expect(existsSync(page)).toBe(true);
  // As other programs create folders: the page is for others.
  mkdirSync(join(folder, "usual"));
  const modes = ["usual", "missing", "missing/reports"].map((name) => statSync(join(folder, name)).mode);
  expect(new Set(modes).size).toBe(1);
  writeFileSync(join(folder, "file"), "");
  for (const [place, why] of [
    [folder, "it is a folder"],
    [join(folder, "file", "page.html"), "a parent of this path is a file"],
  ])
    await expect(writePage([], place ?? "", undefined)).rejects.toMatchObject({
      ...{ code: "usage", message: `${place} cannot be written: ${why}` },
    });
});
