import { expect, test } from "vitest";
import { extractSymbols } from "./extract-symbols.ts";
import { firstBranches, withoutMacros } from "./preprocessor.ts";

test.each([
  ["ZEXTERN int ZEXPORT go(int a);", "        int         go(int a);"],
  ["local const char name[] = X;", "local const char name[] = X;"],
  ["local int n;", "      int n;"],
  ["int go OF((int a, char *b));", "int go    (int a, char *b) ;"],
  ["struct state FAR *next;", "struct state     *next;"],
  ["class LIB_API node : public base {", "class         node : public base {"],
  ["struct LIMITS limits;", "struct LIMITS limits;"],
  ["BEGIN_DECLS\nint a;", "           \nint a;"],
  ["void go() const LIB_NOEXCEPT;", "void go() const             ;"],
  ['TEST_XML(name, "<a/>") {', "TEST_XML(name        ) {"],
  // Left unchanged: types in capitals, constants, names of functions and variables.
  ["FILE *file = open(PATH);", "FILE *file = open(PATH);"],
  ["DWORD LIMIT = MAX;", "DWORD LIMIT = MAX;"],
  ["int BUFFER[SIZE];", "int BUFFER[SIZE];"],
  ["return LIMIT * COUNT;", "return LIMIT * COUNT;"],
  ["#define LOCAL static int", "#define LOCAL static int"],
])("%s", (text, expected) => {
  expect(withoutMacros(text)).toBe(expected);
});

test("of each #if the first branch stays, at its place", () => {
  expect(firstBranches("a\n#if X\nb\n#else\nc\n#if Y\nd\n#endif\n#endif\ne\n#if 0\nf\n#endif")).toBe(
    "a\n     \nb\n     \n \n     \n \n      \n      \ne\n     \n \n      ",
  );
});

test("a function behind macros is found at its place, with its own text", async () => {
  const symbols = await extractSymbols(
    "a.h",
    "/* Opens. */\nLIB_API int LIB_CALL lib_open(const char *path);\n",
  );
  expect(symbols?.syntaxErrors).toBe(0);
  expect(symbols?.definitions).toMatchObject([
    { name: "lib_open", at: { line: 2, column: 21 }, documentation: "Opens.", isDeclaration: true },
  ]);
});
