// Loaded before uvu: reports its tests and counts lines per test. uvu has neither reporters nor hooks around its tests, and its
// CommonJS and ECMAScript modules are two; so a test is known by what uvu does with it: it pushes `{ name, handler }` into a list.
"use strict";
const { createRequire } = require("module");
const { describeFailure } = require("./failure.cjs");
const { createGuard, nodeRoots } = require("./guard.cjs");
const { createNumbering, createReport, isSelected, makeKey, ownPart } = require("./report.cjs");
const request = require("./request.cjs");
const { createTracker } = require("./tracker.cjs");

const file = process.env.MILLWRIGHT_TEST_FILE;

function watchTests() {
  const report = createReport(ownPart || "uvu", true);
  const tracker = createTracker();
  const number = createNumbering();
  const push = Array.prototype.push;

  const lists = new WeakMap();

  /** A suite's name is known once one of its tests runs: then all of them get their keys. */
  function nameTests(list, suite) {
    for (const test of lists.get(list))
      test.key = test.key || number(makeKey(file, suite ? [suite, test.name] : [test.name]));
    report.found(lists.get(list).map((test) => test.key));
  }

  /** Runs a test within the limit; one that was not asked for does nothing. */
  function wrap(list, name, handler) {
    const test = { name, key: undefined };
    lists.set(list, [...(lists.get(list) || []), test]);
    return async function watched(state) {
      if (!test.key) nameTests(list, state?.__suite__);
      const { key } = test;
      if (!isSelected(key)) return undefined;
      guard.look();
      report.started(key);
      tracker.loaded(makeKey(file, []));
      tracker.start(key);
      const started = Date.now();
      let outcome = { status: "passed" };
      try {
        return await limit(handler, this, state);
      } catch (error) {
        outcome = { status: "failed", failure: describeFailure(error) };
        throw error;
      } finally {
        tracker.end(key);
        guard.look({}, "after");
        report.ended(key, { ...outcome, durationMs: Date.now() - started });
        if (outcome.failure && request.stopAtFirstFailure) process.exit(1);
      }
    };
  }

  Object.defineProperty(Array.prototype, "push", {
    configurable: true,
    writable: true,
    value: function pushWatched(...items) {
      const [item] = items;
      const isTest =
        items.length === 1 &&
        item !== null &&
        typeof item === "object" &&
        typeof item.handler === "function" &&
        typeof item.name === "string" &&
        Object.keys(item).length === 2 &&
        globalThis.UVU_QUEUE !== undefined;
      return push.apply(
        this,
        isTest ? [{ name: item.name, handler: wrap(this, item.name, item.handler) }] : items,
      );
    },
  });
  // After what is ours stands in its place.
  const guard = createGuard({ ...assertions(), ...nodeRoots() }, report.changed);
  process.on("exit", () => {
    guard.look({}, "always");
    tracker.finish();
  });
}

/** uvu's own, which most tests would load after the code under test. */
function assertions() {
  try {
    return { "uvu/assert": createRequire(file)("uvu/assert") };
  } catch {
    return {};
  }
}

async function limit(handler, self, state) {
  let timer;
  const late = new Promise((_, reject) => {
    const error = new Error(`the test did not end within ${request.testTimeoutMs} ms`);
    error.name = "TimeoutError";
    timer = setTimeout(() => reject(error), request.testTimeoutMs);
  });
  try {
    return await Promise.race([handler.call(self, state), late]);
  } finally {
    clearTimeout(timer);
  }
}

if (file && !process.env.MILLWRIGHT_UVU) {
  process.env.MILLWRIGHT_UVU = "1"; // a process that a test starts is none of ours
  watchTests();
}
