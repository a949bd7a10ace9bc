import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findShortage } from "./free-room.ts";

test("a folder that cannot be read is a shortage, and no error that ends its worker", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-room-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const least = { leastDisk: 1, leastMemory: 1 };
  expect(await findShortage([folder], least)).toBeUndefined();
  const lost = join(folder, "lost");
  expect(await findShortage([folder, lost], least)).toBe(`${lost} cannot be read: it does not exist`);
});
