import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findShortage, refuseHopeless } from "./free-room.ts";

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

test("a batch for which the machine is too small does not wait: one message names everything that is short", async () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-room-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const MiB = 1024 ** 2;
  const refuse = (leastDisk: number, whole: number) =>
    refuseHopeless([folder], { leastDisk, leastMemory: 512 * MiB }, () => ({ free: 1, whole: whole * MiB }));
  await refuse(1, 512);
  await expect(refuse(2 ** 60, 480)).rejects.toMatchObject({
    code: "disk",
    message: expect.stringMatching(
      /^The batch cannot start on this machine: the disk of \S+ holds only .*, and --least-disk requires .*; the machine has only 480 MiB of memory, and --least-memory requires 512 MiB$/,
    ),
    hint: expect.stringContaining("Start again with smaller limits"),
  });
});
