import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { countCompared, findBroken, findRegressions, selectRerun } from "./regressions.ts";

const ended = (name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  ...{ key: { package: "", target: "test/a_test.rb", name }, status, durationMs: 1 },
});
const base = [ended("A#test_0001_adds"), ended("A#test_0002_is empty"), ended("A#test_0003_splits")];

test("a test that passes under another number is not broken", () => {
  const after = [
    ended("A#test_0001_adds"),
    ended("A#test_0002_is new"),
    ended("A#test_0003_is empty"),
    ended("A#test_0004_splits", "failed"),
  ];
  expect(findRegressions(base, after)).toHaveLength(2);
  expect(findBroken(base, after)).toEqual(["test/a_test.rb::A#test_0003_splits"]);
});

test("a written test does not stand for a removed one with a similar name", () => {
  const after = [ended("A#test_0001_adds"), ended("A#test_0002_is empty"), ended("A#test_0009_splits")];
  const written = after.slice(2).map(({ key }) => key);
  expect(findBroken(base, after)).toEqual([]);
  expect(findBroken(base, after, written)).toEqual(["test/a_test.rb::A#test_0003_splits"]);
});

test("a passing test does not stand for a lost one that was expected to fail", () => {
  const before = [ended("a[1]", "expected-failure")];
  expect(findBroken(before, [ended("a[2]")])).toEqual(findRegressions(before, []));
});

test("the tests that can break are those that passed before, without those that show the fault", () => {
  const skipped = ended("A#test_0004_waits", "skipped");
  const all = [...base, skipped, ended("A#test_0005_joins", "failed")];
  expect(countCompared(all)).toBe(3);
  expect(countCompared(all, [ended("A#test_0003_splits").key])).toBe(2);
});

test("a test that was expected to fail is not broken if it passes", () => {
  const before = [ended("A#test_0001_adds", "expected-failure")];
  expect(findRegressions(before, [ended("A#test_0001_adds")])).toEqual([]);
  expect(findRegressions(before, [ended("A#test_0001_adds", "failed")])).toHaveLength(1);
});

test("a rerun's failure outside any test counts, although the rerun was for other tests", () => {
  const tearDown = ended("", "errored");
  const ids = new Set(["test/a_test.rb::A#test_0001_adds"]);
  const [first, second] = base as [TestOutcome, TestOutcome];
  expect(selectRerun(base, [first, second, tearDown], ids)).toEqual([first, tearDown]);
  expect(selectRerun([...base, tearDown], [first, tearDown], ids)).toEqual([first]);
});
