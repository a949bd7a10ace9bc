import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { recoverApply } from "./apply-journal.ts";

test.each(["", "{", "{}"])("a damaged journal is an error of the disk: %j", async (text) => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-journal-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  expect(await recoverApply(folder)).toBeUndefined();
  writeFileSync(join(folder, "apply.json"), text);
  await expect(recoverApply(folder)).rejects.toMatchObject({ code: "disk" });
});
