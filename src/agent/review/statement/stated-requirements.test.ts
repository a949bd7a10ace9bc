import { expect, test } from "vitest";
import { listRequirements } from "./stated-requirements.ts";

test.each([
  "A date in the future must be refused.",
  "Times in the future are an error, too.",
  "In future, empty fields have to be kept.",
])("a duty about the future is a demand: %s", (sentence) => {
  expect(listRequirements(sentence)).toEqual([sentence]);
});

test.each([
  "Negative amounts should also work in the future.",
  "In the future we will have to read empty fields, too.",
  "We may also support leap years in the future.",
])("a plan is no demand: %s", (sentence) => {
  expect(listRequirements(sentence)).toEqual([]);
});
