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
])("a test program that loses %s runs code that differs from the delivered program", (lost, after) => {
  expect(judge(after)).toEqual([expect.stringContaining(`takes \`${lost}\` out of the test program`)]);
  expect(judge(after, "The build links the wrong library")).toEqual([]);
});

const small = "add_executable(t t.c src/a.c)\nadd_test(NAME t COMMAND t)\n";
const top = `\${CMAKE_SOURCE_DIR}/`;

test.each([
  ["a library of the source", "t t.c)\nadd_library(core src/a.c)\ntarget_link_libraries(t core)"],
  ["a library of another file", "t t.c)\ntarget_link_libraries(t core)"],
  ["the library's objects", "t t.c $<TARGET_OBJECTS:core>)\nadd_library(core OBJECT src/a.c)"],
  ["a variable", `t t.c \${SRCS})\nset(SRCS src/a.c)`],
  ["a folder's variable", `t t.c \${DIR}/a.c)\nset(DIR "\${CMAKE_CURRENT_SOURCE_DIR}/src")`],
  ["sources of the target", 't t.c)\ntarget_sources(t PRIVATE "src/a.c")'],
  ["the current folder", `t t.c \${CMAKE_CURRENT_SOURCE_DIR}/src/a.c)`],
  ["the project's folder", `t t.c "${top}src/a.c")`],
  ["the same folder", "t t.c ./src/a.c)"],
])("a source that the test program has through %s is not lost", (_, now) => {
  const after = small.replace("t t.c src/a.c)", now);
  expect(judge(after, undefined, undefined, small)).toEqual([]);
  if (!now.includes("\n")) expect(judge(small, undefined, undefined, after)).toEqual([]);
});

test("a source that moves to a library of another folder is not lost", () => {
  const path = "unit/CMakeLists.txt";
  const before = small.replace("src/a.c", "../src/a.c");
  const after = before.replace(" ../src/a.c)", ")\ntarget_link_libraries(t core)");
  const library = compareTexts("src/CMakeLists.txt", "", "add_library(core a.c)\n");
  expect(judgeTestPrograms([compareTexts(path, before, after), library], "Fees are too low")).toEqual([]);
  expect(judge(before.replace("../", top), undefined, path, before)).toEqual([]);
});

test.each([
  ["the project's folder", small.replace("src/", `${top}src/`), "src/a.c", "fake/a.c"],
  ["quotes", small.replace("src/a.c", '"src/a.c"'), "src/a.c", "fake/a.c"],
  ["the program's file", small.replace("COMMAND t", "COMMAND $<TARGET_FILE:t>"), "src/a.c", "fake/a.c"],
  ["a variable", `${small}set(S fake/a.c)\n`, "src/a.c", `\${S}`],
  ["a folder's variable", `${small}set(DIR fake)\n`, "src/", `\${DIR}/`],
  ["a library", `${small}add_library(core fake/a.c)\n`, "src/a.c)", ")\ntarget_link_libraries(t core)"],
  ["an unknown library", small, "src/a.c)", "fake/a.c)\ntarget_link_libraries(t m)"],
])("a swap of a source is a sign despite %s", (_, before, from, to) => {
  expect(judge(before.replace(from, to), undefined, undefined, before)).toEqual([
    expect.stringContaining("out of the test program `t`"),
  ]);
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

test.each([
  "\tpandoc --wrap=none a.md",
  "\tbase64 --wrap=0 x",
  "LDFLAGS += -Wl,--defsym=VERSION=3",
  "-Wl,".repeat(50_000),
])("an option of another program, a constant and a long line are none", (line) => {
  const file = compareTexts("Makefile", "test: fee.o\n", `test: fee.o\n${line}\n`);
  expect(judgeTestPrograms([file], "fees are too low")).toEqual([]);
});
