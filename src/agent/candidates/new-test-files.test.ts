import { expect, test } from "vitest";
import { addsOnlyModules } from "./new-test-files.ts";

const before = "#![allow(x)]\n\nmod utf8;\n\nfn helper() {}\n";

test.each<[string, string, boolean]>([
  ["a line of a new module", before.replace("mod utf8;", "mod other;\nmod utf8;"), true],
  ["a public module", before.replace("mod utf8;", "mod utf8;\npub(crate) mod other;"), true],
  ["a module with a raw name", before.replace("mod utf8;", "mod utf8;\nmod r#type;"), true],
  ["a changed line", before.replace("helper", "other"), false],
  ["a module in place of another", before.replace("utf8", "other"), false],
  ["a removed line", before.replace("mod utf8;\n", ""), false],
  ["a module and code", before.replace("mod utf8;", "mod utf8;\nmod other;\nfn more() {}"), false],
  ["no change", before, false],
])("an author may add to a program's root only lines of modules: %s", (_, after, expected) => {
  expect(addsOnlyModules(before, after)).toBe(expected);
});
