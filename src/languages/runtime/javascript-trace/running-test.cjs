// The name of the test that runs, where the runner lets one know.
"use strict";
const fs = require("fs");
const Module = require("module");
const { isMainThread } = require("worker_threads");

/** Where jest and vitest keep what `expect` knows. */
const expectKey = Symbol.for("$$jest-matchers-object");
/** Tells the processes that a test starts that they are no tests themselves. */
const insideKey = "MILLWRIGHT_TRACE_INSIDE_TEST";
let running;

/** Of a realm: jest gives each test file its own. */
function currentTest(realm) {
  const known = realm[expectKey];
  const name = known && known.state && known.state.currentTestName;
  return typeof name === "string" ? name : running;
}

function findMocha() {
  const file = Object.keys(require.cache).find((one) => /[\\/]mocha[\\/]lib[\\/]mocha\.c?js$/.test(one));
  const loaded = file && require.cache[file].exports;
  const Mocha = typeof loaded === "function" ? loaded : loaded && (loaded.default || loaded.Mocha);
  return Mocha && Mocha.Runner && Mocha.Runner.prototype;
}

/** mocha's runner emits which test begins; its module is the first that is loaded of it. */
function watchMocha() {
  const load = Module._load;
  Module._load = function loadWatched(...args) {
    const loaded = load.apply(this, args);
    const runner = /mocha|runner/.test(args[0]) ? findMocha() : undefined;
    if (!runner) return loaded;
    Module._load = load;
    const { emit } = runner;
    runner.emit = function emitWatched(event, ...rest) {
      if (event === "test") running = rest[0].fullTitle();
      else if (event === "test end") running = undefined;
      return emit.call(this, event, ...rest);
    };
    return loaded;
  };
}

/** node:test calls hooks of the file with each test's context. Only for a file that uses it: a hook alone makes it report. */
function watchNodeTest(file) {
  try {
    if (!fs.readFileSync(file, "utf8").includes("node:test")) return;
  } catch (_) {
    return;
  }
  const { afterEach, beforeEach } = require("node:test");
  const names = [];
  beforeEach((context) => {
    names.push(context.fullName || context.name);
    running = names[names.length - 1];
  });
  afterEach((context) => {
    const index = names.lastIndexOf(context.fullName || context.name);
    if (index >= 0) names.splice(index, 1);
    running = names[names.length - 1];
  });
}

function watchTests() {
  const program = process.argv[1] || "";
  if (!isMainThread) return;
  if (/[\\/]_?mocha(?:\.c?js)?$/.test(program)) watchMocha();
  if (process.env.NODE_TEST_CONTEXT && !process.env[insideKey]) {
    process.env[insideKey] = "1";
    watchNodeTest(program);
  }
}

module.exports = { currentTest, watchTests };
