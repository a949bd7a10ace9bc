import { expect, test } from "vitest";
import { isMetBefore } from "./met-before.ts";
import { tell } from "./without-code.ts";

test("an absence and what stays can hold before, and what a condition denies cannot", () => {
  const said = (text: string): boolean => isMetBefore({ text });
  for (const text of [
    "If testpaths is set and at least one of its patterns matches a path, pytest emits no such warning and collects from the matching paths only.",
    "If testpaths is not set or is empty, pytest emits no such warning.",
    "If paths are given on the command line, pytest emits no such warning even if testpaths matches nothing.",
    "Valid names must not raise an error.",
    "The old option still works.",
    "If a path is given, or if testpaths is empty, the command does not warn.",
  ])
    expect(said(text), text).toBe(true);
  for (const text of [
    "If testpaths is set and none of its patterns matches a path, pytest emits a warning.",
    "A name that does not exist raises KeyError.",
    "The command no longer prints a warning.",
    "An empty list is refused.",
    "Files without an extension get .txt when no type is given.",
    "A name must not be empty: an empty name is refused.",
    "Numbers above 100 are rejected; they must not reach the store.",
    "Retries cannot exceed five.",
    "Passwords are never logged.",
    "The parser should not accept trailing commas.",
    "The cache keeps the last ten results.",
    "Results stay sorted by name.",
    "The old option still works but prints a deprecation warning.",
    "If a path is missing, the command prints a warning, and does not collect anything.",
  ])
    expect(said(text), text).toBe(false);
  expect(isMetBefore({ text: "The default is 5.", kept: true })).toBe(true);
  expect(isMetBefore({ text: "It emits no warning.", kept: false })).toBe(true);
});

test("a requirement that holds without the code is told and not missing; some other test must still fail", () => {
  const key = (name: string) => ({ package: "", target: "testing/test_collection.py", name });
  const listed = [
    "A missing path gives a warning",
    "It emits no such warning with a path",
    "The default is 5",
  ];
  const tests = ["test_warns", "test_does_not_warn", "test_default"];
  const requirements = listed.map((text, index) => ({
    id: String(index + 1),
    text,
    tests: tests.slice(index, index + 1),
    changes: [],
    ...(index === 2 ? { kept: true } : {}),
  }));
  const quiet = [
    { key: key("test_does_not_warn"), before: "passes" as const },
    { key: key("test_default"), before: "passes" as const },
  ];
  const told = tell([{ key: key("test_warns"), before: "fails" }, ...quiet], requirements);
  expect(told.missing).toEqual([]);
  expect(told.predicate.holds).toBe(true);
  expect(told.predicate.evidence).toContain(
    "according to the patch's author, requirement 3 holds without the code, and the patch keeps it; the tests of requirement 2 also pass without the code, because this requirement asks for behaviour that stays",
  );
  // Nothing shows new code if all new tests pass without it, whatever their authors say.
  const vacuous = tell([{ key: key("test_warns"), before: "passes" }, ...quiet], requirements);
  expect(vacuous.predicate.holds).toBe(false);
  expect(vacuous.missing).toHaveLength(1);
});
