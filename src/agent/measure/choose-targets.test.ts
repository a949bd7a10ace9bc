import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { readSignature } from "../state/statement-signature.ts";
import { chooseTargets, saysLittle } from "./choose-targets.ts";

const failing = (name: string, type: string, message: string): TestOutcome => ({
  key: { package: "", target: "test/a.py", name },
  status: "failed",
  durationMs: 1,
  failure: { type, message, frames: [], text: `${type}: ${message}` },
});
const wrong = failing("TestSum::test_sum", "AssertionError", "3 != 4");
const other = failing("TestSum::test_sum_of_none", "TypeError", "'NoneType' is not iterable");
const offline = failing("test_fetch", "ConnectionError", "[Errno -2] Name or service not known");
const refused = failing("test_serve", "ConnectionError", "ENETUNREACH 127.0.0.1:8000");

function choose(named: string[], statement: string, outcomes = [wrong, other, offline]) {
  return chooseTargets({ named, statement, signature: readSignature(statement), failing: outcomes });
}

function namesOf(chosen: ReturnType<typeof choose>): string[] {
  return chosen.ok ? chosen.value.targets.map(({ key }) => key.name) : [];
}

test("without a word of the user, all that fail for a reason of their own", () => {
  const chosen = choose([], "");
  expect(namesOf(chosen)).toEqual(["TestSum::test_sum", "TestSum::test_sum_of_none"]);
  expect(chosen).toMatchObject({
    value: { others: ["test/a.py::test_fetch"], othersBecause: "need the network" },
  });
});

test("a test that needs the network is the task where no other fails, and one that asks this machine always", () => {
  expect(namesOf(choose([], "", [offline]))).toEqual(["test_fetch"]);
  expect(namesOf(choose([], "", [wrong, refused]))).toEqual(["TestSum::test_sum", "test_serve"]);
});

test("by a statement, those that show what it says", () => {
  const chosen = choose([], "It fails with TypeError: 'NoneType' is not iterable");
  expect(namesOf(chosen)).toEqual(["TestSum::test_sum_of_none"]);
  expect(chosen).toMatchObject({ value: { othersBecause: "do not match the statement" } });
});

test.for([["test_sum"], ["TestSum::test_sum"], ["test/a.py::TestSum::test_sum"]])(
  "by the name %s",
  ([name]) => {
    const chosen = choose([name ?? ""], "");
    expect(namesOf(chosen)).toEqual(["TestSum::test_sum"]);
    expect(chosen).toMatchObject({ value: { othersBecause: "were not named", reason: { holds: true } } });
  },
);

test("all of a file, and one that needs the network, when they are named", () => {
  expect(namesOf(choose(["test/a.py"], ""))).toHaveLength(3);
  expect(namesOf(choose(["test_fetch"], ""))).toEqual(["test_fetch"]);
});

test("by a short name behind the word test in the statement, not by the name of a function", () => {
  const outcomes = [failing("fee", "Failed", "exit code 1"), failing("sum", "Failed", "exit code 1")];
  expect(namesOf(choose([], "Parcels cost too little. The test `fee` of ctest fails.", outcomes))).toEqual([
    "fee",
  ]);
  expect(choose([], "`fee` is too small. The test `other` is fine.", outcomes)).toMatchObject({
    value: { reason: { holds: false } },
  });
});

test.each([
  "It must check `null` first.",
  "The test `null` fails.",
  "The test `test_fetch` fails offline; ignore it.",
  "The test `test_fetch` fails.",
  "The test `TestSum::test_sum` passes, but larger numbers are wrong.",
])("no test is named by a verb, a part of a name, or a name set aside: %s", (statement) => {
  const returns = failing("fetch returns null", "Failed", "exit code 1");
  const known = { ...wrong, failure: undefined };
  const request = { statement, signature: { ...readSignature(""), errorTypes: [] }, named: [] };
  expect(chooseTargets({ ...request, failing: [returns, offline, known] })).toMatchObject({
    value: { reason: { holds: false } },
  });
});

test.each(["The test `test_sum` no longer passes.", "Tests `TestSum::test_sum` and `x` fail."])(
  "a test that the statement names: %s",
  (statement) => {
    expect(namesOf(choose([], statement, [wrong, offline]))).toEqual(["TestSum::test_sum"]);
  },
);

test("a name that no failing test has is said, with the names that there are", () => {
  const chosen = choose(["test_su"], "");
  expect(chosen).toMatchObject({
    ok: false,
    message: expect.stringMatching(/named test_su.*TestSum::test_sum/),
  });
});

test("a test of a target that does not build is the target, for it has no outcome of its own", () => {
  const broken = failing("", "CompileError", "no method named `more`");
  const elsewhere = { ...broken, key: { ...broken.key, target: "test/b.py" } };
  const targetsOf = (name: string) => {
    const chosen = choose([name], "", [wrong, broken, elsewhere]);
    return chosen.ok
      ? chosen.value.targets.map(({ key }) => `${key.target} ${key.name}`.trim())
      : chosen.kind;
  };
  expect(targetsOf("test/b.py::test_more")).toEqual(["test/b.py"]);
  expect(targetsOf("test_more")).toEqual(["test/a.py", "test/b.py"]);
  expect(targetsOf("test_sum")).toEqual(["test/a.py TestSum::test_sum"]);
  expect(targetsOf("test/c.py::test_more")).toBe("nothing-fails");
});

test("by words alone it is not certain, and a test that needs the network does not fit by them", () => {
  const total = failing("test_fetch_total", "AssertionError", "the total of a known service is 3");
  const statement = "Fetching the total of a service whose name is not known gives too much";
  const words = choose([], statement, [total, offline]);
  expect(namesOf(words)).toEqual(["test_fetch_total"]);
  expect(words).toMatchObject({ value: { isCertain: false } });
  expect(choose([], "It fails with TypeError")).toMatchObject({ value: { isCertain: true } });
  expect(choose([], "")).toMatchObject({ value: { isCertain: true } });
});

test("what a failing test calls counts where none prints what the statement names, and is not certain", () => {
  const statement = "`add_up` gives one less";
  const request = {
    ...{ named: [], statement, signature: readSignature(statement), failing: [wrong, other] },
  };
  expect(saysLittle(request)).toBe(true);
  expect(chooseTargets(request)).toMatchObject({ value: { reason: { holds: false } } });
  const no = { matches: false, isStrong: false, evidence: "" };
  const byText = [{ matches: true, isStrong: true, evidence: 'they share: "add_up"' }, no];
  expect(chooseTargets({ ...request, byText })).toMatchObject({
    value: { targets: [wrong], reason: { holds: true }, isCertain: false },
  });
  expect(saysLittle({ ...request, named: ["test_sum"] })).toBe(false);
});
