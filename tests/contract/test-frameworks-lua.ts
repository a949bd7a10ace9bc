import { runProcess } from "../../src/base/process.ts";
import busted from "../../src/languages/lua/busted.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

const prices = "spec/prices_spec.lua";
const hostile = "spec/hostile_spec.lua";
const special = `prices > in euro (€) [1] > 100% of "it's" $1.00 \\ /a.*b/`;

async function findBusted(): Promise<string | undefined> {
  const found = await runProcess(["busted", "--version"], {
    env: { PATH: process.env["PATH"] ?? "" },
    timeoutMs: 10_000,
  });
  return found.exitCode === 0 ? undefined : "this machine has no busted";
}

export const luaFixtures: readonly FrameworkFixture[] = [
  {
    framework: busted,
    repository: "lua-busted",
    unavailable: findBusted,
    detected: "busted",
    statuses: {
      [`${prices}::prices > of a light parcel`]: "passed",
      [`${prices}::prices > of a heavy parcel`]: "failed",
      [`${prices}::prices > of an unknown kind`]: "failed",
      [`${prices}::${special}`]: "passed",
      [`${prices}::prices > twice`]: "passed",
      [`${prices}::prices > twice #2`]: "failed",
      [`${prices}::prices > of tomorrow`]: "skipped",
      [`${prices}::prices > in total > with a rebate`]: "passed",
      [`${prices}::with a broken set-up > never runs`]: "errored",
      [`${prices}::with a broken preparation > never runs`]: "errored",
      [`${hostile}::hostile > hangs`]: "timed-out",
      [`${hostile}::hostile > closes standard output`]: "failed",
      [`${hostile}::hostile > takes away what a reporter may need`]: "passed",
      "spec/not_loading_spec.lua::": "errored",
    },
    failures: {
      [`${prices}::prices > of a heavy parcel`]: {
        type: "AssertionError",
        message: /^Expected objects to be equal/,
        frames: [`${prices}:8`],
      },
      [`${prices}::prices > of an unknown kind`]: {
        type: "Error",
        message: /^no price for crate$/,
        frames: [`${prices}:11`, "src/prices.lua:5"],
      },
      [`${prices}::prices > twice #2`]: {
        type: "Error",
        message: /^the second of two$/,
        frames: [`${prices}:18`],
      },
      [`${prices}::with a broken set-up > never runs`]: {
        type: "Error",
        message: /^no database$/,
        frames: [`${prices}:28`],
      },
      [`${hostile}::hostile > hangs`]: {
        type: "TimeoutError",
        message: /within 1000 ms/,
        frames: [`${hostile}:3`],
      },
      "spec/not_loading_spec.lua::": {
        type: "Error",
        message: /^module 'rebates' not found/,
        frames: ["spec/not_loading_spec.lua:1"],
      },
    },
    coverage: {
      [`${prices}::prices > of a light parcel`]: { "src/prices.lua": [4, 7, 8, 11] },
      [`${prices}::prices > of a heavy parcel`]: { "src/prices.lua": [4, 7, 8, 9, 11] },
      [`${prices}::prices > of an unknown kind`]: { "src/prices.lua": [4, 5] },
      // In a coroutine of its own.
      [`${prices}::${special}`]: { "src/prices.lua": [4, 7, 8, 11] },
      [`${prices}::`]: { "src/prices.lua": [1, 3, 12, 14] },
    },
    oneTest: { package: "", target: prices, name: special },
    hangingTest: { package: "", target: hostile, name: "hostile > hangs" },
    crash: {
      command: "busted crash/crash_spec.lua",
      statuses: {
        "crash/crash_spec.lua::crash > before": "passed",
        "crash/crash_spec.lua::crash > process ends": "failed",
        "crash/crash_spec.lua::crash > never reached": "not-run",
      },
    },
    killed: {
      command: "busted crash/endless_spec.lua",
      finished: "crash/endless_spec.lua::before",
      during: "crash/endless_spec.lua::endless",
    },
  },
];
