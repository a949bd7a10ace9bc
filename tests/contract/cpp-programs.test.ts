/** A CMake project that declares no test: each program that is built from tests is one, by its exit code. */
import { expect, test } from "vitest";
import { formatTestKey } from "../../src/domain/test-outcome.ts";
import ctest from "../../src/languages/cpp/ctest.ts";
import { cppFixtures } from "./test-frameworks-cpp.ts";
import { type FrameworkFixture, openFixture } from "./test-frameworks-fixture.ts";

const [declared] = cppFixtures;
const reason = await declared?.unavailable();

test.skipIf(reason !== undefined)(`runs the programs (${reason ?? "CMake is there"})`, async () => {
  const fixture = { ...(declared as FrameworkFixture), repository: "cpp-programs" };
  const open = await openFixture(fixture);
  try {
    expect(ctest.detect(open.project)[0]?.command).toBe(fixture.detected);
    const { report } = await open.run({});
    expect(report.invalid).toBeUndefined();
    expect(report.outcomes.map(({ key, status }) => [formatTestKey(key), status])).toEqual([
      ["test/adds_test.c::adds_test", "passed"],
      ["test/fails_test.c::fails_test", "failed"],
    ]);
    expect(report.outcomes[1]?.failure?.frames.at(-1)).toMatchObject({ file: "test/fails_test.c", line: 4 });
  } finally {
    open.close();
  }
});
