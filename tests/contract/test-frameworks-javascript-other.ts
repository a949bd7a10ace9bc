/** Runners of JavaScript beside the four common ones, on the same small program. */
import jasmine from "../../src/languages/javascript/jasmine.ts";
import uvu from "../../src/languages/javascript/uvu.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";
import {
  alwaysAvailable,
  commonStatuses,
  hostileStatuses,
  prepare,
  special,
} from "./test-frameworks-javascript.ts";

const specs = "spec/prices.spec.js";
const prices = "test/prices.test.js";

/** `test/a.test.js` of the common tables is `spec/a.spec.js` in jasmine. */
function inSpecs<T>(table: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(
    Object.entries(table).map(([key, value]) => [
      key.replace(/^test\/(.*)\.test\.js/, "spec/$1.spec.js"),
      value,
    ]),
  );
}

export const otherJavascriptFixtures: readonly FrameworkFixture[] = [
  {
    framework: jasmine,
    repository: "javascript-jasmine",
    unavailable: alwaysAvailable,
    prepare,
    detected: "npx jasmine --config=spec/support/jasmine.json",
    statuses: {
      ...inSpecs({ ...commonStatuses("js"), ...hostileStatuses }),
      // jasmine takes what fails around a spec for the spec's own failure.
      [`${specs}::with a broken tear-down > runs once`]: "failed",
    },
    failures: {
      [`${specs}::prices > of a heavy parcel`]: {
        type: "AssertionError",
        message: /^650 == 651$/,
        frames: [`${specs}:10`],
      },
      [`${specs}::prices > of an unknown kind`]: {
        type: "UnknownKind",
        message: /^no price for 'crate'$/,
        frames: [`${specs}:14`, "src/prices.js:15"],
      },
      [`${specs}::with a broken set-up > never runs`]: {
        type: "Error",
        message: /^no database$/,
        frames: [`${specs}:38`],
      },
      "spec/hostile.spec.js::hostile > hangs": { type: "TimeoutError", message: /1000 ?ms/, frames: [] },
      "spec/not-loading.spec.js::": {
        type: "Error",
        message: /^Cannot find module '..\/src\/rebates/,
        frames: ["spec/not-loading.spec.js:1"],
      },
    },
    coverage: {
      [`${specs}::prices > of a light parcel`]: { "src/prices.js": [13, 14, 15, 16, 18] },
      [`${specs}::prices > of a heavy parcel`]: { "src/prices.js": [13, 14, 15, 16, 17, 22] },
      [`${specs}::prices > of an unknown kind`]: { "src/prices.js": [5, 6, 13, 14, 15] },
    },
    oneTest: { package: "", target: specs, name: special },
    hangingTest: { package: "", target: "spec/hostile.spec.js", name: "hostile > hangs" },
    crash: {
      command: "npx jasmine crash/crash.spec.js",
      statuses: {
        "crash/crash.spec.js::before": "passed",
        "crash/crash.spec.js::process ends": "failed",
        "crash/crash.spec.js::never reached": "not-run",
      },
    },
    killed: {
      command: "npx jasmine crash/endless.spec.js",
      finished: "crash/endless.spec.js::before",
      during: "crash/endless.spec.js::endless",
    },
  },
  {
    framework: uvu,
    repository: "javascript-uvu",
    unavailable: alwaysAvailable,
    prepare,
    detected: "npx uvu test '\\.test\\.js$'",
    statuses: {
      [`${prices}::prices > of a light parcel`]: "passed",
      [`${prices}::prices > of a heavy parcel`]: "failed",
      [`${prices}::prices > of an unknown kind`]: "failed",
      [`${prices}::${special}`]: "passed",
      [`${prices}::prices > twice`]: "passed",
      [`${prices}::prices > twice #2`]: "failed",
      [`${prices}::in total`]: "passed",
      ...hostileStatuses,
      "test/hostile.test.js::hostile > replaces the file system": "passed",
      "test/hostile.test.js::hostile > hangs": "timed-out",
      "test/not-loading.test.js::": "errored",
    },
    failures: {
      [`${prices}::prices > of a heavy parcel`]: {
        type: "AssertionError",
        message: /^Expected values to be strictly equal/,
        frames: [`${prices}:12`],
      },
      [`${prices}::prices > of an unknown kind`]: {
        type: "UnknownKind",
        message: /^no price for 'crate'$/,
        frames: [`${prices}:16`, "src/prices.js:15"],
      },
      "test/hostile.test.js::hostile > hangs": { type: "TimeoutError", message: /1000 ms/, frames: [] },
      "test/not-loading.test.js::": {
        type: "Error",
        message: /^Cannot find module '..\/src\/rebates/,
        frames: ["test/not-loading.test.js:1"],
      },
    },
    coverage: {
      [`${prices}::prices > of a light parcel`]: { "src/prices.js": [13, 14, 15, 16, 18] },
      [`${prices}::prices > of a heavy parcel`]: { "src/prices.js": [13, 14, 15, 16, 17, 22] },
      [`${prices}::in total`]: { "src/prices.js": [13, 14, 15, 16, 18, 25, 26, 27, 28, 29] },
    },
    oneTest: { package: "", target: prices, name: special },
    hangingTest: { package: "", target: "test/hostile.test.js", name: "hostile > hangs" },
  },
];
