/** Indexes a source that no parser reads in time. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { expect, test } from "vitest";
import { makePlayground } from "../graph-fixtures.ts";

test("a source that takes too long to parse is skipped on a thread, and this process does other work", async () => {
  const hostile = `${"/* ".repeat(100)}\n`.repeat(200);
  const playground = makePlayground({ "slow.js": hostile, "fee.js": "export function fee() {}\n" });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const graph = playground.open();
  await graph.refresh();
  expect(delay.max / 1e9).toBeLessThan(8);
  expect(graph.outline("fee.js").map(({ name }) => name)).toContain("fee");
  expect(graph.outline("slow.js")).toEqual([]);
}, 120_000);
