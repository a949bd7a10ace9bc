import { expect, test } from "vitest";
import { dialects } from "../../../syntax/dialects/index.generated.ts";
import { everyGuards, guardsOf, scriptOf, signsOf } from "./find-guards.ts";

test("every language whose code Millwright changes has signs of its own, once", () => {
  for (const { language } of dialects) {
    expect(guardsOf(language)?.signs.length, language).toBeGreaterThan(0);
    expect(signsOf(language).length).toBeGreaterThan(guardsOf(language)?.signs.length ?? 0);
  }
  const named = everyGuards.flatMap(({ languages }) => languages);
  expect(new Set(named).size).toBe(named.length);
});

test("scripts have only their own signs, and a file is read by its ending", () => {
  expect(signsOf("shell")).toEqual(guardsOf("shell")?.signs);
  expect(scriptOf("tests/run.sh")).toBe("shell");
  expect(scriptOf("lib/cart.rb")).toBe("ruby");
  expect(scriptOf("README.md")).toBeUndefined();
  expect(signsOf("cobol")).toEqual([]);
});
