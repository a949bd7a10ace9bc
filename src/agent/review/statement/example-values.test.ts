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
])("%s", (statement, isExample) => {
  expect(isOnlyExample("n:7", statement, statement)).toBe(isExample);
});

test("documentation that names the value excuses it", () => {
  const statement = "7 kilograms cost 10 now. Each kilogram has to cost 3.";
  expect(isOnlyExample("n:7", statement, statement)).toBe(true);
  expect(isOnlyExample("n:7", `${statement}\n\nParcels of 7 kilograms are large.`, statement)).toBe(false);
});
