import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { connect, failureOf, question, serve, unwrap } from "../../tests/model-fixture.ts";
import { openBatchLedger } from "./batch-ledger.ts";
import { createBudget } from "./budget.ts";

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

test("what a call may use is held for all, and given back where it was not used", () => {
  const path = limits({ tokens: 1_800 });
  const [first, second] = [open(path), open(path)];
  const held = unwrap(first.reserve(call));
  expect(unwrap(second.reserve(call)).outputTokens).toBe(700);
  expect(failureOf(second.reserve(call)).kind).toBe("budget");
  held.settle(undefined);
  expect(unwrap(second.reserve(call)).outputTokens).toBe(900);
});

test("what a process held that died stays held; a line that it tore harms nobody", () => {
  const path = limits({ calls: 2 });
  openBatchLedger(path).hold(one);
  appendFileSync(`${path}.ledger`, '{"id":"torn","most":{"usd');
  const ledger = openBatchLedger(path);
  const hold = ledger.hold(one);
  expect(hold).toBeDefined();
  expect(ledger.hold(one)).toBeUndefined();
  hold?.settle({ ...one, usd: 0.5 });
  expect(openBatchLedger(path).taken()).toEqual({ usd: 1.5, tokens: 20, calls: 2 });
});

test("a file that says no limits is a wrong use", () => {
  expect(() => openBatchLedger(limits({ dollars: 1 }))).toThrow(/budget.json cannot be read/);
  expect(() => openBatchLedger("/nowhere/budget.json")).toThrow(/cannot be read/);
});
