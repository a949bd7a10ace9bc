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
  ])
    expect(said(text), text).toBe(true);
  for (const text of [
    "If testpaths is set and none of its patterns matches a path, pytest emits a warning.",
    "A name that does not exist raises KeyError.",
    "The command no longer prints a warning.",
    "An empty list is refused.",
    "Files without an extension get .txt when no type is given.",
  ])
    expect(said(text), text).toBe(false);
  expect(isMetBefore({ text: "The default is 5.", kept: true })).toBe(true);
  expect(isMetBefore({ text: "It emits no warning.", kept: false })).toBe(false);
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
    "requirements 2, 3 hold without the code, and the patch keeps them",
  );
  // Nothing shows new code if all new tests pass without it, whatever their authors say.
  const vacuous = tell([{ key: key("test_warns"), before: "passes" }, ...quiet], requirements);
  expect(vacuous.predicate.holds).toBe(false);
  expect(vacuous.missing).toHaveLength(1);
});
