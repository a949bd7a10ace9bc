import { expect, test } from "vitest";
import { once } from "./once.ts";

test("computes a value once for each object, also if the value is undefined", () => {
  const computed: string[] = [];
  const measure = once((key: { name: string }, unit: string): number | undefined => {
    computed.push(`${key.name} ${unit}`);
    return key.name === "none" ? undefined : key.name.length;
  });
  const [some, none] = [{ name: "some" }, { name: "none" }];
  expect([
    measure(some, "letters"),
    measure(some, "letters"),
    measure(none, "letters"),
    measure(none, "letters"),
  ]).toEqual([4, 4, undefined, undefined]);
  expect(measure({ name: "some" }, "letters")).toBe(4);
  expect(computed).toEqual(["some letters", "none letters", "some letters"]);
});
