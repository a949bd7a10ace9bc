import { expect, test } from "vitest";
import type { Entity } from "../../graph/contract.ts";
import { type CalledContext, findCalled } from "./called-places.ts";

const texts: Readonly<Record<string, string>> = {
  "src/date.rs": "fn parse_from_rfc2822(s: &str) {\n  parse(s);\n  unrelated_thing(s)\n}",
  "src/scan.rs":
    "fn parse(s: &str) {\n  parse_rfc2822(s)\n}\nfn parse_rfc2822(s: &str) {\n  scan::offset_of_rfc2822(s)\n}\nfn offset_of_rfc2822(s: &str) {\n}\nfn unrelated_thing(s: &str) {\n}",
};
const entities: Entity[] = Object.entries(texts).flatMap(([path, text], file) =>
  text.split("\n").flatMap((line, at) => {
    const name = /^fn (\w+)/.exec(line)?.[1];
    const span = { startLine: at + 1, endLine: at + 3 };
    return name === undefined
      ? []
      : [{ id: 100 * file + at, path, name, kind: "function", inTests: false, ...span } as Entity];
  }),
);
const context: CalledContext = {
  linesOf: (path) => texts[path]?.split("\n"),
  graph: {
    file: () => ({}) as never,
    outline: (path) => entities.filter((each) => each.path === path),
    // Nothing is resolved, so every function with a call's name is taken.
    outgoing: () => [],
    named: (name) => entities.filter((each) => each.name === name),
  },
};
const ranked = [{ file: "src/date.rs", startLine: 1, endLine: 4 }];

test("of what a named function calls, some calls away too, what shares words with the statement is taken", () => {
  const found = findCalled(context, ranked, "parse_from_rfc2822 says that the offset is not there");
  expect(found.map(({ file, startLine }) => `${file}:${startLine}`)).toEqual([
    "src/scan.rs:4",
    "src/scan.rs:7",
  ]);
  expect(found[0]?.why).toBe("called from parse_from_rfc2822");
  expect(findCalled(context, ranked, "the offset of a date in rfc2822 is not there")).toEqual([]);
});
