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

test("a shortage of memory says how to lower the limit, also where the machine never has enough", async () => {
  const [least, MiB] = [{ leastDisk: 1, leastMemory: 512 * 1024 ** 2 }, 1024 ** 2];
  const find = (free: number, whole: number) =>
    findShortage([], least, () => ({ free: free * MiB, whole: whole * MiB }));
  expect(await find(512, 4096)).toBeUndefined();
  const asked = "300 MiB of memory is free, and --least-memory requires 512 MiB.";
  expect(await find(300, 4096)).toBe(
    `${asked} End other programs, or start again with a smaller --least-memory`,
  );
  expect(await find(300, 480)).toBe(
    `${asked} The machine has only 480 MiB in total: start again with a smaller --least-memory`,
  );
});
