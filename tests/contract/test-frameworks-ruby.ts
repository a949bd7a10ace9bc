/** Ruby's test frameworks: the fixtures in `tests/fixtures/repos/ruby-*`. */
import { runProcess } from "../../src/base/process.ts";
import minitest from "../../src/languages/ruby/minitest.ts";
import rspec from "../../src/languages/ruby/rspec.ts";
import testUnit from "../../src/languages/ruby/test-unit.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

function requires(library: string): () => Promise<string | undefined> {
  return async () => {
    const found = await runProcess(["ruby", "-r", library, "-e", "exit! 0"], {
      env: { PATH: process.env["PATH"] ?? "" },
      timeoutMs: 20_000,
    });
    return found.exitCode === 0 ? undefined : `this machine has no Ruby with ${library}`;
  };
}

const odd = String.raw`[1] > 100% of "it's" $1.00 \ /a.*b/`;
const test = "test/prices_test.rb";
const hostile = "test/hostile_test.rb";
const spec = "spec/prices_spec.rb";
const unfriendly = "spec/unfriendly_spec.rb";

/** Failures that minitest and test-unit have alike. */
const common = {
  [`${test}::PricesTest#test_of_an_unknown_kind`]: {
    type: "ArgumentError",
    message: /^no price for crate$/,
    frames: [`${test}:13`, "lib/prices.rb:5"],
  },
  [`${hostile}::HostileTest#test_1_hangs`]: { type: "TimeoutError", message: /within 1000 ms/, frames: [] },
  "test/not_loading_test.rb::": {
    type: "LoadError",
    message: /^cannot load such file -- rebates$/,
    frames: ["test/not_loading_test.rb:2"],
  },
};

