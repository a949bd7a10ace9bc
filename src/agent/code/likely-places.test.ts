import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Entity, EntityKind } from "../../graph/contract.ts";
import { findNamed, isNamed } from "./likely-places.ts";

const definitions = [
  { name: "isByteLength", startLine: 4, endLine: 17 },
  { name: "walk", startLine: 20, endLine: 30 },
];

test.each<[string, string, number, boolean]>([
  ["a name in a word's form of code", "isByteLength throws on some strings", 6, true],
  ["a quoted name", "`tree.walk` never ends", 21, true],
  ["a call", "walk() never ends", 21, true],
  ["a name that prose calls a function", "This changes the walk method", 21, true],
  ["the scope of a commit", "fix(walk): end", 21, true],
  ["a common word", "I walk through the tree", 21, false],
  ["the name of another definition", "isByteLength throws", 21, false],
])("the likeliest place is certain or not by %s", (_, statement, startLine, expected) => {
  expect(isNamed({ startLine, endLine: startLine + 2 }, statement, definitions)).toBe(expected);
});

const entity = (
  name: string,
  kind: EntityKind,
  startLine: number,
  endLine: number,
  inTests = false,
): Entity =>
  partOf<Entity>({
    id: startLine,
    name,
    kind,
    path: "version.go",
    startLine,
    endLine,
    inTests,
    isTest: false,
  });
const graph = {
  named: (name: string) =>
    [
      entity("NewVersion", "function", 142, 194),
      entity("NewVersion", "function", 3, 9, true),
      entity("Equal", "method", 392, 394),
      entity("longType", "class", 1, 300),
      ...[1, 2, 3, 4].map((line) => entity("manyTimes", "method", line, line)),
      entity("aField", "field", 5, 5),
      entity("LostError", "class", 7, 8),
      entity("Walk", "class", 20, 30),
    ].filter((each) => each.name === name),
  children: (id: Entity["id"]) => (id === 20 ? [entity("step", "method", 21, 22)] : []),
  members: () => [],
};

test.each([
  ["NewVersion accepts 01.2.3", [142]],
  ["This changes the Equal method, and NewVersion", [142, 392]],
  ["`Walk` raises a LostError", [20]],
  ["longType, manyTimes and aField are wrong", []],
])("the functions that the statement names are places: %s", (statement, lines) => {
  const found = findNamed(graph, statement).map(({ startLine }) => startLine);
  expect(found.toSorted((one, other) => one - other)).toEqual(lines);
});
