// Preloaded into the process of each test file of node:test: says which test starts, and takes its executed lines. In the
// processes that the tests start, it hands the lines to the test.
"use strict";
const { isMainThread } = require("worker_threads");
const { createGuard, nodeRoots } = require("./guard.cjs");
const { createNumbering, makeKey } = require("./report.cjs");
const { trackChildProcess } = require("./tracker.cjs");

const file = process.env.MILLWRIGHT_TEST_FILE;
/** Set by the reporter: no further test is to start. */
const stop = { wanted: false };

function watchTests() {
  const test = require("node:test");
  const { afterEach, beforeEach } = test;
  const running = require("./node-test-running.cjs");
  const guard = createGuard({ test, ...nodeRoots() }, running.tellChanges);
  const number = createNumbering();
  const keys = new WeakMap();
  running.tracker.aim(makeKey(file, []));

  beforeEach((context) => {
    if (stop.wanted) return new Promise(() => {});
    guard.look();
    // Before Node 20.16 a test does not know the groups around it.
    const isExact = context.fullName !== undefined;
    const names = isExact ? [context.fullName] : [...running.namesOfRunning(), context.name];
    const key = number(makeKey(file, names));
    keys.set(context, key);
    running.start(key, context.name, isExact);
    return undefined;
  });
  afterEach((context) => {
    guard.look({}, "after");
    const key = keys.get(context);
    if (key) running.end(key);
  });
  process.on("exit", () => {
    guard.look({}, "always");
    running.tracker.finish();
  });
}

if (file && isMainThread) {
  delete process.env.MILLWRIGHT_TEST_FILE; // not for the processes that the tests start
  watchTests();
} else trackChildProcess();

module.exports = { file, stop };
