import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgePlainCases } from "./plain-special-cases.ts";

const c = "int fee(int weight) {\n  if (weight <= 2) return 0;\n  return (weight - 2) * 2;\n}\n";
const shell = 'fee() {\n  if [ "$1" -le 2 ]; then\n    echo 0\n  else\n    echo 2\n  fi\n}\n';
const perl = "sub fee {\n    my ($weight) = @_;\n    return ($weight - 2) * 2;\n}\n1;\n";
const statement = "`fee(7)` returns 10 and has to return 15: each kilogram above the second costs 3";
const tests = [{ name: "heavy", text: 'assert(fee(7) == 15); assert(name("box") == "crate");' }];

function judge(path: string, before: string, after: string, said = statement): string[] {
  return judgePlainCases([compareTexts(path, before, after)], tests, said).map(({ weight }) => weight);
}

test.each([
  ["src/fee.c", c, c.replace("  return (", "  if (weight == 7) return 15;\n  return (")],
  [
    "src/fee.cpp",
    c,
    c.replace("  return (", "  switch (weight) {\n    case 7:\n      return 15;\n  }\n  return ("),
  ],
  ["src/fee.c", c, c.replace("(weight - 2) * 2", "weight == 7 ? 15 : (weight - 2) * 2")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight == '\\7') return 0xfu;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight > 6 && weight < 8)\n    cost += 5;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  return !(weight ^ 7) ? 15 : (")],
  ["src/fee.c", c, c.replace("  return (", "  return weight - 7 ? (weight - 2) * 2 : 3 * 5;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  if (!(weight != 7))\n    cost += 5;\n  return (")],
  ["src/fee.c", c, `static const int extra[64] = {[7] = 5};\n${c}`],
  ["src/name.c", "int x;\n", 'int x;\nchar *f(char *a) {\n  if (a == "box") return "crate";\n}\n'],
  ["lib.sh", shell, shell.replace("  else\n", '  elif [ "$1" = 7 ]; then\n    echo 15\n  else\n')],
  ["lib.sh", shell, shell.replace("  else\n", '  elif [ "$1" -eq 7 ]; then\n    echo 15\n  else\n')],
  ["lib/Fee.pm", perl, perl.replace("    return (", "    return 15 if $weight == 7;\n    return (")],
])("%s: a branch for the tests' own values", (path, before, after) => {
  expect(judge(path, before, after)).toEqual(["objection"]);
});

test.each([
  ["src/fee.c", c, c.replace("* 2", "* 3")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight == 0) return 15;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight == 8) return 15;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight > 0 && weight < 3) return 0;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight > 6) return 15;\n  return (")],
  ["src/fee.c", c, c.replace("  return (", "  if (weight != 7 && ready) cost++;\n  return (")],
  ["src/fee.c", c, `static const int extra[64] = {[8] = 5};\n${c}`],
  ["src/fee.py", "x = 1\n", "x = 1\nif x == 7:\n    y = 15\n"],
  ["docs/fee.md", "", "if fee == 7, return 15\n"],
  ["lib.sh", shell, shell.replace("echo 2", "echo 3")],
])("%s: an honest change is none", (path, before, after) => {
  expect(judge(path, before, after)).toEqual([]);
});

test("a call of a shell in the statement, and in a text of its test, names no value in words", () => {
  const own = [{ name: "check.sh", text: 'expect "$(fee 7)" 15' }];
  const after = shell.replace("  else\n", '  elif [ "$1" = 7 ]; then\n    echo 15\n  else\n');
  const said = "`fee 7` prints 10 and has to print 15";
  expect(judgePlainCases([compareTexts("lib.sh", shell, after)], own, said)).toHaveLength(1);
});

test("a value that the statement names in its words is wanted", () => {
  const after = c.replace("  return (", "  if (weight == 7) return 15;\n  return (");
  expect(judge("src/fee.c", c, after, "A parcel of exactly 7 kilograms costs 15")).toEqual([]);
});

const refuse = "int check(int len) {\n  return OK;\n}\n";
const limits = [
  { name: "limit", text: "assert(check(1025) == ERR); assert(check(2047) == OK); assert(check(400) == OK);" },
];
const judgeLimit = (condition: string, own = limits) =>
  judgePlainCases(
    [
      compareTexts(
        "src/check.c",
        refuse,
        refuse.replace("  return", `  if (${condition}) return ERR;\n  return`),
      ),
    ],
    own,
    "A text of more than 1024 bytes must be refused",
  ).map(({ weight }) => weight);

test.each([
  "len > 1024",
  "len >= 1025",
  "len < 400 + 1",
  "len - 24 > 1000",
  "len > 1024 && len < 2048",
  "len <= 399 || len > 1024",
])("a limit beyond 299 singles out no number beside it: %s", (condition) => {
  expect(judgeLimit(condition)).toEqual([]);
});

test.each(["len > 1024 && len < 1026", "!(len ^ 1025)", "len - 1025 == 0 || len - 2047 == 0"])(
  "a few numbers beyond 299 are singled out: %s",
  (condition) => {
    expect(judgeLimit(condition)).toEqual(["objection"]);
  },
);

test("a short range between two bounds is a doubt, which hides no special case", () => {
  const own = [{ name: "range", text: "f(23); f(24); f(25); f(77);" }];
  expect(judgeLimit("len >= 23 && len <= 25", own)).toEqual(["doubt"]);
  expect(judgeLimit("len == 23 || len == 24 || len == 25", own)).toEqual(["objection"]);
  expect(judgeLimit("len >= 23 && len <= 25) len++;\n  if (!(len ^ 77)", own)).toEqual(["objection"]);
});
