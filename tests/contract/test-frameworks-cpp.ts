import { renderOutput } from "../../src/base/captured-output.ts";
import { runProcess } from "../../src/base/process.ts";
import ctest from "../../src/languages/cpp/ctest.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

const prices = "tests/prices_test.cpp";
const hostile = "tests/hostile_test.cpp";
const special = `prices in euro (€) [1] > 100% of "it's" $1.00 \\ /a.*b/`;

async function findCmake(): Promise<string | undefined> {
  const found = await runProcess(["ctest", "--version"], {
    env: { PATH: process.env["PATH"] ?? "" },
    timeoutMs: 10_000,
  });
  const version = /version (\d+)\.(\d+)/.exec(renderOutput(found.stdout));
  const isRecent = Number(version?.[1] ?? 0) * 1000 + Number(version?.[2] ?? 0) >= 3021;
  return found.exitCode === 0 && isRecent ? undefined : "this machine has no CMake of 3.21 or later";
}

export const cppFixtures: readonly FrameworkFixture[] = [
  {
    framework: ctest,
    repository: "cpp-ctest",
    unavailable: findCmake,
    detected: "cmake -S . -B build && cmake --build build && ctest --test-dir build",
    statuses: {
      [`${prices}::prices.light`]: "passed",
      [`${prices}::prices.heavy`]: "failed",
      [`${prices}::prices.unknown`]: "failed",
      [`${prices}::prices.tomorrow`]: "skipped",
      [`${prices}::${special}`]: "passed",
      [`${hostile}::hostile.hangs`]: "timed-out",
      [`${hostile}::hostile.crashes`]: "failed",
      [`${hostile}::hostile.elsewhere`]: "failed",
      "tests/not_building_test.cpp::not-building": "failed",
    },
    failures: {
      [`${prices}::prices.heavy`]: {
        type: "AssertionError",
        message: /Assertion .price\("parcel", 2000\) == 651. failed/,
        frames: [`${prices}:9`],
      },
      [`${prices}::prices.unknown`]: { type: "Abort", message: /aborted/, frames: [] },
      [`${hostile}::hostile.hangs`]: { type: "TimeoutError", message: /did not end within 1/, frames: [] },
      [`${hostile}::hostile.crashes`]: { type: "SegFault", message: /SegFault/, frames: [] },
      [`${hostile}::hostile.elsewhere`]: {
        type: "AssertionError",
        message: /^CHECK\( price == 301 \) with expansion: 300 == 301$/,
        frames: [`${hostile}:14`],
      },
      "tests/not_building_test.cpp::not-building": {
        type: "BuildError",
        message: /rebates\.h: No such file/,
        frames: ["tests/not_building_test.cpp:1"],
      },
    },
    coverage: {},
    oneTest: { package: "", target: prices, name: special },
    hangingTest: { package: "", target: hostile, name: "hostile.hangs" },
  },
];
