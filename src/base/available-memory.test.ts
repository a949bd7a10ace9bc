import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { availableMemory, wholeMemory } from "./available-memory.ts";

const machine = 64_000;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-memory-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function measure(own: string, files: Readonly<Record<string, string | number>>): number {
  for (const [path, content] of Object.entries({ own, ...files })) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `${content}\n`);
  }
  return availableMemory({ root: join(folder, "cgroup"), own: join(folder, "own") }, machine);
}

test("a container's limit counts, without the cache that the kernel drops", () => {
  const stat = "anon 500\ninactive_file 3000\nactive_file 200";
  const pod = { "cgroup/memory.max": 8000, "cgroup/memory.current": 5000, "cgroup/memory.stat": stat };
  expect(measure("0::/", pod)).toBe(6000);
});

test("the tightest cgroup around the process counts", () => {
  const outer = { "cgroup/pod/memory.max": 9000, "cgroup/pod/memory.current": 8500 };
  const inner = { "cgroup/pod/one/memory.max": "max", "cgroup/pod/one/memory.current": 100 };
  expect(measure("0::/pod/one", { ...outer, ...inner })).toBe(500);
  const files = { root: join(folder, "cgroup"), own: join(folder, "own") };
  expect([wholeMemory(files, machine), wholeMemory(files, 400)]).toEqual([9000, 400]);
});

test("cgroups of version 1 count, also where the container does not see its own path", () => {
  const own = "5:cpu,cpuacct:/docker/ab\n4:memory:/docker/ab";
  const memory = { "memory.limit_in_bytes": 7000, "memory.usage_in_bytes": 6000 };
  const files = Object.entries(memory).map(([name, value]) => [`cgroup/memory/${name}`, value]);
  const stat = { "cgroup/memory/memory.stat": "total_inactive_file 1000" };
  expect(measure(own, { ...Object.fromEntries(files), ...stat })).toBe(2000);
});

test.each(["", "0::/", "0::/user.slice"])("without a limit, the machine's memory counts (%j)", (own) => {
  expect(measure(own, { "cgroup/memory.max": "max", "cgroup/memory.current": 9 })).toBe(machine);
});
