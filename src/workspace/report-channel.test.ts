import { appendFileSync, closeSync, existsSync, mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openReportChannel } from "./report-channel.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-channel-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function open(name: string) {
  const place = join(folder, "shown", name);
  mkdirSync(join(folder, "hidden"), { recursive: true });
  const channel = await openReportChannel(place, join(folder, "hidden"));
  const write = (text: string) => appendFileSync(join(place, "lines"), text);
  const holds = (text: string) =>
    expect.poll(() => channel.soFar().toString(), { timeout: 60_000 }).toBe(text);
  return { place, channel, write, holds };
}

test("each run has pipes of its own, side by side and one after another", async () => {
  const [first, second] = [await open("first"), await open("second")];
  first.write("1");
  second.write("2");
  await first.holds("1");
  await second.holds("2");
  await first.channel.close();
  expect([existsSync(first.place), existsSync(second.place)]).toEqual([false, true]);
  await second.channel.close();
  for (const name of ["3", "4", "5", "6", "7", "8", "9", "10"]) {
    const each = await open(name);
    each.write(name);
    await each.holds(name);
    each.channel.discard();
  }
});

test("pipes that were made before and are gone are made again", async () => {
  (await open("first")).channel.discard();
  rmSync(join(folder, "hidden"), { recursive: true });
  const again = await open("again");
  again.write("here");
  await again.holds("here");
  again.channel.discard();
  const last = await open("last");
  last.write("there");
  await last.holds("there");
  last.channel.discard();
});

test("what is done with a channel that is closed touches no later one, whose descriptors have the same numbers", async () => {
  const first = await open("first");
  await first.channel.close();
  const second = await open("second");
  first.channel.discard();
  second.write("still here");
  await second.holds("still here");
  await second.channel.close();
});

test("a report ends with its last writer, and a writer that stays is not waited for", async () => {
  const { place, channel, write } = await open("stays");
  const stays = openSync(join(place, "lines"), "w");
  write("said");
  await channel.close();
  expect(existsSync(place)).toBe(false);
  closeSync(stays);
});
