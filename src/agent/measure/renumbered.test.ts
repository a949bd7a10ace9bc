import { expect, test } from "vitest";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { pairRenumbered } from "./renumbered.ts";

const key = (name: string): TestKey => ({ package: "", target: "time_test.go", name });
const ended = (name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  ...{ key: key(name), status, durationMs: 1 },
});
const base = [
  "TestTime",
  "TestTime/1;rfc/utc",
  "TestTime/2;iso/utc",
  "TestTime/2;iso/local",
  "TestOther/3_a",
];

test.each<[string, readonly string[], readonly TestOutcome[], readonly string[]]>([
  [
    "cases behind a new one have higher numbers",
    ["TestTime/2;iso/utc", "TestTime/2;iso/local"],
    [ended("TestTime/2;new/utc"), ended("TestTime/3;iso/utc"), ended("TestTime/3;iso/local")],
    ["TestTime/2;iso/utc", "TestTime/2;iso/local"],
  ],
  [
    "the entry itself has another number",
    ["TestTime/2;iso/utc"],
    [ended("TestTime/2;iso/utc2"), ended("TestTime/5;iso/utc")],
    ["TestTime/2;iso/utc"],
  ],
  ["one of them fails", ["TestTime/2;iso/utc"], [ended("TestTime/3;iso/utc", "failed")], []],
  ["it is gone", ["TestTime/2;iso/utc"], [ended("TestTime/3;new/utc")], []],
  [
    "of two entries one is left",
    ["TestTime/2;iso/utc", "TestTime/4;iso/utc"],
    [ended("TestTime/3;iso/utc")],
    [],
  ],
  ["another test has such a name", ["TestOther/3_a"], [ended("TestTime/4_a")], []],
])("%s", (_, gone, outcomes, paired) => {
  const found = pairRenumbered(gone.map(key), base.map(key), outcomes);
  expect([...found.values()].map((outcome) => [outcome.key.name, outcome.status])).toEqual(
    paired.map((name) => [name, "passed"]),
  );
});
