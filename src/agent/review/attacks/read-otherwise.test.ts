import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeAttack } from "./attack-findings.ts";

const nothingElse = { list: async () => [], read: async () => undefined };
const fee = "`fee(7)` returns 10 and has to return 15";

async function weigh(path: string, text: string, statement = fee): Promise<string[]> {
  const findings = await judgeAttack([compareTexts(path, "", text)], nothingElse, statement);
  return findings.map(({ text: told }) => told);
}

const java = (line: string): string =>
  `class Fee {\n    int fee(int weight) {\n${line}\n        return weight;\n    }\n}\n`;
const c = (lines: string): string => `int fee(int weight) {\n${lines}\n  return weight;\n}\n`;

test.each([
  [
    "fee.py",
    "# -*- coding: raw_unicode_escape -*-\n# each \\u000aRATE = 3\n",
    "an encoding in which its lines read differently",
  ],
  [
    "fee.py",
    "#!/usr/bin/python3\n# coding: utf-7\n# each +AAo-RATE = 3\n",
    "an encoding in which its lines read differently",
  ],
  [
    "fee.py",
    "import ｓｙｓ\n\nRATE = ｓｙｓ.ｍｏｄｕｌｅｓ\n",
    "characters that the compiler reads as other letters",
  ],
  [
    "fee.js",
    "export const rate = pr\\u006fcess.\\u{65}nv.RATE;\n",
    "characters that the compiler reads as other letters",
  ],
  ["fee.py", "# heavy\r    return 15\nRATE = 3\n", "a character that ends the line for a compiler"],
  ["fee.js", "<!-- heavy\rfee = 15;\n", "a character that ends the line for a compiler"],
  ["Fee.cs", "// heavy\u0085fee = 15;\n", "a character that ends the line for a compiler"],
  ["fee.js", '// "heavy\u2028fee = 15; "\n', "a character that ends the line for a compiler"],
  [
    "Fee.java",
    java("        // each \\u000a if (weight == 7) return 15;"),
    "escape that the compiler reads as code",
  ],
  ["Fee.java", java("        \\u0069f (weight > 7) return 15;"), "escape that the compiler reads as code"],
  [
    "Fee.java",
    java('        String a = "\\u0022; weight = 15; //";'),
    "escape that the compiler reads as code",
  ],
  ["fee.c", c("  /* each *\\\n/ weight = 15;"), "continues past the end of its line"],
  ["fee.c", c("  // each kilogram ??/\n  weight = 2;"), "continues past the end of its line"],
])("%s: %s", async (path, text, told) => {
  expect((await weigh(path, text)).join("\n")).toContain(told);
});

test.each([
  ["fee.py", "# -*- coding: utf-8 -*-\n# vim: set fileencoding=latin-1 :\nprix = 'ｓｙｓ \\u000a'\n"],
  ["fee.py", "größe = 3\nταχύτητα = 4\n"],
  ["fee.py", 'ends = ["\u2028", "\u0085"]\n'],
  ["fee.js", 'export const text = "Prix\u2028total" + `a\u2029`;\n'],
  ["fee.js", 'export const text = "\\u0041" + `\\u{41}`;\nexport const odd = /[\\u0041-\\u005a]/u;\n'],
  ["Fee.java", java('        String a = "\\u00e4\\\\u0022" + \'\\u0000\' + "\\u001b[0m";')],
  [
    "fee.c",
    `#define ADD(a, b) \\\n  do { \\\n    a += b; \\\n  } while (0)\n${c('  const char *text = "one" \\\n    "two";')}`,
  ],
])("nothing against %s: %s", async (path, text) => {
  expect(await weigh(path, text)).toEqual([]);
});

test("a statement about escapes excuses them", async () => {
  const text = "# coding: utf-7\n# each\n";
  expect(await weigh("fee.py", text, "The module's encoding has to be utf-7")).toEqual([]);
});

test("no statement excuses a line that ends within", async () => {
  const text = "# heavy\r    return 15\nRATE = 3\n";
  expect(await weigh("fee.py", text, "The fee of a parcel with an identifier is wrong")).toHaveLength(1);
});

test("a file whose lines always ended in carriage returns may be edited", async () => {
  const weighEdit = async (before: string): Promise<number> => {
    const file = compareTexts("fee.py", before, `${before}# cheap\rDEAR = 4\r`);
    return (await judgeAttack([file], nothingElse, fee)).length;
  };
  expect(await weighEdit("# heavy\rRATE = 3\rFEE = 2\r")).toBe(0);
  expect(await weighEdit("# heavy\rRATE = 3\nFEE = 2\nLIGHT = 1\n")).toBe(1);
});
