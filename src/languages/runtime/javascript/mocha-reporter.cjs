// Reporter for mocha 4 to 12. mocha loads it before the test files.
"use strict";
const { describeFailure } = require("./failure.cjs");
const { createGuard, globalsOf, nodeRoots } = require("./guard.cjs");
const { findMocha, loadOneByOne } = require("./mocha-loading.cjs");
const { takeKey } = require("./channel.cjs");
const { createNumbering, createReport, isSelected, isSelectedFile, makeKey } = require("./report.cjs");
const { batch, varied } = require("./request.cjs");
const { createTracker } = require("./tracker.cjs");

takeKey();

const tracker = createTracker();
/** The files of hooks outside of any group, which mocha does not note. */
const rootHooks = new Map();
let root;
const failedFiles = [];
const failed = (file, error) => failedFiles.push({ file, error });
/** Changes of the framework that were seen before there was a report. */
const changes = [];
let tellChanges = (found) => changes.push(...found);
if (batch) {
  require("./mocha-batch.cjs").runBatch({
    begin() {
      failedFiles.length = 0;
    },
    failed,
  });
} else {
  let globals = globalsOf({}, tellChanges);
  loadOneByOne({
    before(mocha) {
      tracker.loaded(makeKey("", []));
      root = mocha.suite;
      // It gives each file functions of its own.
      mocha.suite.on("pre-require", (context) => {
        globals = globalsOf(context, (found) => tellChanges(found));
      });
    },
    loaded(file) {
      tracker.loaded(makeKey(file, []));
      for (const hook of root._afterAll) if (!rootHooks.has(hook)) rootHooks.set(hook, file);
      globals.look();
    },
    failed,
  });
}
const guard = createGuard({ ...mochaRoots(), ...nodeRoots() }, (found) => tellChanges(found));

/** Without the functions of its exports that it changes itself with each file. */
function mochaRoots() {
  const names = ["Runner", "Runnable", "Suite", "Hook", "Test", "Context", "utils", "interfaces"];
  return Object.fromEntries(
    findMocha().flatMap((Mocha) => [
      ["Mocha.prototype", Mocha.prototype],
      ...names.map((name) => [name, Mocha[name]]),
    ]),
  );
}

/** Titles of the groups, outermost first, and of the test or hook itself. */
function titlesOf(runnable) {
  const titles = [];
  for (let one = runnable; one; one = one.parent) {
    // A hook's title would name the test that it ran for.
    const title = one.originalTitle || one.title;
    if (title || one === runnable) titles.unshift(title);
  }
  return titles;
}

function fileOf(runnable) {
  for (let one = runnable; one; one = one.parent) if (one.file) return one.file;
  return rootHooks.get(runnable) || "";
}

function testsOf(suite) {
  return [...suite.tests, ...suite.suites.flatMap(testsOf)];
}

function dropTests(suite, keep) {
  suite.tests = suite.tests.filter(keep);
  for (const inner of suite.suites) dropTests(inner, keep);
}

/** Of groups and of the tests in them. */
function reverseTests(suite) {
  suite.tests.reverse();
  suite.suites.reverse();
  for (const inner of suite.suites) reverseTests(inner);
}

/** mocha's own `--grep`, where the project's command has one. */
function matchesGrep(runner, test) {
  return !runner._grep || runner._grep.test(test.fullTitle()) !== Boolean(runner._invert);
}

/** A test's key; tests get them in the order in which they are defined, a retried one keeps its own. */
function createKeys() {
  const number = createNumbering();
  const keys = new Map();
  return function keyOf(runnable) {
    const known = keys.get(runnable);
    if (known) return known;
    const first = typeof runnable.retriedTest === "function" ? runnable.retriedTest() : runnable._retriedTest;
    const key = first ? keyOf(first) : number(makeKey(fileOf(runnable), titlesOf(runnable)));
    keys.set(runnable, key);
    return key;
  };
}

/** Reports each test's end once its tear-down is over. */
function createEnds(report, keyOf) {
  let held;
  function release() {
    if (!held) return;
    const { key, outcome } = held;
    held = undefined;
    tracker.end(key);
    report.ended(key, outcome);
  }
  return {
    release,
    hold(test, outcome) {
      const key = keyOf(test);
      if (held && held.key !== key) release();
      // A test may fail after its end (a callback called twice).
      const late = report.hasEnded(key) && outcome.status === "failed";
      if (late) report.targetFailed(fileOf(test), outcome.failure);
      else held = { key, outcome: { durationMs: test.duration || 0, ...outcome } };
    },
    /** mocha leaves out what is left of a hook's suite when the hook fails. */
    failHook(hook, error) {
      const outcome = { status: "errored", durationMs: 0, failure: describeFailure(error) };
      const suite = hook.parent;
      const test = hook.ctx?.currentTest;
      const belongsToTest = suite && test && [...suite._beforeEach, ...suite._afterEach].includes(hook);
      if (belongsToTest) held = { key: keyOf(test), outcome };
      release();
      const left = suite && !suite._afterAll.includes(hook) ? testsOf(suite).map(keyOf) : [];
      const skipped = left.filter((key) => !report.hasEnded(key));
      for (const key of skipped) report.ended(key, outcome);
      if (!belongsToTest && skipped.length === 0) report.targetFailed(fileOf(hook), outcome.failure);
    },
  };
}

function MillwrightReporter(runner) {
  const report = createReport("mocha");
  const keyOf = createKeys();
  const ends = createEnds(report, keyOf);
  const look = (when) => guard.look({ runner, report, suite: runner.suite }, when);
  tellChanges = report.changed;
  if (changes.length > 0) report.changed([...changes]);
  look("always");
  for (const { file, error } of failedFiles) report.targetFailed(file, describeFailure(error));
  for (const test of testsOf(runner.suite)) keyOf(test);
  dropTests(runner.suite, (test) => isSelected(keyOf(test)));
  if (varied) reverseTests(runner.suite);
  runner.total = runner.suite.total();

  runner.on("start", () => {
    report.found(
      testsOf(runner.suite)
        .filter((test) => matchesGrep(runner, test))
        .map(keyOf),
    );
  });
  runner.on("suite", ends.release);
  runner.on("suite end", ends.release);
  runner.on("test", (test) => {
    ends.release();
    look();
    report.started(keyOf(test));
    tracker.start(keyOf(test));
  });
  runner.on("test end", () => look("after"));
  runner.on("pass", (test) => ends.hold(test, { status: "passed" }));
  runner.on("pending", (test) => ends.hold(test, { status: "skipped" }));
  runner.on("fail", (runnable, error) => {
    if (runnable.type === "hook") ends.failHook(runnable, error);
    else ends.hold(runnable, { status: "failed", failure: describeFailure(error) });
  });
  runner.on("end", () => {
    ends.release();
    look("always");
    tracker.finish();
    runner.failures += failedFiles.filter(({ file }) => isSelectedFile(file)).length; // mocha's exit code
    report.finish();
  });
}

module.exports = MillwrightReporter;
