import { runProcess } from "../../src/base/process.ts";
import pytest from "../../src/languages/python/pytest.ts";
import unittest from "../../src/languages/python/unittest.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

async function findMissing(module: string): Promise<string | undefined> {
  const result = await runProcess(["python3", "-c", `import ${module}`], { timeoutMs: 60_000 });
  return result.exitCode === 0 ? undefined : `python3 has no ${module}`;
}

const prices = "parcels/prices.py";

export const pythonFixtures: readonly FrameworkFixture[] = [
  {
    framework: pytest,
    repository: "python-pytest",
    unavailable: () => findMissing("pytest"),
    detected: "python3 -m pytest",
    statuses: {
      "tests/test_hostile.py::test_hangs": "timed-out",
      "tests/test_hostile.py::test_closes_files": "passed",
      "tests/test_hostile.py::test_replaces_the_library": "passed",
      "tests/test_hostile.py::test_traces_by_itself": "passed",
      "tests/test_hostile.py::test_forks": "passed",
      "tests/test_hostile.py::test_exits": "failed",
      "tests/test_hostile.py::test_after_the_others": "passed",
      "tests/test_prices.py::test_light_parcel": "passed",
      "tests/test_prices.py::test_heavy_parcel": "failed",
      "tests/test_prices.py::test_unknown_kind": "failed",
      "tests/test_prices.py::test_base[a letter::[1]]": "passed",
      "tests/test_prices.py::test_base[ein P\\xe4ckchen / 100%]": "passed",
      "tests/test_prices.py::TestTotals::test_totals": "passed",
      "tests/test_prices.py::TestTotals::test_strike": "skipped",
      "tests/test_prices.py::TestOldStyle::test_thread": "passed",
      "tests/test_prices.py::test_known_fault": "expected-failure",
      "tests/test_prices.py::test_repaired_fault": "failed",
      "tests/test_prices.py::test_fixture": "passed",
      "tests/test_prices.py::test_broken_fixture": "errored",
      "tests/test_prices.py::test_broken_tear_down": "errored",
      "tests/test_prices.py::test_recursion": "failed",
      "tests/test_not_loading.py::": "errored",
    },
    failures: {
      "tests/test_hostile.py::test_hangs": { type: "TimeoutError", message: /took longer than/, frames: [] },
      "tests/test_hostile.py::test_exits": {
        type: "SystemExit",
        message: /^3$/,
        frames: ["tests/test_hostile.py:42"],
      },
      "tests/test_prices.py::test_heavy_parcel": {
        type: "AssertionError",
        message: /650 == 651/,
        frames: ["tests/test_prices.py:13"],
      },
      "tests/test_prices.py::test_unknown_kind": {
        type: "UnknownKind",
        message: /no price for 'crate'/,
        frames: ["tests/test_prices.py:17", `${prices}:18`, `${prices}:14`],
      },
      "tests/test_prices.py::test_broken_fixture": {
        type: "ConnectionError",
        message: /no database/,
        frames: ["tests/conftest.py:13"],
      },
      "tests/test_prices.py::test_recursion": { type: "RecursionError", message: /recursion/, frames: [] },
      "tests/test_not_loading.py::": {
        type: "ImportError",
        message: /rebates/,
        frames: ["tests/test_not_loading.py:1"],
      },
    },
    coverage: {
      "::": { [prices]: [1, 3, 6, 7, 10, 17, 24, 28, 35, 44, 52] },
      "tests/test_hostile.py::test_replaces_the_library": { [prices]: [25] },
      "tests/test_hostile.py::test_after_the_others": { [prices]: [25] },
      "tests/test_prices.py::test_light_parcel": { [prices]: [11, 12, 18, 19, 21] },
      "tests/test_prices.py::test_heavy_parcel": { [prices]: [11, 12, 18, 19, 20, 21, 25] },
      "tests/test_prices.py::test_unknown_kind": { [prices]: [11, 12, 13, 14, 18] },
      "tests/test_prices.py::TestTotals::test_totals": { [prices]: [29, 30, 31, 32] },
      "tests/test_prices.py::TestOldStyle::test_thread": {
        [prices]: [11, 12, 18, 19, 20, 21, 25, 36, 37, 39, 40, 41],
      },
      "tests/test_prices.py::test_fixture": { [prices]: [11, 12] },
    },
    oneTest: { package: "", target: "tests/test_prices.py", name: "test_base[a letter::[1]]" },
    hangingTest: { package: "", target: "tests/test_hostile.py", name: "test_hangs" },
    crash: {
      command: "python3 -m pytest crash/test_crash.py",
      statuses: {
        "crash/test_crash.py::test_before": "passed",
        "crash/test_crash.py::test_process_ends": "failed",
        "crash/test_crash.py::test_never_reached": "not-run",
      },
    },
    killed: {
      command: "python3 -m pytest crash/test_endless.py",
      finished: "crash/test_endless.py::test_before",
      during: "crash/test_endless.py::test_endless",
    },
  },
  {
    framework: unittest,
    repository: "python-unittest",
    unavailable: () => findMissing("unittest"),
    detected: "python3 -m unittest discover -s tests",
    statuses: {
      "tests/test_broken_module.py::TestNever.test_one": "errored",
      "tests/test_not_loading.py::": "errored",
      "tests/test_prices.py::TestBrokenClass.test_one": "errored",
      "tests/test_prices.py::TestBrokenClass.test_two": "errored",
      "tests/test_prices.py::TestBrokenSetUp.test_one": "errored",
      "tests/test_prices.py::TestBrokenTearDown.test_one": "errored",
      "tests/test_prices.py::TestPrice.test_each_kind": "failed",
      "tests/test_prices.py::TestPrice.test_hangs": "timed-out",
      "tests/test_prices.py::TestPrice.test_heavy_parcel": "failed",
      "tests/test_prices.py::TestPrice.test_known_fault": "expected-failure",
      "tests/test_prices.py::TestPrice.test_light_parcel": "passed",
      "tests/test_prices.py::TestPrice.test_repaired_fault": "failed",
      "tests/test_prices.py::TestPrice.test_strike": "skipped",
      "tests/test_prices.py::TestPrice.test_thread": "passed",
      "tests/test_prices.py::TestPrice.test_unknown_kind": "failed",
    },
    failures: {
      "tests/test_prices.py::TestPrice.test_hangs": {
        type: "TimeoutError",
        message: /took longer than/,
        frames: [],
      },
      "tests/test_prices.py::TestPrice.test_heavy_parcel": {
        type: "AssertionError",
        message: /^650 != 651$/,
        frames: ["tests/test_prices.py:11"],
      },
      "tests/test_prices.py::TestPrice.test_each_kind": {
        type: "AssertionError",
        message: /kind='box'.*450 != 451/,
        frames: ["tests/test_prices.py:19"],
      },
      "tests/test_prices.py::TestPrice.test_unknown_kind": {
        type: "UnknownKind",
        message: /no price for 'crate'/,
        frames: ["tests/test_prices.py:14", `${prices}:18`, `${prices}:14`],
      },
      "tests/test_prices.py::TestBrokenClass.test_two": {
        type: "UnknownKind",
        message: /crate/,
        frames: ["tests/test_prices.py:53", `${prices}:14`],
      },
      "tests/test_not_loading.py::": {
        type: "ImportError",
        message: /rebates/,
        frames: ["tests/test_not_loading.py:3"],
      },
    },
    coverage: {
      "tests/test_prices.py::": { [prices]: [1, 3, 6, 7, 10, 17, 24, 28, 35, 44, 52] },
      "tests/test_prices.py::TestPrice.test_light_parcel": { [prices]: [11, 12, 18, 19, 21] },
      "tests/test_prices.py::TestPrice.test_heavy_parcel": { [prices]: [11, 12, 18, 19, 20, 21, 25] },
      "tests/test_prices.py::TestPrice.test_thread": {
        [prices]: [11, 12, 18, 19, 20, 21, 25, 36, 37, 39, 40, 41],
      },
      "tests/test_prices.py::TestBrokenClass.test_two": { [prices]: [11, 12, 13, 14] },
    },
    oneTest: { package: "", target: "tests/test_prices.py", name: "TestPrice.test_light_parcel" },
    hangingTest: { package: "", target: "tests/test_prices.py", name: "TestPrice.test_hangs" },
    crash: {
      command: "python3 -m unittest crash/test_crash.py",
      statuses: {
        "crash/test_crash.py::TestCrash.test_1_before": "passed",
        "crash/test_crash.py::TestCrash.test_2_process_ends": "failed",
        "crash/test_crash.py::TestCrash.test_3_never_reached": "not-run",
      },
    },
    killed: {
      command: "python3 -m unittest crash/test_endless.py",
      finished: "crash/test_endless.py::TestEndless.test_1_before",
      during: "crash/test_endless.py::TestEndless.test_2_endless",
    },
  },
];
