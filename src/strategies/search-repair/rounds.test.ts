import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Choice } from "./choose.ts";
import { combine, mergeChoices, type Part } from "./rounds.ts";

test("a part that was not measured does not hide the reservations about another part", () => {
  const reservation = { says: "the tests also pass without the changed statement", isGrave: true };
  const choiceOf = (reservations: Choice["reservations"]): Choice =>
    partOf<Choice>({ doubts: [], remarks: [], strongDoubts: [], reservations, apartFrom: undefined });
  const merged = (...all: Choice["reservations"][]) => mergeChoices([], all.map(choiceOf)).reservations;
  expect(merged([reservation], undefined)).toEqual([reservation]);
  expect(merged([], undefined)).toBeUndefined();
  expect(merged([], [])).toEqual([]);
});

test("a test that two parts repair together counts once, so the parts are a whole repair", () => {
  const partOfRepair = (id: string, ...turned: string[]) =>
    partOf<Part>({ candidate: { id, origin: id }, verdict: { othersFixed: 0 }, turned });
  const recorder = { events: [], append: () => {} };
  const repair = combine(
    partOf<Parameters<typeof combine>[0]>({ recorder }),
    [partOfRepair("c1", "t::a", "t::c"), partOfRepair("c2", "t::b", "t::c")],
    "tree",
    partOf<Parameters<typeof combine>[3]>({ targets: [{}, {}, {}] }),
  );
  expect(repair.candidate.id).toBe("together-2");
  expect(repair.verdict).toMatchObject({ verdict: "plausible", fixed: 3 });
});
