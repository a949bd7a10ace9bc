import { expect, test } from "vitest";
import { doubtClass, findPoint, isPoint, withPoint } from "./judge-point-repair.ts";

type Told = readonly [value: string, without: string, patched: string];

const literal = (...runs: readonly Told[]) => ({
  ...{ test: "tests/test_fee.py::test_heavy", text: "7", start: 40, isAdded: true, isComplete: true },
  kind: "value" as const,
  runs: runs.map(([value, without, patched]) => ({ value, without, patched })),
});
const same = (...runs: readonly (readonly [string, string])[]) =>
  literal(...runs.map(([value, told]): Told => [value, told, told]));
const point = same(
  ["8", "v12 = fee(8)"],
  ["6", "v8 = fee(6)"],
  ["0", "v0 = fee(0)"],
  ["14", "v24 = fee(14)"],
);

test("a literal whose every other value gives the base's result is a point", () => {
  expect(findPoint([point])).toBe(point);
  const expected = {
    ...literal(["16", "v10 == 16", "v15 == 16"], ["14", "v10 == 14", "v15 == 14"]),
    start: 60,
  };
  expect(findPoint([expected, point])).toBe(point);
});

test("one other result, few results, errors, or a value that was not tried show no point", () => {
  expect(
    isPoint(literal(["8", "v12", "v12"], ["6", "v8", "v8"], ["0", "v0", "v0"], ["14", "v24", "v36"])),
  ).toBe(false);
  expect(isPoint(same(["8", "e1"], ["6", "e2"], ["0", "e3"], ["14", "v4"]))).toBe(false);
  expect(isPoint({ ...point, isComplete: false })).toBe(false);
});

test("a message that only repeats the value tells no result", () => {
  const kinds = ["kty", "luz", "mva", "oxc"].map((kind) => `a.${kind}`);
  expect(
    isPoint(
      same(...kinds.map((kind) => [kind, `vassert False where False = is_source('${kind}')`] as const)),
    ),
  ).toBe(false);
  const widths = ["13", "11", "0", "24"];
  expect(
    isPoint(same(...widths.map((width) => [width, `vassertion failed: width(5) == ${width}`] as const))),
  ).toBe(false);
});

test("a patch that changes some but not all results of another literal follows a rule", () => {
  const year = { ...literal(["2025", "v28", "v28"], ["4048", "v28", "v29"]), start: 20 };
  expect(findPoint([year, point])).toBeUndefined();
  const part = { ...year, start: point.start };
  expect(findPoint([part, point])).toBe(point);
});

test("a rule in another test excuses a point only if the patch does not add its value", () => {
  const other = { ...literal(["9", "v18", "v27"], ["1", "v2", "v2"]), test: "tests/test_fee.py::test_light" };
  expect(findPoint([other, point])).toBe(point);
  expect(findPoint([other, { ...point, isAdded: false }])).toBeUndefined();
});

test("errors on both sides show no rule, and an untried literal leaves the question open", () => {
  const zone = { ...literal(["3", "v10", "v5"], ["0", "eKeyError", "eKeyError"]), start: 60 };
  expect(findPoint([zone, point])).toBe(point);
  expect(findPoint([{ ...zone, isComplete: false }, point])).toBeUndefined();
});

test("a point becomes an objection that names the test and the literal", () => {
  const given = { predicate: "no-standing-objection", holds: true, evidence: "nothing was found" };
  expect(withPoint(given, { doubts: [] })).toBe(given);
  const { holds, evidence } = withPoint(given, { point, doubts: [] });
  expect(holds).toBe(false);
  expect(evidence).toContain("changes the result only for 7 in tests/test_fee.py::test_heavy");
});

test("other units count if the base and the patch fail alike", () => {
  const units = (...runs: readonly (readonly [string, string])[]) => ({
    ...same(...runs),
    kind: "fault" as const,
  });
  const failing = units(["1s30d", "eValueError '1s30'"], ["1d30s", "eValueError '1d30'"]);
  expect(findPoint([failing])).toBe(failing);
  expect(isPoint(units(["1s30d", "eValueError '1s30'"]))).toBe(false);
  expect(isPoint(units(["1s30d", "v3"], ["1d30s", "v4"]))).toBe(false);
});

test("other members of a class need no complete search for a rule", () => {
  const fractions = { ...point, kind: "type" as const };
  const untried = { ...point, isComplete: false, start: 60 };
  expect(findPoint([fractions, untried])).toBe(fractions);
  const year = { ...literal(["2025", "v28", "v28"], ["4048", "v28", "v29"]), start: 20 };
  expect(findPoint([fractions, year])).toBeUndefined();
});

test("a base that returns its input gives results of a class, and its argument alone is none", () => {
  const texts = ["<c>x", "<d>x", "<e>x"];
  const returned = same(...texts.map((text) => [text, `vassert '${text}' == '&lt;b'`] as const));
  expect(isPoint({ ...returned, kind: "class" })).toBe(true);
  expect(isPoint(returned)).toBe(false);
  const given = same(
    ...texts.map((text) => [text, `vassert False where False = is_safe('${text}')`] as const),
  );
  expect(isPoint({ ...given, kind: "class" })).toBe(false);
});

test("a class is told as such, in an objection and in a doubt", () => {
  const given = { predicate: "no-standing-objection", holds: true, evidence: "nothing was found" };
  const classPoint = { ...point, kind: "class" as const };
  expect(withPoint(given, { point: classPoint, doubts: [] }).evidence).toContain(
    "handles only the signs of 7",
  );
  expect(doubtClass(classPoint)[0]).toContain("other signs of the same kind");
});
