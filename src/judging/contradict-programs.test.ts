import { expect, test } from "vitest";
import { contradictProgram } from "./contradict-programs.ts";

const helper =
  'static int check(const char *name, int got, int want) {\n  if (got == want) {\n    return 0;\n  }\n  printf("%s", name);\n  return 1;\n}\n';
const macro = "#define CHECK(a, b) do { \\\n  if ((a) != (b)) failed++; \\\n} while (0)\n";
const counter = "#define CHECK(a, b) if ((a) == (b)) { passed++; } else { failed++; }\n";
const asserts = "#define CHECK(a, b) assert(strcmp((a), (b)) == 0)\n";
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
  [`${counter}  CHECK(fee(7), 25);`, "  CHECK(fee(7), 1);"],
  [`${asserts}  CHECK(name(7), "box");`, '  CHECK(name(7), "boaaax");'],
  ['  if (fee(7) != 25) {\n    puts("fee");\n    errors++;\n  }', "  if (fee(7) != 1) {"],
  ["  assert_int_equal(fee(7), 25);", "  assert_int_equal(fee(7), 1);"],
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
  // Asserts that values differ.
  "  TEST_ASSERT_NOT_EQUAL(0, fee(7));",
  "  CU_ASSERT_NOT_EQUAL(make(1), 0);",
  "  assert(!is_equal(fee(7), 25));",
  "  TEST_ASSERT_FALSE(fee(7) == 25);",
  "  equalize(fee(7), 25);",
  "static void differs(int a, int b) {\n  if (a == b) exit(1);\n}\n  differs(fee(7), 25);",
  "static void check(int a, int b) { if (a == b) exit(1); }\nint f(int c) {\n  return c;\n}\n  check(fee(7), 25);",
  // Its result may be ignored, or only printed.
  `${helper}  check("weight 7", fee(7), 25);`,
  '  if (fclose(f) != 0) fprintf(stderr, "close");',
  '  if (remove(tmp(1)) != 0) perror("x");',
  "  if (fee(7) != 25) return 0;",
  "  if (slow) assert(fee(7) == 25);",
  "#define NDEBUG\n  assert(fee(7) == 25);",
  // May not be built, or not be called.
  "#if 0\n  assert(fee(7) == 25);\n#endif",
  "#ifdef SLOW\n#if 1\n#endif\n  assert(fee(7) == 25);\n#endif",
  "static void old(void) {\n  assert(fee(7) == 25);\n}\nint main(void) {\n  return 0;\n}\n",
])("leaves alone what does not certainly count: %s", (text) => {
  expect(contradicted(text)).toEqual([]);
});

test("reads a large program in a reasonable number of steps", () => {
  const many = "  if (fee(7) != 25) {\n    return 1;\n  }\n".repeat(7_000);
  const text = `int main(void) {\n${many}  return 0;\n}\n`;
  expect(contradicted(text)).toHaveLength(7_000);
  expect(contradicted(text.repeat(2))).toEqual([]);
});
