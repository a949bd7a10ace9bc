import { expect, test } from "vitest";
import type { Entity, Relation } from "../../graph/contract.ts";
import { describeCalls } from "./calls-around.ts";

const entity = (id: number, name: string, path: string, startLine: number, inTests = false): Entity =>
  ({ id, name, path, kind: "function", startLine, endLine: startLine + 9, inTests }) as Entity;
const pay = entity(1, "pay", "bank.py", 1);
const owe = entity(2, "owe", "debt.py", 20);
const close = entity(3, "close", "bank.py", 30);
const check = entity(4, "test_pays", "tests/test_bank.py", 5, true);
const relation = (from: Entity, to: Entity, line: number): Relation =>
  ({ from, to, edge: { at: { line, column: 0 } } }) as Relation;
const relations = [relation(pay, owe, 4), relation(close, pay, 33), relation(check, pay, 7)];
const graph = {
  file: () => ({}) as never,
  outline: (path: string) => [pay, owe, close, check].filter((each) => each.path === path),
  outgoing: (id: number) => relations.filter(({ from }) => from.id === id),
  incoming: (id: number) => relations.filter(({ to }) => to.id === id),
};

test("what a place calls and who calls it is named, without tests and without what is shown already", () => {
  const place = { file: "bank.py", startLine: 2, endLine: 3 };
  expect(describeCalls(graph, [place])).toEqual([
    "pay calls owe debt.py:20-29, and is called at bank.py:33 (close).",
  ]);
  const shown = [place, { file: "debt.py", startLine: 20, endLine: 29 }];
  expect(describeCalls(graph, shown)).toEqual([
    "pay is called at bank.py:33 (close).",
    "owe is called at bank.py:4 (pay).",
  ]);
  expect(describeCalls(graph, [{ ...place, startLine: 15, endLine: 16 }])).toEqual([]);
});
