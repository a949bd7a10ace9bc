import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect, failureOf, question, serve, unwrap } from "../../tests/model-fixture.ts";
import { openBatchLedger } from "./batch-ledger.ts";
import type { Amounts } from "./batch-spending.ts";
import { createBudget } from "./budget.ts";
import { serveLedger } from "./served-ledger.ts";

function limits(content: object): string {
  const folder = mkdtempSync(join(tmpdir(), "batch-ledger-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "budget.json");
  writeFileSync(path, JSON.stringify(content));
  return path;
}
const one = { usd: 1, tokens: 10, calls: 1 };
const call = { model: "m", price: undefined, inputTokens: 100, outputTokens: 900, final: false };
const open = (path: string) => createBudget({}, { keepBack: 0, now: () => 0, batch: openBatchLedger(path) });

test("runs that name one file share its limits, and see what each other spends", async () => {
  const server = await serve([{ text: "Well." }]);
  const batchBudget = limits({ calls: 2 });
  const runs = [await connect(server, { batchBudget }), await connect(server, { batchBudget })] as const;
  expect((await runs[0].generate(question)).ok).toBe(true);
  expect((await runs[1].within({ calls: 5 }).generate(question)).ok).toBe(true);
  for (const run of runs)
    expect(failureOf(await run.generate(question)).message).toContain("limit of model calls");
  expect(server.requests).toHaveLength(2);
});

test("what a call may use is held for all, and given back where it was not used", async () => {
  const path = limits({ tokens: 1_800 });
  const [first, second] = [open(path), open(path)];
  const held = unwrap(await first.reserve(call));
  expect(unwrap(await second.reserve(call)).outputTokens).toBe(700);
  expect(failureOf(await second.reserve(call)).kind).toBe("budget");
  await held.settle(undefined);
  expect(unwrap(await second.reserve(call)).outputTokens).toBe(900);
});

test("what a process held that died stays held; a line that it tore harms nobody", async () => {
  const path = limits({ calls: 2 });
  await openBatchLedger(path).hold(one);
  appendFileSync(`${path}.ledger`, '{"id":"torn","most":{"usd');
  const ledger = openBatchLedger(path);
  const hold = await ledger.hold(one);
  expect(hold).toBeDefined();
  expect(await ledger.hold(one)).toBeUndefined();
  await hold?.settle({ ...one, usd: 0.5 });
  expect(await openBatchLedger(path).taken()).toEqual({ usd: 1.5, tokens: 20, calls: 2 });
});

test("a file that says no limits is a wrong use", () => {
  expect(() => openBatchLedger(limits({ dollars: 1 }))).toThrow(/budget.json cannot be read/);
  expect(() => openBatchLedger("/nowhere/budget.json")).toThrow(/cannot be read/);
});

test("a ledger that another process serves holds and settles there, and says where nobody serves it", async () => {
  const socket = join(mkdtempSync(join(tmpdir(), "served-")), "ledger");
  const kept = new Map<string, Amounts>();
  const server = await serveLedger(socket, {
    taken: async () => ({
      usd: 0,
      tokens: [...kept.values()].reduce((all, { tokens }) => all + tokens, 0),
      calls: kept.size,
    }),
    hold: async (id, most) => kept.size < 2 && kept.set(id, most) !== undefined,
    settle: async (id, used) => void kept.set(id, used),
  });
  const path = limits({ tokens: 2_000, server: socket });
  const [first, second] = [open(path), open(path)];
  const held = unwrap(await first.reserve(call));
  expect(unwrap(await second.reserve(call)).outputTokens).toBe(900);
  await held.settle({ input: 50, cached: 0, written: 0, output: 50 });
  expect(await openBatchLedger(path).taken()).toEqual({ usd: 0, tokens: 1_100, calls: 2 });
  server.close();
  server.closeAllConnections();
  await expect(second.reserve(call)).rejects.toThrow("budget does not answer");
});
