/** Attacks of C++ code on the report of its own tests, which ctest writes: the body of `price`, which is wrong. */
import { existsSync } from "node:fs";
import ctest from "../../src/languages/cpp/ctest.ts";
import { cppFixtures } from "./test-frameworks-cpp.ts";
import type { WallAttack, WallProject } from "./wall-attacks.ts";

/** A process of its own that keeps rewriting what ctest leaves. */
const rewriting = String.raw`
if (fork() == 0) {
  setsid();
  execl("/bin/sh", "sh", "-c", "for i in $(seq 1 400); do for d in /.millwright/scratch/report-*; do sed -i 's/[*]*Failed /   Passed/; s/status=.fail./status=\"run\"/; s/<failure.*//' $d/ctest.log $d/junit.xml; done; sleep 0.02; done", (char*)0);
}
`;

/** A test is a program, which passes with its exit code: who ends it is not seen. */
const leaving: readonly WallAttack[] = [
  { name: "ends the process with a good exit code", call: "_exit(0);" },
  { name: "becomes another program", call: 'execl("/bin/true", "true", (char*)0);' },
  {
    name: "ends the process when it is loaded",
    load: "__attribute__((constructor)) static void first() { _exit(0); }",
  },
  { name: "ends the process from another thread", call: "std::thread([] { std::quick_exit(0); }).join();" },
];
const filing: readonly WallAttack[] = [
  { name: "leaves a process that rewrites the tool's report", call: rewriting },
  {
    name: "deletes the report's folder",
    call: 'system("rm -rf /.millwright/scratch/report-*"); usleep(700000);',
  },
  {
    name: "exchanges the tests in the tool's list",
    call: String.raw`system("for d in /.millwright/scratch/report-*; do printf '1\\tother_test.cpp\\tother\\tother\\n2\\tprice_test.cpp\\tprice\\tprice\\n' > $d/tests; done");`,
  },
];

interface Manner {
  readonly named: string;
  readonly test: string;
  readonly libraries: string;
  readonly discover: string;
  readonly needs: string | undefined;
  readonly attacks: readonly WallAttack[];
  readonly target: string;
}

const plain: Manner = {
  named: "ctest",
  test: "#include <cassert>\n#undef NDEBUG\n#include <cassert>\nint price();\nint main() { assert(price() == 3); return 0; }\n",
  libraries: "Threads::Threads",
  discover: "add_test(NAME price COMMAND price)",
  needs: undefined,
  attacks: filing,
  target: "price",
};
const gtest: Manner = {
  named: "ctest with gtest",
  test: "#include <gtest/gtest.h>\nint price();\nTEST(price, price) { EXPECT_EQ(price(), 3); }\n",
  libraries: "GTest::gtest_main Threads::Threads",
  discover: "include(GoogleTest)\ngtest_discover_tests(price)",
  needs: "/usr/include/gtest/gtest.h",
  attacks: filing.slice(0, 1),
  target: "price.price",
};

function project({ named, test, libraries, discover, needs, attacks, target }: Manner): WallProject {
  const find = needs === undefined ? "" : "find_package(GTest REQUIRED)\n";
  return {
    framework: ctest,
    named,
    unavailable: async () =>
      needs !== undefined && !existsSync(needs) ? `there is no ${needs}` : cppFixtures[0]?.unavailable(),
    command: "cmake -S . -B build && cmake --build build && ctest --test-dir build",
    attacks,
    limits: leaving,
    file: "price_test.cpp",
    target,
    repair: { call: "return 3;" },
    files: ({ load = "", call = "" }) => ({
      "CMakeLists.txt": `cmake_minimum_required(VERSION 3.21)\nproject(prices CXX)\nenable_testing()\nfind_package(Threads REQUIRED)\n${find}add_executable(price price_test.cpp price.cpp)\ntarget_link_libraries(price ${libraries})\n${discover}\n`,
      "price.cpp": [
        "#include <cstdio>\n#include <cstdlib>\n#include <string>\n#include <thread>\n#include <sys/types.h>\n#include <unistd.h>",
        load,
        "int price() {",
        call,
        "  return 2;\n}",
      ].join("\n"),
      "price_test.cpp": test,
    }),
  };
}

export const cppProjects: readonly WallProject[] = [project(plain), project(gtest)];
