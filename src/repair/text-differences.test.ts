import { expect, test } from "vitest";
import { differencesOf } from "./text-differences.ts";

const changed = (piece: string, text: string): string[] =>
  differencesOf(piece, text).map(
    ({ start, end, inserted }) => piece.slice(0, start) + inserted + piece.slice(end),
  );

test("one place differs", () => {
  expect(changed('" is no valid number', 'Error: "a" is not a valid number!')).toEqual([
    '" is not a valid number',
  ]);
  expect(changed("--{name}+[", "--{name}=[x]")).toEqual(["--{name}=["]);
  expect(changed("the kite", "they kite")).toContain("they kite");
});

test("the expected text continues", () => {
  expect(changed("; SameSite", "a=b; SameSite=Strict")).toContain("; SameSite=Strict");
  expect(changed("' wasn't found", "'a' wasn't found\\n")).toContain("' wasn't found\\n");
});

test("the piece loses its beginning", () => {
  expect(changed("; -moz-tab-size: ", "<pre style='-moz-tab-size: 4'>")).toContain("-moz-tab-size: ");
});

test("texts with little in common have no difference", () => {
  expect(changed("unknown option", "missing argument")).toEqual([]);
  expect(changed("abc", "abcd")).toEqual([]);
  expect(changed("no such file", "no such file")).toEqual([]);
});
