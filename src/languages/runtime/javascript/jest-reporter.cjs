// Reporter for jest 24 to 30, in jest's main process. It also gives each test file our set-up (jest-setup.cjs), since the
// command line could only replace the project's own.
"use strict";
const path = require("path");
const { describeFailure, makeFrame, readFrames, stripColours } = require("./failure.cjs");
const { takeKey } = require("./channel.cjs");
const { createNumbering, createReport, makeKey } = require("./report.cjs");
const { batch, stopAtFirstFailure } = require("./request.cjs");

takeKey();

const setup = path.join(__dirname, "jest-setup.cjs");

/** The failure of a test from jest's texts; `details` is the thrown value, or what is left of it after a worker. */
function readFailure(messages, details) {
  const text = stripColours(messages[0] || "");
  const unparsed = /^\s*SyntaxError: (.*)$/m.exec(text);
  if (unparsed) return describeFailure(undefined, { ...readSyntaxError(unparsed[1], text), stack: text });
  const start = text.search(/\n\s+at /);
  const head = (start === -1 ? text : text.slice(0, start)).trim();
  const named = /^(?:Uncaught )?(?!thrown:)([A-Za-z_$][\w$.]*)(?: \[\w+\])?: ([\s\S]*)$/.exec(head);
  const message = (named ? named[2] : head.replace(/^thrown: /, "")).trim();
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
  if (/^(?:thrown: )?"?Exceeded timeout of|Async callback was not invoked within/.test(message))
    return "TimeoutError";
  const error = details && (details.error || details);
  if (error?.matcherResult) return "AssertionError";
  if (error && error.code === "ERR_ASSERTION") return "AssertionError";
  if (/^expect(\(.*\))?\.|^assert(\.\w+)?\(/.test(message)) return "AssertionError";
  return named && named[1] !== "Error" ? named[1] : error?.name || "Error";
}

function namesOf(one) {
  return [...one.ancestorTitles, one.title];
}

function outcomeOf(one) {
  const durationMs = one.duration || 0;
  if (one.status === "passed") return { status: one.failing ? "expected-failure" : "passed", durationMs };
  if (one.status !== "failed") return { status: "skipped", durationMs };
  const details = one.failureDetails?.[0];
  const status = isHookFailure(one.failureMessages[0], details) ? "errored" : "failed";
  return { status, durationMs, failure: readFailure(one.failureMessages, details) };
}

class MillwrightReporter {
  constructor() {
    this.report = createReport("jest");
    /** By path, while a file runs. */
    this.files = new Map();
  }

  /** Called before the file runs, here or in a worker, which is sent this configuration. */
  onTestStart(test) {
    const files = test.context.config.setupFilesAfterEnv;
    if (Array.isArray(files) && !files.includes(setup)) files.push(setup);
  }

  onTestFileStart(test) {
    this.onTestStart(test);
  }

  /** As each test ends, where jest tells of it: what a killed run had finished is kept. */
  onTestCaseResult(test, one) {
    this.endTest(test.path, one);
  }

  onTestResult(test, result) {
    for (const one of result.testResults) if (!this.wasTold(test.path, one)) this.endTest(test.path, one);
    this.files.delete(test.path);
    const failing = result.testResults.some((one) => one.status === "failed");
    const broken = result.testExecError || (result.failureMessage && !failing);
    if (broken) this.report.targetFailed(test.path, readTargetFailure(result));
  }

  fileOf(path) {
    if (!this.files.has(path))
      this.files.set(path, { number: createNumbering(), told: new Map(), failed: false });
    return this.files.get(path);
  }

  /** Tests of one name are told of in their order: the first so many of them have been. */
  wasTold(path, one) {
    const { told } = this.fileOf(path);
    const name = namesOf(one).join("\0");
    const left = told.get(name) || 0;
    if (left > 0) told.set(name, left - 1);
    return left > 0;
  }

  endTest(path, one) {
    const file = this.fileOf(path);
    const name = namesOf(one).join("\0");
    file.told.set(name, (file.told.get(name) || 0) + 1);
    const key = file.number(makeKey(path, namesOf(one)));
    const outcome = outcomeOf(one);
    if (outcome.status === "failed" || outcome.status === "errored") file.failed = true;
    // After the failure that was to end the run, our set-up has the others skipped: they did not run.
    if (outcome.status === "skipped" && file.failed && stopAtFirstFailure) return;
    this.report.ended(key, outcome);
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
if (batch) require("./jest-batch-runner.cjs").replaceRunner(MillwrightReporter);
