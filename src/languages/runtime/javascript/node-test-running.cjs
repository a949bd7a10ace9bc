// The tests of a file of node:test that are running now: shared by the hooks that see them start and the reporter.
"use strict";
const { describeFailure } = require("./failure.cjs");
const { createLines, isSelected, ownPart } = require("./report.cjs");
const { testTimeoutMs: limit } = require("./request.cjs");
const { createTracker } = require("./tracker.cjs");

const { clearTimeout, setTimeout } = globalThis; // taken now: tests put fake clocks in their place
const write = createLines(ownPart);
const tracker = createTracker();
const running = new Map();

/** Node applies `--test-timeout` to all subtests of a test together, if at all: here the process ends with the slow test. */
function watch(key) {
  if (!limit) return undefined;
  return setTimeout(() => {
    const message = `the test took longer than ${limit} ms`;
    const failure = describeFailure(undefined, { type: "TimeoutError", message, stack: "" });
    if (isSelected(key)) {
      write({ event: "test-ended", test: key, status: "failed", durationMs: limit, failure });
    }
    leave(key);
  }, limit).unref();
}

/** Ends the process; of the tests that run, none but `failed` has an outcome. */
function leave(failed) {
  for (const { key } of running.values()) {
    const isGroup = failed?.name.startsWith(`${key.name} > `);
    if (key === failed || !isSelected(key)) continue;
    const failure = describeFailure(undefined, { type: "Error", message: "a subtest failed", stack: "" });
    const outcome = isGroup ? { status: "failed", failure } : { status: "not-run" };
    write({ event: "test-ended", test: key, durationMs: 0, ...outcome });
  }
  process.exit(1);
}

/** A test's own time begins anew with each of its subtests. */
function restartWatches() {
  for (const { watchdog } of running.values()) if (watchdog) watchdog.refresh();
}

module.exports = {
  tracker,
  leave,
  tellChanges: (changes) => write({ event: "framework-changed", changes }),
  namesOfRunning: () => [...running.values()].map(({ name }) => name),
  /** `isExact`: the key is the one that the reporter will give it. */
  start(key, name, isExact) {
    restartWatches();
    running.set(key.name, { key, name, watchdog: watch(key) });
    if (isExact && isSelected(key)) write({ event: "test-started", test: key });
    tracker.start(key);
  },
  /** Called by the hook after the test, which Node leaves out when another hook fails, and by the reporter. */
  end(key) {
    const known = running.get(key.name);
    if (known === undefined) return;
    clearTimeout(known.watchdog);
    running.delete(key.name);
    restartWatches();
    tracker.end(key);
  },
};
