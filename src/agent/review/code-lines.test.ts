import { expect, test } from "vitest";
import { joinCode } from "./code-lines.ts";

test("leaves out lines without code, and blanks at line ends", () => {
  expect(joinCode(["def fee():", "", "      ", "    return 3   "])).toBe("def fee():\n    return 3");
  expect(joinCode(Array.from({ length: 10_000 }, () => "   "))).toBe("");
});
