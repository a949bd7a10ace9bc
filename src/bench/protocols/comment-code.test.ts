import { expect, test } from "vitest";
import { commentCode } from "./comment-code.ts";

test("adds comments before lines with code, and leaves code, headers and documentation as they are", async () => {
  const python = [
    ...["#!/usr/bin/env python3", '"""Fees."""', "from math import floor", "", "def fee(price):"],
    ...['    """The fee."""', "    if price < 0:", "        return 0", "    return floor(price)"],
  ];
  expect((await commentCode("fee.py", python.join("\n")))?.split("\n")).toEqual([
    ...["#!/usr/bin/env python3", '"""Fees."""', "# (comment)", "from math import floor", ""],
    ...["def fee(price):", '    """The fee."""', "    # (comment)", "    if price < 0:"],
    ...["        # (comment)", "        return 0", "    # (comment)", "    return floor(price)"],
  ]);
  const go = "package fee\n\nfunc Fee(a int) int {\n\tif a < 0 {\n\t\treturn 0\n\t}\n\treturn a\n}\n";
  expect(await commentCode("fee.go", go)).toContain("\t\t// (comment)\n\t\treturn 0\n");
  expect(await commentCode("fee.txt", "1\n")).toBeUndefined();
});

test("changes no text that the code contains", async () => {
  const [open, inner] = ["export function tag(a) {\n  return `\n", "$".concat("{a ? 1 : 2}\n`")];
  const script = `${open}${inner};\n}\n`;
  const commented = await commentCode("tag.js", script);
  expect(commented ?? script).toContain(`\`\n${inner}`);
});
