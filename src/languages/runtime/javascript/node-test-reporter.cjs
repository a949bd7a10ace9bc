// Reporter of node:test, in the process of a test file: node-test-run.cjs reads what it wrote.
"use strict";
const { describeFailure } = require("./failure.cjs");
const { file } = require("./node-test-preload.cjs");
const { createNumbering, createReport, makeKey } = require("./report.cjs");

const report = createReport(process.env.MILLWRIGHT_PART, true);

/** Node wraps what a test threw. */
function readFailure(details) {
  const error = details.error || {};
  const cause = error.cause === undefined ? error : error.cause;
  if (error.failureType === "testTimeoutFailure") {
    return describeFailure(error, { type: "TimeoutError", message: String(cause.message || cause) });
  }
  return describeFailure(cause);
}

function outcomeOf(type, data) {
  const { details } = data;
  const durationMs = details.duration_ms || 0;
  if (data.skip !== undefined && data.skip !== false) return { status: "skipped", durationMs };
  const isTodo = data.todo !== undefined && data.todo !== false;
  if (type === "test:pass") return { status: isTodo ? "skipped" : "passed", durationMs };
  if (isTodo) return { status: "expected-failure", durationMs };
  const hook = details.error && details.error.failureType === "hookFailed";
  return { status: hook ? "errored" : "failed", durationMs, failure: readFailure(details) };
}

module.exports = async function* reportTests(events) {
  const number = createNumbering();
  const names = [];
  /** By nesting: keys of the tests that ended in the group that is open there. */
  const cancelled = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      names.length = data.nesting;
      names.push(data.name);
      cancelled[data.nesting + 1] = [];
    } else if (type === "test:pass" || type === "test:fail") {
      const own = [...names.slice(0, data.nesting), data.name];
      if (data.details.type === "suite") endSuite(type, data, own);
      else endTest(type, data, own);
    }
  }

  /** Tests that a group's failed set-up cancelled are told of with it: only then is it known why. */
  function endTest(type, data, own) {
    const key = number(makeKey(file, own));
    const outcome = outcomeOf(type, data);
    const error = data.details.error;
    if (type === "test:fail" && error && error.failureType === "cancelledByParent" && data.nesting > 0) {
      cancelled[data.nesting] = [...(cancelled[data.nesting] || []), { key, outcome }];
    } else report.ended(key, outcome);
  }

  function endSuite(type, data, own) {
    const waiting = cancelled[data.nesting + 1] || [];
    cancelled[data.nesting + 1] = [];
    const error = data.details.error;
    const hookFailed = type === "test:fail" && error && error.failureType === "hookFailed";
    const reason = hookFailed ? { status: "errored", failure: readFailure(data.details) } : {};
    for (const { key, outcome } of waiting) report.ended(key, { ...outcome, ...reason });
    if (hookFailed && waiting.length === 0)
      report.ended(number(makeKey(file, [...own, "hook"])), { durationMs: 0, ...reason });
  }
};
