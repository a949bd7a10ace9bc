import { execFileSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestStatus } from "../../src/domain/test-outcome.ts";
import { instrumentFiles } from "../../src/instrument/instrument-files.ts";
import cargoTest from "../../src/languages/rust/cargo-test.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

/** The toolchain's own programs: rustup's stand-ins look for it in the home folder. Undefined where there is none. */
export const rustPrograms = findPrograms();

function findPrograms(): string | undefined {
  try {
    const root = execFileSync("rustc", ["--print", "sysroot"], { encoding: "utf8", stdio: "pipe" }).trim();
    execFileSync(join(root, "bin/cargo"), ["--version"], { stdio: "pipe" });
    return join(root, "bin");
  } catch {
    return undefined;
  }
}

async function prepare(root: string): Promise<void> {
  const paths = globSync("src/**/*.rs", { cwd: root });
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  for (const { path, text } of await instrumentFiles(files)) writeFileSync(join(root, path), text);
}

const prices = "src/prices.rs";

const statuses: Record<string, TestStatus> = {
  "checks/own_harness.rs::main": "passed",
  "doc:src/lib.rs::src/lib.rs - capacity": "passed",
  "doc:src/lib.rs::src/lib.rs - capacity #2": "failed",
  "src/lib.rs::tests::divides": "passed",
  "src/lib.rs::tests::divides_by_nothing": "failed",
  "src/lib.rs::tests::refuses_everything": "failed",
  "src/lib.rs::tests::refuses_nothing": "passed",
  "src/lib.rs::tests::strike": "skipped",
  "tests/hostile.rs::aborts": "failed",
  "tests/hostile.rs::exits": "failed",
  "tests/hostile.rs::hangs": "timed-out",
  "tests/hostile.rs::knows_nothing_of_the_runner": "passed",
  "tests/hostile.rs::overflows_the_stack": "failed",
  "tests/hostile.rs::runs_where_the_package_is": "passed",
  "tests/hostile.rs::threads_panic": "passed",
  "tests/not_building.rs::": "errored",
  "tests/prices.rs::bases": "passed",
  "tests/prices.rs::heavy_parcel": "failed",
  "tests/prices.rs::light_parcel": "passed",
  "tests/prices.rs::totals::adds": "passed",
  "tests/prices.rs::totals::unwraps": "failed",
  "tests/prices.rs::unknown_kind": "failed",
};

export const rustFixtures: readonly FrameworkFixture[] = [
  {
    framework: cargoTest,
    repository: "cargo-test",
    unavailable: async () => (rustPrograms === undefined ? "there is no cargo" : undefined),
    ...(rustPrograms === undefined ? {} : { programs: rustPrograms }),
    detected: "cargo test",
    statuses,
    failures: {
      "src/lib.rs::tests::divides_by_nothing": {
        type: "DivisionByZero",
        message: /divide by zero/,
        frames: ["src/lib.rs:33", "src/lib.rs:19"],
      },
      "src/lib.rs::tests::refuses_everything": {
        type: "AssertionError",
        message: /did not panic/,
        frames: [],
      },
      "doc:src/lib.rs::src/lib.rs - capacity #2": { type: "AssertionError", message: /left: 2/, frames: [] },
      "tests/hostile.rs::aborts": { type: "Crash", message: /signal 6/, frames: [] },
      "tests/hostile.rs::exits": { type: "Crash", message: /exit code 0/, frames: [] },
      "tests/hostile.rs::hangs": { type: "TimeoutError", message: /took longer than/, frames: [] },
      "tests/hostile.rs::overflows_the_stack": { type: "StackOverflow", message: /overflowed/, frames: [] },
      "tests/not_building.rs::": {
        type: "CompileError",
        message: /mismatched types \(E0308\)/,
        frames: ["tests/not_building.rs:3"],
      },
      "tests/prices.rs::heavy_parcel": {
        type: "AssertionError",
        message: /of 20 kilograms\n +left: Ok\(650\)/,
        frames: ["tests/prices.rs:10"],
      },
      "tests/prices.rs::totals::unwraps": {
        type: "UnwrapError",
        message: /UnknownKind\("crate"\)/,
        frames: ["tests/prices.rs:29", "src/prices.rs:44", "src/prices.rs:43"],
      },
      "tests/prices.rs::unknown_kind": { type: "Error", message: /UnknownKind\("crate"\)/, frames: [] },
    },
    prepare,
    coverage: {
      "src/lib.rs::tests::divides": { "src/lib.rs": [19] },
      "tests/prices.rs::light_parcel": { [prices]: [19, 21, 28, 29, 32] },
      "tests/prices.rs::heavy_parcel": { [prices]: [19, 21, 28, 29, 30, 32, 36] },
      "tests/prices.rs::unknown_kind": { [prices]: [19, 22, 28] },
      "tests/prices.rs::totals::adds": { [prices]: [19, 20, 21, 28, 29, 30, 32, 36, 41, 42, 43, 44] },
      "doc:src/lib.rs::src/lib.rs - capacity #2": { "src/lib.rs": [19] },
    },
    oneTest: { package: "", target: "tests/prices.rs", name: "totals::adds" },
    hangingTest: { package: "", target: "tests/hostile.rs", name: "hangs" },
    killed: {
      command: "cargo test --features endless --test endless -- --test-threads=1",
      finished: "tests/endless.rs::a_before",
      during: "tests/endless.rs::b_endless",
    },
  },
];
