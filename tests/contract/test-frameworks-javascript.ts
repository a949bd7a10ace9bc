import { existsSync, globSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { TestStatus } from "../../src/domain/test-outcome.ts";
import { instrumentFiles } from "../../src/instrument/instrument-files.ts";
import jest from "../../src/languages/javascript/jest.ts";
import mocha from "../../src/languages/javascript/mocha.ts";
import nodeTest from "../../src/languages/javascript/node-test.ts";
import vitest from "../../src/languages/javascript/vitest.ts";
import type { FrameworkFixture } from "./test-frameworks-fixture.ts";

const ownNode = dirname(process.execPath);

/** Another Node of this machine, as a user may have one. */
const otherNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .find(
    (folder) => folder !== ownNode && !folder.includes("node_modules") && existsSync(join(folder, "node")),
  );

export async function alwaysAvailable(): Promise<undefined> {
  return undefined;
}

/** Our own development dependencies serve as the fixture's; its sources get counters. */
export async function prepare(root: string): Promise<void> {
  symlinkSync(join(import.meta.dirname, "../../node_modules"), join(root, "node_modules"));
  const paths = globSync("src/**/*.{js,ts}", { cwd: root });
  const files = paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  for (const { path, text } of await instrumentFiles(files)) writeFileSync(join(root, path), text);
}

export const special = 'prices > in euro (€) [1] > 100% of "it\'s" $1.00 \\ /a.*b/';

/** The statuses of the tests that all repositories have, in files of this ending. */
export function commonStatuses(ending: string): Record<string, TestStatus> {
  const prices = `test/prices.test.${ending}`;
  return {
    [`${prices}::prices > of a light parcel`]: "passed",
    [`${prices}::prices > of a heavy parcel`]: "failed",
    [`${prices}::prices > of an unknown kind`]: "failed",
    [`${prices}::${special}`]: "passed",
    [`${prices}::prices > twice`]: "passed",
    [`${prices}::prices > twice #2`]: "failed",
    [`${prices}::prices > of tomorrow`]: "skipped",
    [`${prices}::prices > in total > with a rebate`]: "passed",
    [`${prices}::with a broken set-up > never runs`]: "errored",
    [`${prices}::with a broken tear-down > runs once`]: "errored",
    [`test/hostile.test.${ending}::hostile > replaces the file system`]: "passed",
    [`test/hostile.test.${ending}::hostile > hangs`]: "timed-out",
    [`test/not-loading.test.${ending}::`]: "errored",
  };
}

export const hostileStatuses: Record<string, TestStatus> = {
  "test/hostile.test.js::hostile > fails in another folder": "failed",
  "test/hostile.test.js::hostile > starts a process": "passed",
};

/** What the failing tests say; `offset` is the number of lines that the test file has before the common ones. */
function commonFailures(ending: string, offset: number, innermost: number, said: RegExp) {
  const prices = `test/prices.test.${ending}`;
  const at = (line: number): string => `${prices}:${line + offset}`;
  return {
    [`${prices}::prices > of a heavy parcel`]: { type: "AssertionError", message: said, frames: [at(10)] },
    [`${prices}::prices > of an unknown kind`]: {
      type: "UnknownKind",
      message: /^no price for 'crate'$/,
      frames: [at(14), `src/prices.${ending}:${innermost}`],
    },
    [`${prices}::prices > twice #2`]: { type: "TypeError", message: /^the second of two$/, frames: [at(23)] },
    [`${prices}::with a broken set-up > never runs`]: {
      type: "Error",
      message: /^no database$/,
      frames: [at(38)],
    },
    [`${prices}::with a broken tear-down > runs once`]: {
      type: "Error",
      message: /^the database went away$/,
      frames: [at(47)],
    },
    [`test/hostile.test.${ending}::hostile > hangs`]: {
      type: "TimeoutError",
      message: /1000 ?ms/,
      frames: [],
    },
    [`test/not-loading.test.${ending}::`]: {
      type: "Error",
      message: /^Cannot find module '..\/src\/rebates/,
      frames: [`test/not-loading.test.${ending}:${1 + offset}`],
    },
  };
}

/** Of the repositories in plain JavaScript. */
const coverage = {
  "test/prices.test.js::prices > of a light parcel": { "src/prices.js": [13, 14, 15, 16, 18] },
  "test/prices.test.js::prices > of a heavy parcel": { "src/prices.js": [13, 14, 15, 16, 17, 22] },
  "test/prices.test.js::prices > of an unknown kind": { "src/prices.js": [5, 6, 13, 14, 15] },
  "test/prices.test.js::prices > in total > with a rebate": {
    "src/prices.js": [13, 14, 15, 16, 18, 25, 26, 27, 28, 29],
  },
  "test/hostile.test.js::hostile > fails in another folder": { "src/prices.js": [13, 14, 15, 16, 18] },
  "test/hostile.test.js::hostile > replaces the file system": { "src/prices.js": [13, 14, 15, 16, 17, 22] },
  // In a process of its own, which loads the file anew.
  "test/hostile.test.js::hostile > starts a process": { "src/prices.js": [3, 4, 10, 21, 25, 26, 27, 31, 34] },
};
const loaded = { "src/prices.js": [3, 4, 10, 21, 34] };

/** What a fixture of a runner with files of this ending has in common with the others. */
function common(ending: string) {
  return {
    unavailable: alwaysAvailable,
    prepare,
    oneTest: { package: "", target: `test/prices.test.${ending}`, name: special },
    hangingTest: { package: "", target: `test/hostile.test.${ending}`, name: "hostile > hangs" },
  };
}

function killed(command: string, file: string) {
  return { command, finished: `${file}::before`, during: `${file}::endless` };
}

const nodeTestFixture: FrameworkFixture = {
  ...common("js"),
  framework: nodeTest,
  repository: "javascript-node-test",
  detected: "node --test test/*.test.js",
  statuses: { ...commonStatuses("js"), ...hostileStatuses },
  failures: commonFailures("js", 1, 15, /^650 == 651$/),
  coverage: { ...coverage, "test/prices.test.js::": loaded, "test/hostile.test.js::": loaded },
  programs: ownNode,
  killed: killed("node --test crash/endless.test.js", "crash/endless.test.js"),
};
const { killed: _, ...otherNodeTestFixture } = nodeTestFixture;

export const javascriptFixtures: readonly FrameworkFixture[] = [
  {
    ...common("js"),
    framework: mocha,
    repository: "javascript-mocha",
    detected: 'NODE_ENV=test npx mocha --reporter dot "test/**/*.test.js"',
    statuses: { ...commonStatuses("js"), ...hostileStatuses },
    failures: commonFailures("js", 0, 15, /^650 == 651$/),
    // mocha loads all files before the first test; the first one loads the module.
    coverage: { ...coverage, "test/hostile.test.js::": loaded },
    crash: {
      command: "npx mocha crash/crash.test.js",
      statuses: {
        "crash/crash.test.js::before": "passed",
        "crash/crash.test.js::process ends": "failed",
        "crash/crash.test.js::never reached": "not-run",
      },
    },
    killed: killed("npx mocha crash/endless.test.js", "crash/endless.test.js"),
  },
  {
    ...common("js"),
    framework: jest,
    repository: "javascript-jest",
    detected: "npx jest --coverage",
    statuses: { ...commonStatuses("js"), ...hostileStatuses },
    failures: commonFailures("js", 0, 15, /Expected value to be equal to:\s+651/),
    coverage: { ...coverage, "test/prices.test.js::": loaded, "test/hostile.test.js::": loaded },
    killed: killed("npx jest --roots=crash endless", "crash/endless.test.js"),
  },
  nodeTestFixture,
  {
    ...otherNodeTestFixture,
    unavailable: async () => (otherNode === undefined ? "this machine has no other Node" : undefined),
    ...(otherNode !== undefined && { programs: otherNode }),
  },
  {
    ...common("ts"),
    framework: vitest,
    repository: "typescript-vitest",
    detected: "npx vitest --coverage",
    programs: ownNode, // vitest 5 needs Node 22
    statuses: {
      ...commonStatuses("ts"),
      "test/hostile.test.ts::hostile > fails while time stands still": "failed",
    },
    failures: commonFailures("ts", 0, 23, /^expected 650 to be 651/),
    coverage: {
      "test/prices.test.ts::": { "src/prices.ts": [1, 2, 4, 16, 29] },
      "test/prices.test.ts::prices > of a light parcel": { "src/prices.ts": [21, 22, 23, 24, 26] },
      "test/prices.test.ts::prices > of a heavy parcel": { "src/prices.ts": [21, 22, 23, 24, 25, 30] },
      "test/prices.test.ts::prices > of an unknown kind": { "src/prices.ts": [5, 21, 22, 23] },
      "test/prices.test.ts::prices > in total > with a rebate": {
        "src/prices.ts": [21, 22, 23, 24, 26, 33, 34, 35, 36, 37],
      },
      "test/hostile.test.ts::hostile > replaces the file system": {
        "src/prices.ts": [21, 22, 23, 24, 25, 30],
      },
    },
    killed: killed("npx vitest run --config crash/vitest.config.ts", "crash/endless.test.ts"),
  },
];
