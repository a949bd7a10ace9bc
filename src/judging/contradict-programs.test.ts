import { expect, test } from "vitest";
import { contradictProgram } from "./contradict-programs.ts";

const helper =
  'static int check(const char *name, int got, int want) {\n  if (got == want) {\n    return 0;\n  }\n  printf("%s", name);\n  return 1;\n}\n';
const macro = "#define CHECK(a, b) do { \\\n  if ((a) != (b)) failed++; \\\n} while (0)\n";
const contradicted = (text: string): string[] => {
  const lines = text.split("\n");
  return (contradictProgram(text, () => 0) ?? text).split("\n").filter((line, at) => line !== lines[at]);
};

test.each([
  ["  assert(fee(7) == 25);", "  assert(fee(7) == 1);"],
  ["  if (fee(7) != 25) return 1;", "  if (fee(7) != 1) return 1;"],
  ["  ck_assert_int_eq(fee(7), 25);", "  ck_assert_int_eq(fee(7), 1);"],
  ["  TEST_ASSERT_EQUAL(25, fee(7));", "  TEST_ASSERT_EQUAL(1, fee(7));"],
  ['  assert(strcmp(name(7), "box") == 0);', '  assert(strcmp(name(7), "boaaax") == 0);'],
  [`${helper}  bad += check("weight 7", fee(7), 25);`, '  bad += check("weight 7", fee(7), 1);'],
  [`${macro}  CHECK(fee(7), 25);`, "  CHECK(fee(7), 1);"],
])("expects another value: %s", (text, line) => {
  expect(contradicted(text)).toEqual([line]);
});

test.each([
  "  assert(fee(7) != 25);",
  "  if (fee(7) == 25) return 0;",
  "  if (fee(7) != 25) retry();",
  "  if (name == argv[1]) assert(fee(7) == 25);",
  '  check(open("a"), 3);',
  "  assert(fee(7) == 25 || x);",
  "  assert(size == 25);",
  '  run_tests(suite(), 3, "all");',
  "  // assert(fee(7) == 25);",
  '  puts("assert(fee(7) == 25)");',
])("leaves alone what does not certainly count: %s", (text) => {
  expect(contradicted(text)).toEqual([]);
});
