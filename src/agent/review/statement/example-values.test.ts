import { expect, test } from "vitest";
import { isOnlyExample } from "./example-values.ts";

test.each([
  [
    "A parcel of 7 kilograms costs 10 now. Each kilogram above the second has to cost 3, so it has to be 15.",
    true,
  ],
  ["For example, 7 kilograms give 10. All heavy parcels must cost more.", true],
  ["A parcel of 7 kilograms costs 10 now, but it has to cost 15.", false],
  ["A parcel of 7 kilograms costs 10. Every other parcel should stay as it is.", false],
  ["A parcel of 7 kilograms costs 10, which breaks all orders.", false],
  ["Each parcel of more than 7 kilograms has to cost 15. It costs 10 now.", false],
  ["Parcels of 7 kilograms are special. Each of them has to cost 15.", false],
  ["A parcel of 7 kilograms costs 10. All parcels must keep their price, but this one costs 15.", false],
  ["Zone 7 costs 10 now. Every zone must still have one price.", false],
])("%s", (statement, isExample) => {
  expect(isOnlyExample("n:7", statement, statement)).toBe(isExample);
});

test("documentation that names the value excuses it", () => {
  const statement = "7 kilograms cost 10 now. Each kilogram has to cost 3.";
  expect(isOnlyExample("n:7", statement, statement)).toBe(true);
  expect(isOnlyExample("n:7", `${statement}\n\nParcels of 7 kilograms are large.`, statement)).toBe(false);
});

test.each([
  ["A parcel of 7 kilograms costs 10, and should cost 15", true],
  ["I only get 10 for 7 kilograms, expected 15", true],
  ["A parcel of seven kilograms costs 10", true],
  ["Parcels of a week are too cheap", true],
  ["Zone 7 costs 15", false],
  ["Tier 7 has to cost 15, not 10", false],
  ["The price is 15 if the zone is 7", false],
  ["HTTP 7, class 7, row 7 and `grade` 7 cost 15", false],
  ["`fee` is wrong: weight 7 gives 10, and it should be 15", true],
  ["For input 7 it returns 10 instead of 15", true],
  ["When passed 7, it returns 10, not 15", true],
  ["Given 7, it returns 10", true],
  ["With weight = 7 the fee is 10, and should be 15", true],
  ["Input 7 gives 10, input 9 gives 12", true],
  ["Weight 7 gives 10 instead of 15, weight 9 gives 10 instead of 21", true],
  ["Pizza 7 costs 15, pizza 8 costs 20", false],
  ["Status 7 gives 10 instead of 15", false],
  ["Exactly 7 kilograms cost 15", false],
  ["Only parcels of 7 kilograms cost 15", false],
  ["7 kilograms cost 15, and all others keep their price", false],
])("with a number as result: %s", (statement, isExample) => {
  expect(isOnlyExample("n:7", statement, statement, { result: "n:15" })).toBe(isExample);
});

test("a name that the code computes with is an amount, unless the prose lists several", () => {
  const isExample = (statement: string) =>
    isOnlyExample("n:7", statement, statement, { result: "n:15", isQuantity: true });
  expect(isExample("For weight 7 I get 10, but expected 15")).toBe(true);
  expect(isExample("Zone 7 costs 15, and zone 8 costs 20")).toBe(false);
});

test("a list of the code's own input is a list of samples", () => {
  const statement = "Size 7 costs 15, size 8 costs 18";
  const isExample = (name: string) => isOnlyExample("n:7", statement, statement, { result: "n:15", name });
  expect(isExample("size")).toBe(true);
  expect(isExample("pizza")).toBe(false);
});
