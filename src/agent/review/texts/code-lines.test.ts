import { expect, test } from "vitest";
import { joinCode, readCode } from "./code-lines.ts";

test("leaves out lines without code, and blanks at line ends", () => {
  expect(joinCode(["def fee():", "", "      ", "    return 3   "])).toBe("def fee():\n    return 3");
  expect(joinCode(Array.from({ length: 10_000 }, () => "   "))).toBe("");
});

test("keeps a function with a long comment, and leaves out those of a line that a machine wrote", async () => {
  const commented = await readCode("a.py", `def f(a, b=[]):  # ${"word ".repeat(2000)}\n    return b\n`);
  expect(commented?.functions.map(({ name }) => name)).toEqual(["f"]);
  const bundle = Array.from({ length: 400 }, (_, at) => `function f${at}(a){return a+${at}}`).join(";");
  expect((await readCode("a.js", bundle))?.functions).toEqual([]);
  const few = Array.from({ length: 5 }, (_, at) => `function f${at}(a){return "${"x".repeat(2000)}"+a}`).join(
    ";",
  );
  expect((await readCode("a.js", few))?.functions).toHaveLength(5);
});
