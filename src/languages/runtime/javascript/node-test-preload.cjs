// Preloaded into the process of each test file of node:test: says which test starts, and takes its executed lines. In the
// processes that the tests start, it hands the lines to the test.
"use strict";
const { isMainThread } = require("worker_threads");
const { describeFailure } = require("./failure.cjs");
const { createLines, createNumbering, isSelected, makeKey } = require("./report.cjs");
const { createTracker, trackChildProcess } = require("./tracker.cjs");

const file = process.env.MILLWRIGHT_TEST_FILE;
const part = process.env.MILLWRIGHT_PART;
const { clearTimeout, setTimeout } = globalThis; // taken now: tests put fake clocks in their place
const limit = Number(process.env.MILLWRIGHT_TEST_TIMEOUT || 0);

function watchTests() {
  const { afterEach, beforeEach } = require("node:test");
  const write = createLines(part);
  const tracker = createTracker();
  const number = createNumbering();
  const running = new Map();
  tracker.aim(makeKey(file, []));

  beforeEach((context) => {
    // Before Node 20.16 a test does not know the groups around it.
    const exact = context.fullName !== undefined;
    const names = exact ? [context.fullName] : [...[...running.keys()].map((one) => one.name), context.name];
    const key = number(makeKey(file, names));
    restartWatch();
    running.set(context, { key, watchdog: watch(key) });
    if (exact && isSelected(key)) write({ event: "test-started", test: key });
    tracker.start(key);
  });
  afterEach((context) => {
    const { key, watchdog } = running.get(context) || {};
    clearTimeout(watchdog);
    running.delete(context);
    restartWatch();
    if (key) tracker.end(key);
  });
  process.on("exit", () => tracker.finish());

  /** Node applies `--test-timeout` to all subtests of a test together, if at all: here the process ends with the slow test. */
  function watch(key) {
    if (limit === 0) return undefined;
    return setTimeout(() => {
      const message = `the test took longer than ${limit} ms`;
      const failure = describeFailure(undefined, { type: "TimeoutError", message, stack: "" });
      if (isSelected(key))
        write({ event: "test-ended", test: key, status: "failed", durationMs: limit, failure });
      process.exit(1);
    }, limit).unref();
  }

  /** A test's own time begins anew with each of its subtests. */
  function restartWatch() {
    for (const { watchdog } of running.values()) if (watchdog) watchdog.refresh();
  }
}

if (file && part && isMainThread) {
  delete process.env.MILLWRIGHT_TEST_FILE; // not for the processes that the tests start
  watchTests();
} else trackChildProcess();

module.exports = { file };
