import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Choice } from "./choose.ts";
import { mergeChoices } from "./rounds.ts";

test("a part that was not measured does not hide the reservations about another part", () => {
  const reservation = { says: "the tests also pass without the changed statement", isGrave: true };
  const choiceOf = (reservations: Choice["reservations"]): Choice =>
    partOf<Choice>({ doubts: [], remarks: [], strongDoubts: [], reservations, apartFrom: undefined });
  const merged = (...all: Choice["reservations"][]) => mergeChoices([], all.map(choiceOf)).reservations;
  expect(merged([reservation], undefined)).toEqual([reservation]);
  expect(merged([], undefined)).toBeUndefined();
  expect(merged([], [])).toEqual([]);
});
