// A helper of jasmine 3 to 5, loaded before the specs: reports them, and counts lines per spec.
"use strict";
const { describeFailure } = require("./failure.cjs");
const { takeKey } = require("./channel.cjs");
const { createGuard, globalsOf, nodeRoots } = require("./guard.cjs");
const { createNumbering, createReport, isSelected, isSelectedFile, makeKey } = require("./report.cjs");
const { selection, testTimeoutMs } = require("./request.cjs");
const { createTracker } = require("./tracker.cjs");

takeKey();

const report = createReport("jasmine");
const tracker = createTracker();
const number = createNumbering();
/** By the specs' own ids. */
const keys = new Map();
/** By the groups' own ids: their files. */
const files = new Map();
/** Specs that jasmine left out because a group's preparation failed: the group tells why. */
let leftOut = [];
let file = "";
let broken = false;

/** A file that cannot be loaded would end the run before the first spec. */
function loadOneByOne() {
  const name = Object.keys(require.cache).find((one) => /[\\/]jasmine[\\/]lib[\\/]loader\.js$/.test(one));
  const prototype = name && require.cache[name].exports.prototype;
  if (!prototype) return;
  const { load } = prototype;
  prototype.load = async function loadWatched(given, ...rest) {
    file = String(given);
    tracker.aim(makeKey(file, []));
    try {
      return await load.call(this, given, ...rest);
    } catch (error) {
      report.targetFailed(file, describeFailure(error));
      broken = broken || isSelectedFile(file);
      return undefined;
    } finally {
      look();
    }
  };
}

let look = () => {};

/** To be called when what is ours stands in its place. */
function watchFramework() {
  const environment = jasmine.getEnv();
  const guard = createGuard({ jasmine, environment, ...nodeRoots() }, report.changed);
  const globals = globalsOf(globalThis, report.changed);
  look = (when) => {
    guard.look({ reporter }, when);
    globals.look();
  };
}

/** Specs get their keys where they are defined: there the groups around them are known. */
function watchDefinitions() {
  const groups = [];
  for (const name of ["it", "fit", "xit"]) {
    const define = globalThis[name];
    globalThis[name] = function defineSpec(title, ...rest) {
      const spec = define.call(this, title, ...rest);
      if (spec?.id) keys.set(spec.id, number(makeKey(file, [...groups, title])));
      return spec;
    };
  }
  for (const name of ["describe", "fdescribe", "xdescribe"]) {
    const define = globalThis[name];
    globalThis[name] = function defineGroup(title, body, ...rest) {
      const inside = function inside(...args) {
        groups.push(title);
        try {
          return body.apply(this, args);
        } finally {
          groups.pop();
        }
      };
      const group = define.call(this, title, body && inside, ...rest);
      if (group?.id) files.set(group.id, file);
      return group;
    };
  }
}

function failureOf([expectation]) {
  const { matcherName, message, stack } = expectation;
  const named = matcherName ? /^(\w+Error): (.*)$/s : /^([A-Z]\w*): (.*)$/s;
  const [, thrown, said] = named.exec(message) || [];
  const isLate = /^Error: Timeout - /.test(message);
  const type = isLate ? "TimeoutError" : thrown || (matcherName ? "AssertionError" : "Error");
  return describeFailure(undefined, { type, message: said || message, stack: stack || "" });
}

function keyOf(result) {
  return keys.get(result.id) || makeKey(result.filename || "", [result.fullName]);
}

const reporter = {
  jasmineStarted() {
    report.found([...keys.values()]);
  },
  specStarted(result) {
    look();
    report.started(keyOf(result));
    tracker.start(keyOf(result));
  },
  specDone(result) {
    look("after");
    const key = keyOf(result);
    tracker.end(key);
    if (result.status === "excluded" && selection.kind === "tests") return;
    const failed = result.failedExpectations.length > 0;
    if (failed && /^(?:Error: )?Not run because a beforeAll/.test(result.failedExpectations[0].message)) {
      leftOut.push(key);
      return;
    }
    const status = failed ? "failed" : result.status === "passed" ? "passed" : "skipped";
    const durationMs = result.duration || 0;
    report.ended(key, {
      status,
      durationMs,
      ...(failed && { failure: failureOf(result.failedExpectations) }),
    });
  },
  suiteDone(result) {
    if (result.failedExpectations.length === 0) return;
    const failure = failureOf(result.failedExpectations);
    if (leftOut.length === 0) report.targetFailed(files.get(result.id) || result.filename || "", failure);
    for (const key of leftOut) report.ended(key, { status: "errored", durationMs: 0, failure });
    leftOut = [];
  },
  jasmineDone({ failedExpectations = [] } = {}) {
    if (failedExpectations.length > 0) report.targetFailed("", failureOf(failedExpectations));
    look("always");
    tracker.finish();
    report.finish();
  },
};

loadOneByOne();
watchDefinitions();
jasmine.DEFAULT_TIMEOUT_INTERVAL = testTimeoutMs;
jasmine.getEnv().addReporter(reporter);
if (selection.kind === "tests") {
  const specFilter = (spec) => keys.has(spec.id) && isSelected(keys.get(spec.id));
  jasmine.getEnv().configure({ specFilter });
}
watchFramework();
process.on("exit", () => {
  if (broken) process.exitCode = process.exitCode || 1;
});
