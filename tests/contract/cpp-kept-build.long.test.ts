/** A checkout keeps its CMake folder from one tree to the next. What an earlier tree left in it decides no result. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { formatTestKey } from "../../src/domain/test-outcome.ts";
import { cppFixtures } from "./test-frameworks-cpp.ts";
import { type FrameworkFixture, openFixture } from "./test-frameworks-fixture.ts";

const [declared] = cppFixtures;
const reason = await declared?.unavailable();

const describeProject = (roundUp: "ON" | "OFF", more: string): string => `cmake_minimum_required(VERSION 3.16)
project(fees C)
option(ROUND_UP "" ${roundUp})
set(LIMITED ${roundUp} CACHE BOOL "")
add_executable(fee_test test/fee_test.c)
if(ROUND_UP AND LIMITED)
  target_compile_definitions(fee_test PRIVATE ROUND_UP)
endif()
${more}`;

const feeTest = `int main(void) {
#ifdef ROUND_UP
  return 0;
#endif
  return 1;
}
`;

const fee = "test/fee_test.c::fee_test";
const adds = "test/adds_test.c::adds_test";
const another = "add_executable(adds_test test/adds_test.c)\n";

test.skipIf(reason !== undefined)(
  `each tree has its own defaults and undeclared tests (${reason ?? "CMake is there"})`,
  async () => {
    const open = await openFixture({ ...(declared as FrameworkFixture), repository: "cpp-programs" });
    try {
      writeFileSync(join(open.root, "test/fee_test.c"), feeTest);
      const statusesWith = async (roundUp: "ON" | "OFF", more: string) => {
        writeFileSync(join(open.root, "CMakeLists.txt"), describeProject(roundUp, more));
        const { report } = await open.run({});
        return Object.fromEntries(report.outcomes.map(({ key, status }) => [formatTestKey(key), status]));
      };
      expect(await statusesWith("OFF", "")).toEqual({ [fee]: "failed" });
      expect(await statusesWith("ON", another)).toEqual({ [fee]: "passed", [adds]: "passed" });
      expect(await statusesWith("OFF", "")).toEqual({ [fee]: "failed" });
    } finally {
      open.close();
    }
  },
);
