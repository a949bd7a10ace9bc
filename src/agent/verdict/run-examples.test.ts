import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { askBoth } from "./run-examples.ts";

type Examples = Parameters<typeof askBoth>[0];
const examples = partOf<Examples>([{ wanted: { text: "21", value: 21 }, isPrinted: false }]);

test.each([
  ["the same value", ["14"], ["14"]],
  ["another value", ["15"], [null]],
  ["no value", [null], ["14"]],
  ["no result, because the time is over", [], ["14"]],
])(
  "a wrong value of an example stays unless the second run gives another: %s",
  async (_, second, patched) => {
    const values = [["14"], second];
    const ask = async (tree: string) => (tree === "base" ? ["7"] : (values.shift() ?? []));
    expect((await askBoth(examples, "base", "patched", ask)).patched).toEqual(patched);
  },
);
