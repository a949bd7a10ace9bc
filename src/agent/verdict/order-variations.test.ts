import { expect, test } from "vitest";
import { listLiterals } from "../../judging/vary-tests.ts";
import { asksForOrder, listOrders } from "./order-variations.ts";

const prose = "The values, the smallest first.";
const ordersOf = async (text: string, said = prose, path = "test_orders.py") =>
  listOrders({ text, literals: await listLiterals(path, text) }, said).map(({ other }) => other);

test.each([
  ["test_orders.py", "assert ordered([9, 4, 6]) == [4, 6, 9]"],
  ["orders.test.js", "expect([4, 6, 9]).toEqual(ordered([9, 4, 6]));"],
  ["orders.rs", "fn a() { assert_eq!(ordered(vec![9, 4, 6]), vec![4, 6, 9]); }"],
])("other orders of a list that is sorted: %s", async (path, text) => {
  expect(await ordersOf(text, prose, path)).toEqual(["6, 4, 9", "6, 9, 4"]);
});

test("other lists, other literals, or no word about sorting give no orders", async () => {
  expect(await ordersOf("assert ordered([9, 4, 6]) == [4, 6, 9]", "The values, moved by one.")).toEqual([]);
  expect(await ordersOf("assert ordered([9, 4, 6]) == [9, 6, 4]")).toEqual(["6, 4, 9", "4, 6, 9", "6, 9, 4"]);
  expect(await ordersOf("assert ordered([4, 9, 6]) == [9, 4, 6]")).toEqual([]);
  expect(await ordersOf("assert ordered([9, 4, 6], 2) == [4, 6, 9]")).toEqual([]);
  expect(await ordersOf("assert ordered([9, 4]) == [4, 9]")).toEqual([]);
  expect(await ordersOf("assert ordered([9, 4, 6]) == [4, 6]")).toEqual([]);
});

test.each([
  ["The values, the smallest first", true],
  ["The values from the lowest to the highest", true],
  ["`ordered` must sort its values", true],
  ["`bubble_pass` moves the largest element to the end", false],
  ["`join_halves` returns a sorted list of two sorted halves", false],
  ["`insert_last` puts the last element into the sorted rest", false],
  ["`split` is one partition step of sorting", false],
])("asks for a sorted result: %s", (said, isAsked) => {
  expect(asksForOrder(said)).toBe(isAsked);
});
