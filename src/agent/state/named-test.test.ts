import { expect, test } from "vitest";
import { findNamed, isNamedBy } from "./named-test.ts";

const ruby = "test/functions/test_base.rb::REXMLTests::FunctionsTester#test_strings";
const python = "tests/test_packs.py::PacksTest.test_begun";
const spec = "test/zone.test.js::Zone > finds the zone";
const some = "tests/test_pay.py::test_pays[0-a::b]";

test.each([
  [ruby, ruby],
  [ruby, "test_strings"],
  [ruby, "#test_strings"],
  [ruby, "FunctionsTester#test_strings"],
  [ruby, "FunctionsTester.test_strings"],
  [ruby, "test_strings (test/functions/test_base.rb)"],
  [ruby, "test_strings (functions/test_base.rb)"],
  [ruby, "test_strings(REXMLTests::FunctionsTester)"],
  [ruby, "test/functions/test_base.rb::test_strings"],
  [python, "tests/test_packs.py::PacksTest::test_begun"],
  [python, " test_begun "],
  [python, "test_begun (tests.test_packs.PacksTest)"],
  [python, "test_begun (tests.test_packs.PacksTest.test_begun)"],
  [spec, "finds the zone"],
  [spec, "Zone > finds the zone"],
  [some, "test_pays"],
  [some, "test_pays[0-a::b]"],
  [some, "tests/test_pay.py::test_pays"],
  ["syntax/parser_test.go::TestNodeEndPos", "TestNodeEndPos"],
  ["src/lib.rs::src/lib.rs - packs", "src/lib.rs - packs"],
])("%s is named by %s", (id, name) => {
  expect(isNamedBy(id, name)).toBe(true);
});

test.each([
  [ruby, "strings"],
  [ruby, "OtherTester#test_strings"],
  [ruby, "test_strings (test/functions/test_other.rb)"],
  [ruby, "test_strings (e.rb)"],
  [ruby, "test/functions/test_other.rb::test_strings"],
  [ruby, "test_strings and test_numbers"],
  [spec, "zone"],
  [spec, "the zone"],
  [some, "test_pays[1-a]"],
  [some, "b]"],
  ["tests/test_a.py::test_it[test_other]", "test_other"],
  ["a/[id]/page.test.ts::renders [x]", "a/"],
  [python, ""],
  [python, "test_begun (tests.test_packs.OtherTest)"],
  [python, "test_begun (tests.test_other.PacksTest)"],
])("%s is not named by %s", (id, name) => {
  expect(isNamedBy(id, name)).toBe(false);
});

test("a name of several tests names none of them, except the cases of one test", () => {
  const cases = ["a.py::test_pays[0]", "a.py::test_pays[1]"];
  expect(findNamed(cases, "test_pays")).toEqual(cases);
  const twice = ["a.py::A.test_pays", "a.py::B.test_pays", "test_pays"];
  expect(findNamed(twice.slice(0, 2), "test_pays")).toEqual([]);
  expect(findNamed(twice, "B.test_pays")).toEqual(["a.py::B.test_pays"]);
  expect(findNamed(twice, "test_pays")).toEqual(["test_pays"]);
});