export const rubyFixtures: readonly FrameworkFixture[] = [
  {
    framework: minitest,
    repository: "ruby-minitest",
    unavailable: requires("minitest"),
    detected: "rake test",
    statuses: {
      [`${test}::PricesTest#test_of_a_light_parcel`]: "passed",
      [`${test}::PricesTest#test_of_a_heavy_parcel`]: "failed",
      [`${test}::PricesTest#test_of_an_unknown_kind`]: "failed",
      [`${test}::PricesTest#test_of_tomorrow`]: "skipped",
      [`${test}::PricesTest#test_in_a_thread`]: "passed",
      [`${test}::BrokenTest#test_never_runs`]: "errored",
      [`${test}::prices in €#test_0001_are ${odd}`]: "passed",
      [`${test}::prices in €::with a rebate#test_0001_are twice the price`]: "passed",
      [`${hostile}::HostileTest#test_1_hangs`]: "timed-out",
      [`${hostile}::HostileTest#test_2_takes_away_what_a_reporter_may_need`]: "passed",
      [`${hostile}::HostileTest#test_3_closes_standard_output`]: "failed",
      "test/not_loading_test.rb::": "errored",
    },
    failures: {
      ...common,
      [`${test}::PricesTest#test_of_a_heavy_parcel`]: {
        type: "Minitest::Assertion",
        message: /^Expected: 44\n {2}Actual: 49$/,
        frames: [`${test}:9`],
      },
      [`${test}::BrokenTest#test_never_runs`]: {
        type: "RuntimeError",
        message: /^no database$/,
        frames: [`${test}:28`],
      },
    },
    coverage: {
      [`${test}::PricesTest#test_of_a_light_parcel`]: { "lib/prices.rb": [5, 6, 7, 10] },
      [`${test}::PricesTest#test_of_a_heavy_parcel`]: { "lib/prices.rb": [5, 6, 7, 8, 10] },
      [`${test}::PricesTest#test_of_an_unknown_kind`]: { "lib/prices.rb": [5] },
      [`${test}::PricesTest#test_in_a_thread`]: { "lib/prices.rb": [5, 6, 7, 10] },
    },
    oneTest: { package: "", target: test, name: `prices in €#test_0001_are ${odd}` },
    hangingTest: { package: "", target: hostile, name: "HostileTest#test_1_hangs" },
    crash: {
      command: "ruby -Itest crash/crash_test.rb",
      statuses: {
        "crash/crash_test.rb::CrashTest#test_1_before": "passed",
        "crash/crash_test.rb::CrashTest#test_2_process_ends": "failed",
        "crash/crash_test.rb::CrashTest#test_3_never_reached": "not-run",
      },
    },
    killed: {
      command: "ruby crash/endless_test.rb",
      finished: "crash/endless_test.rb::EndlessTest#test_1_before",
      during: "crash/endless_test.rb::EndlessTest#test_2_endless",
    },
  },
  {
    framework: rspec,
    repository: "ruby-rspec",
    unavailable: requires("rspec/core"),
    detected: "rspec",
    statuses: {
      [`${spec}::Prices > of a light parcel`]: "passed",
      [`${spec}::Prices > of a heavy parcel`]: "failed",
      [`${spec}::Prices > of an unknown kind`]: "failed",
      [`${spec}::Prices > in euro (€) ${odd}`]: "passed",
      [`${spec}::Prices > twice`]: "passed",
      [`${spec}::Prices > twice #2`]: "failed",
      [`${spec}::Prices > of tomorrow`]: "skipped",
      [`${spec}::Prices > of yesterday`]: "skipped",
      [`${spec}::Prices > of the next year`]: "expected-failure",
      [`${spec}::Prices > in total > example at line 37`]: "passed",
      [`${spec}::Prices > with a broken set-up > never runs`]: "failed",
      [`${unfriendly}::hostile > hangs`]: "timed-out",
      [`${unfriendly}::hostile > takes away what a reporter may need`]: "passed",
      [`${unfriendly}::hostile > closes standard output`]: "failed",
      "spec/not_loading_spec.rb::": "errored",
    },
    failures: {
      [`${spec}::Prices > of a heavy parcel`]: {
        type: "RSpec::Expectations::ExpectationNotMetError",
        message: /expected: 44/,
        frames: [`${spec}:7`],
      },
      [`${spec}::Prices > of an unknown kind`]: {
        type: "ArgumentError",
        message: /^no price for crate$/,
        frames: [`${spec}:11`, "lib/prices.rb:5"],
      },
      [`${spec}::Prices > with a broken set-up > never runs`]: {
        type: "RuntimeError",
        message: /^no database$/,
        frames: [`${spec}:41`],
      },
      [`${unfriendly}::hostile > hangs`]: { type: "TimeoutError", message: /within 1000 ms/, frames: [] },
      "spec/not_loading_spec.rb::": {
        type: "LoadError",
        message: /^cannot load such file -- rebates$/,
        frames: ["spec/not_loading_spec.rb:1"],
      },
    },
    coverage: {
      [`${spec}::Prices > of a light parcel`]: { "lib/prices.rb": [5, 6, 7, 10] },
      [`${spec}::Prices > of a heavy parcel`]: { "lib/prices.rb": [5, 6, 7, 8, 10] },
    },
    oneTest: { package: "", target: spec, name: `Prices > in euro (€) ${odd}` },
    hangingTest: { package: "", target: unfriendly, name: "hostile > hangs" },
    crash: {
      command: "rspec crash/crash_spec.rb",
      statuses: {
        "crash/crash_spec.rb::crash > before": "passed",
        "crash/crash_spec.rb::crash > process ends": "failed",
        "crash/crash_spec.rb::crash > never reached": "not-run",
      },
    },
    killed: {
      command: "rspec crash/endless_spec.rb",
      finished: "crash/endless_spec.rb::endless > before",
      during: "crash/endless_spec.rb::endless > endless",
    },
  },
  {
    framework: testUnit,
    repository: "ruby-test-unit",
    unavailable: requires("test/unit/version"),
    detected: "rake test",
    statuses: {
      [`${test}::PricesTest#test_of_a_light_parcel`]: "passed",
      [`${test}::PricesTest#test_of_a_heavy_parcel`]: "failed",
      [`${test}::PricesTest#test_of_an_unknown_kind`]: "failed",
      [`${test}::PricesTest#test_of_tomorrow`]: "skipped",
      [`${test}::PricesTest#test_of_the_next_year`]: "expected-failure",
      [`${test}::PricesTest#test_of_letters[one]`]: "passed",
      [`${test}::PricesTest#test_of_letters[three]`]: "passed",
      [`${test}::PricesTest#test: in euro (€) ${odd}`]: "passed",
      [`${test}::BrokenTest#test_never_runs`]: "errored",
      [`${test}::BrokenStartTest#test_never_runs`]: "passed",
      [`${hostile}::HostileTest#test_1_hangs`]: "timed-out",
      [`${hostile}::HostileTest#test_2_takes_away_what_a_reporter_may_need`]: "passed",
      [`${hostile}::HostileTest#test_3_closes_standard_output`]: "failed",
      // What a class prepares for all its tests fails.
      [`${test}::`]: "errored",
      "test/not_loading_test.rb::": "errored",
    },
    failures: {
      ...common,
      [`${test}::PricesTest#test_of_a_heavy_parcel`]: {
        type: "Test::Unit::AssertionFailedError",
        message: /^<44> expected but was\n<49>/,
        frames: [`${test}:9`],
      },
      [`${test}::`]: { type: "RuntimeError", message: /^no server$/, frames: [`${test}:48`] },
    },
    coverage: {
      [`${test}::PricesTest#test_of_a_light_parcel`]: { "lib/prices.rb": [5, 6, 7, 10] },
      [`${test}::PricesTest#test_of_letters[three]`]: { "lib/prices.rb": [5, 6, 7, 10] },
    },
    oneTest: { package: "", target: test, name: `PricesTest#test: in euro (€) ${odd}` },
    hangingTest: { package: "", target: hostile, name: "HostileTest#test_1_hangs" },
    crash: {
      command: "ruby crash/crash_test.rb",
      statuses: {
        "crash/crash_test.rb::CrashTest#test_1_before": "passed",
        "crash/crash_test.rb::CrashTest#test_2_process_ends": "failed",
        "crash/crash_test.rb::CrashTest#test_3_never_reached": "not-run",
      },
    },
    killed: {
      command: "ruby crash/endless_test.rb",
      finished: "crash/endless_test.rb::EndlessTest#test_1_before",
      during: "crash/endless_test.rb::EndlessTest#test_2_endless",
    },
  },
];
