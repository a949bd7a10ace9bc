import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeTestPrograms } from "./test-programs.ts";

const cmake =
  "project(shop C)\nenable_testing()\nadd_library(shop STATIC fee.c)\nadd_executable(fee_test fee_test.c rate.c)\n" +
  "target_link_libraries(fee_test PRIVATE shop)\nadd_test(NAME heavy COMMAND fee_test)\n";
const judge = (after: string, statement = "Fees are too low", path = "CMakeLists.txt", before = cmake) =>
  judgeTestPrograms([compareTexts(path, before, after)], statement).map(({ text }) => text);

test.each([
  ["shop", cmake.replace("rate.c)", "rate.c exact.c)").replace(/target_link.*\n/, "")],
  ["shop", `${cmake.replace("PRIVATE shop", "PRIVATE exact")}add_library(exact STATIC fee.c)\n`],
  ["rate.c", cmake.replace("rate.c)", "exact.c)")],
])("a test program that loses %s runs other code than the delivered program", (lost, after) => {
  expect(judge(after)).toEqual([expect.stringContaining(`takes \`${lost}\` out of the test program`)]);
  expect(judge(after, "The build links the wrong library")).toEqual([]);
});

test.each([
  ["CMakeLists.txt", cmake, cmake.replace("PRIVATE shop", "PRIVATE shop -Wl,--wrap=fee")],
  ["CMakeLists.txt", cmake, `${cmake}target_link_options(fee_test PRIVATE "LINKER:--defsym=fee=exact")\n`],
  ["Makefile", "test: fee.o\n", "test: fee.o\n\t$(CC) -Wl,--wrap,fee -o test fee.o\n"],
])("a linker option that replaces a function is a sign: %s", (path, before, after) => {
  expect(judge(after, undefined, path, before)).toEqual([expect.stringContaining("adds a linker option")]);
});

test("new sources and libraries, a renamed library and a deleted source are none", () => {
  expect(judge(cmake.replace("rate.c)", "rate.c round.c)"))).toEqual([]);
  expect(judge(cmake.replace("STATIC fee.c", "STATIC fee.c round.c"))).toEqual([]);
  expect(
    judge(cmake.replaceAll(/\bshop (?=STATIC)|PRIVATE shop/g, (found) => found.replace("shop", "store"))),
  ).toEqual([]);
  const gone = [
    compareTexts("CMakeLists.txt", cmake, cmake.replace(" rate.c", "")),
    compareTexts("rate.c", "int rate;\n", undefined),
  ];
  expect(judgeTestPrograms(gone, "Fees are too low")).toEqual([]);
});
