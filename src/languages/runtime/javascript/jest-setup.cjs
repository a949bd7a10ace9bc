// Runs in each test file's own realm, after the project's set-up: says which test starts, and takes its executed lines.
"use strict";
const { createGuard, globalsOf, nodeRoots } = require("./guard.cjs");
const { createLines, createNumbering, isSelected, makeKey } = require("./report.cjs");
const { stopAtFirstFailure, testTimeoutMs: limit } = require("./request.cjs");
const { createTracker } = require("./tracker.cjs");

const write = createLines("jest-tests");
const tracker = createTracker(globalThis);
const tellChanges = (changes) => write({ event: "framework-changed", changes });

/** The state of jest-circus, the default runner since jest 27; undefined under jest-jasmine2. */
function circusState() {
  const symbol = Object.getOwnPropertySymbols(globalThis).find(
    (one) => String(one) === "Symbol(JEST_STATE_SYMBOL)",
  );
  return symbol && globalThis[symbol];
}

/** In the order of jest's results; before jest 25 a block's own tests stood beside its inner blocks. */
function circusTests(block) {
  const children = block.children || [];
  const inner = children.flatMap((one) => (one.type === "test" ? [one] : circusTests(one)));
  return children.some((one) => one.type) ? inner : [...(block.tests || []), ...inner];
}

function circusNames(test) {
  const names = [test.name];
  for (let block = test.parent; block?.parent; block = block.parent) names.unshift(block.name);
  return names.map(String);
}

function jasmineSpecs(suite) {
  return (suite.children || []).flatMap((one) => (one.children ? jasmineSpecs(one) : [one]));
}

/** Tells of each test's start and end by `start(key)` and `end(key)`. */
function watchCircus(state, file, watch) {
  let keys;
  const keyOf = (test) => {
    if (!keys) {
      const number = createNumbering();
      const tests = circusTests(circusState().rootDescribeBlock);
      keys = new Map(tests.map((one) => [one, number(makeKey(file, circusNames(one)))]));
      watch.found([...keys.values()]);
    }
    return test && (keys.get(test) || makeKey(file, circusNames(test)));
  };
  const current = () => keyOf(circusState().currentlyRunningTest);
  if (limit > state.testTimeout) state.testTimeout = limit;
  const handlers = globalThis[Symbol.for("EVENT_HANDLERS")];
  if (Array.isArray(handlers)) handlers.push(markHookFailure);
  // The runner chooses by names alone: of two tests of one name, it would run the other one too.
  hook("beforeAll", () => {
    for (const test of circusTests(circusState().rootDescribeBlock)) {
      if (!isSelected(keyOf(test))) test.mode = "skip";
    }
  });
  hook("beforeEach", () => watch.start(current()));
  hook("afterEach", () => {
    watch.end(current());
    if (stopAtFirstFailure && circusState().currentlyRunningTest.errors.length > 0) skipRest();
  });
}

/** jest itself stops between files only. */
function skipRest() {
  for (const test of circusTests(circusState().rootDescribeBlock)) {
    if (!test.startedAt) test.mode = "skip";
  }
}

/** The reporter sees only the error: it is to know that a hook threw it. */
function markHookFailure({ name, error }) {
  if (name !== "hook_failure" || error === null || typeof error !== "object") return;
  Object.defineProperty(error, "millwrightHook", { value: true, enumerable: true, configurable: true });
}

function watchJasmine(file, watch) {
  const environment = globalThis.jasmine.getEnv();
  let keys;
  const keyOf = (result) => {
    if (!keys) {
      const number = createNumbering();
      const specs = jasmineSpecs(environment.topSuite());
      keys = new Map(
        specs.map((spec) => [spec.id, number(makeKey(file, jasmineNames(environment.topSuite(), spec.id)))]),
      );
      watch.found([...keys.values()]);
    }
    return keys.get(result.id);
  };
  if (limit > globalThis.jasmine.DEFAULT_TIMEOUT_INTERVAL)
    globalThis.jasmine.DEFAULT_TIMEOUT_INTERVAL = limit;
  environment.addReporter({
    specStarted: (result) => watch.start(keyOf(result)),
    specDone: (result) => watch.end(keyOf(result)),
    jasmineStarted() {},
    jasmineDone() {},
    suiteStarted() {},
    suiteDone() {},
  });
}

function jasmineNames(suite, id) {
  for (const one of suite.children || []) {
    if (one.id === id) return [one.description || one.result.description];
    const inner = one.children ? jasmineNames(one, id) : undefined;
    if (inner) return [one.description || one.result.description, ...inner];
  }
  return undefined;
}

/** A hook of the test framework, also where the project has `injectGlobals: false`. */
function hook(name, run) {
  const define = globalThis[name] || require("@jest/globals")[name];
  define(() => run());
}

/** What of jest is in this realm: its matchers, and who is told of its events. */
function frameworkRoots() {
  const expect = globalThis.expect || require("@jest/globals").expect;
  const { matchers } = globalThis[Symbol.for("$$jest-matchers-object")] || {};
  const handlers = globalThis[Symbol.for("EVENT_HANDLERS")];
  return { expect, matchers, ...(Array.isArray(handlers) && { handlers: { ...handlers } }), ...nodeRoots() };
}

function watchTests() {
  const file = (globalThis.expect || require("@jest/globals").expect).getState().testPath;
  const guard = createGuard(frameworkRoots(), tellChanges);
  const globals = globalsOf(globalThis, tellChanges);
  const look = (when) => {
    guard.look({}, when);
    globals.look();
  };
  const watch = {
    found: (keys) => write({ event: "tests-found", tests: keys.filter(isSelected) }),
    start(key) {
      look();
      if (!key) return;
      if (isSelected(key)) write({ event: "test-started", test: key });
      tracker.start(key);
    },
    end(key) {
      look("after");
      if (key) tracker.end(key);
    },
  };
  hook("afterAll", () => look("always"));
  tracker.loaded(makeKey("", []));
  tracker.aim(makeKey(file, []));
  const state = circusState();
  if (state) watchCircus(state, file, watch);
  else if (globalThis.jasmine) watchJasmine(file, watch);
}

watchTests();
