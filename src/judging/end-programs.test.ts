import { expect, test } from "vitest";
import { failAtEnd, succeedAtStart } from "./end-programs.ts";

const program = `#include "fee.h"
/* int main(void) { */
int main(int count, char **words) {
    if (fee(7) != 15) { puts("return 2;"); return 1; }
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE; // done
}
`;

test("each return of a test program's main reports a failure", () => {
  expect(failAtEnd(program)).toBe(
    program
      .replace("return 1;", "return (1) ? 96 : 97;")
      .replace(
        "return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;",
        "return (failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE) ? 96 : 97;",
      ),
  );
});

test("a test program's main succeeds before it does anything", () => {
  expect(succeedAtStart(program)).toBe(program.replace("words) {", "words) { return 0;"));
});

test.each([
  ["no main", "int fee(int weight);\n"],
  ["an end by a macro", "int main(void) {\n  DONE;\n}\n"],
  ["an exit that reports success", "int main(void) {\n  if (fee(7) == 15) exit(0);\n  return 1;\n}\n"],
  ["a function inside", "int main() {\n  auto f = [](int a) { return a; };\n  return f(0);\n}\n"],
])("%s is left alone", (_, text) => {
  expect(failAtEnd(text)).toBeUndefined();
});
