// What an event of node:test says of the test that ended.
"use strict";
const { describeFailure } = require("./failure.cjs");

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

module.exports = { outcomeOf, readFailure };
