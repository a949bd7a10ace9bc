import { expect, test } from "vitest";
import { listTestedFunctions } from "./list-functions.ts";

const text = `def total(items):
    result = 0
    for item in items:
        result += item
    return result


def half(value):
    if value < 0:
        raise ValueError(value)
    return value / 2


def used(value):
    value = value + 1
    value = value * 2
    return value


def inner(value):
    def add(one):
        one = one + value
        one = one * 2
        return one

    return add(1)
`;
const key = (name: string) => ({ package: "", target: "test_a.py", name });
const passed = Array.from({ length: 10 }, (_, at) => key(`test_${at}`));
const covers = (lines: readonly number[]) => ({ "a.py": [...lines] });
const all = [13, 14, 15, 16];

test("lists whole functions that some, but not most, passing tests execute completely", async () => {
  const coverage = {
    "test_a.py::": covers([1, 8, 14, 20]),
    "test_a.py::test_0": covers([2, 3, 4, 5]),
    "test_a.py::test_1": covers([9, 11]),
    "test_a.py::test_2": covers([21, 22, 23, 24, 26]),
    ...Object.fromEntries([3, 4, 5, 6].map((at) => [`test_a.py::test_${at}`, covers([...all, 17])])),
  };
  const found = await listTestedFunctions({
    ...{ files: ["a.py"], seed: 1, passed, coverage },
    read: async () => text,
    isTest: async () => () => false,
  });
  expect(
    found
      .map(({ target, tests }) => [target, tests.map(({ name }) => name)])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  ).toEqual([
    ["a.py:inner", ["test_2"]],
    ["a.py:total", ["test_0"]],
  ]);
});

test("reads the lines of a file once, not for each of its functions", async () => {
  let reads = 0;
  const covered = {
    get "a.py"() {
      reads += 1;
      return [1];
    },
  };
  await listTestedFunctions({
    ...{ files: ["a.py"], seed: 1, passed, coverage: { "test_a.py::test_0": covered } },
    read: async () => text,
    isTest: async () => () => false,
  });
  expect(reads).toBeLessThan(4);
});
