// Reporter for jest 24 to 30, in jest's main process. It also gives each test file our set-up (jest-setup.cjs), since the
// command line could only replace the project's own.
"use strict";
const path = require("path");
const { describeFailure, makeFrame, readFrames, stripColours } = require("./failure.cjs");
const { createNumbering, createReport, makeKey } = require("./report.cjs");

const setup = path.join(__dirname, "jest-setup.cjs");
const statuses = {
  passed: "passed",
  failed: "failed",
  pending: "skipped",
  skipped: "skipped",
  todo: "skipped",
  disabled: "skipped",
};

/** The failure of a test from jest's texts; `details` is the thrown value, or what is left of it after a worker. */
function readFailure(messages, details) {
  const text = stripColours(messages[0] || "");
  const unparsed = /^\s*SyntaxError: (.*)$/m.exec(text);
  if (unparsed) return describeFailure(undefined, { ...readSyntaxError(unparsed[1], text), stack: text });
  const start = text.search(/\n\s+at /);
  const head = (start === -1 ? text : text.slice(0, start)).trim();
  const named = /^(?:Uncaught )?([A-Z][\w$.]*(?:Error|Exception))(?: \[\w+\])?: ([\s\S]*)$/.exec(head);
  const message = (named ? named[2] : head.replace(/^(?:Error|thrown): /, "")).trim();
  return describeFailure(undefined, {
    type: typeOf(named, message, details),
    message,
    frames: readFrames(text),
    stack: text,
  });
}

/** A file that Babel cannot parse: `/path/file.js: Missing semicolon. (2:10)`. */
function readSyntaxError(message, text) {
  const place = /^(\/.*?): .*\((\d+):\d+\)$/.exec(message);
  const frame = place && makeFrame(place[1], Number(place[2]), "");
  return { type: "SyntaxError", message, frames: frame ? [frame] : readFrames(text) };
}

function typeOf(named, message, details) {
  if (/^(thrown: )?"?Exceeded timeout of|Async callback was not invoked within/.test(message))
    return "TimeoutError";
  const error = details && (details.error || details);
  if (error?.matcherResult) return "AssertionError";
  if (error && error.code === "ERR_ASSERTION") return "AssertionError";
  if (/^expect(\(.*\))?\.|^assert(\.\w+)?\(/.test(message)) return "AssertionError";
  return named ? named[1] : error?.name || "Error";
}

class MillwrightReporter {
  constructor() {
    this.report = createReport("jest");
  }

  /** Called before the file runs, here or in a worker, which is sent this configuration. */
  onTestStart(test) {
    const files = test.context.config.setupFilesAfterEnv;
    if (Array.isArray(files) && !files.includes(setup)) files.push(setup);
  }

  onTestFileStart(test) {
    this.onTestStart(test);
  }

  onTestResult(test, result) {
    const number = createNumbering();
    let failing = false;
    for (const one of result.testResults) {
      const key = number(makeKey(test.path, [...one.ancestorTitles, one.title]));
      const outcome = { status: statuses[one.status] || "skipped", durationMs: one.duration || 0 };
      if (one.status === "passed" && one.failing) outcome.status = "expected-failure";
      if (one.status === "failed") {
        failing = true;
        const details = one.failureDetails?.[0];
        outcome.failure = readFailure(one.failureMessages, details);
        if (isHookFailure(one.failureMessages[0], details)) outcome.status = "errored";
      }
      this.report.ended(key, outcome);
    }
    const broken = result.testExecError || (result.failureMessage && result.testResults.length === 0);
    if (broken || (result.failureMessage && !failing)) {
      this.report.targetFailed(test.path, readTargetFailure(result));
    }
  }

  onRunComplete() {
    this.report.finish();
  }
}

function isHookFailure(message, details) {
  const error = details && (details.error || details);
  return (
    Boolean(error?.millwrightHook) ||
    /\n\s+at .*\b(?:_callCircusHook|beforeEach|beforeAll|afterEach|afterAll)\b/.test(
      stripColours(message || ""),
    )
  );
}

function readTargetFailure(result) {
  const error = result.testExecError;
  const stack = error?.stack || "";
  const text = stripColours(result.failureMessage || "").replace(/^\s*● .*\n/, "");
  if (error?.message)
    return readFailure([stack.includes(error.message) ? stack : `${error.message}\n${stack}`], error);
  return readFailure([text.trim().replace(/^ {4}/gm, "")], undefined);
}

module.exports = MillwrightReporter;
