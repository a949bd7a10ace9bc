// The name of the test that runs, where the runner lets one know.
"use strict";

/** Where jest and vitest keep what `expect` knows. */
const expectKey = Symbol.for("$$jest-matchers-object");
let watched;
let searches = 0;

/** Of a realm: jest gives each test file its own. */
function currentTest(realm) {
  const known = realm[expectKey];
  const name = known && known.state && known.state.currentTestName;
  if (typeof name === "string") return name;
  if (watched === undefined && typeof realm.it === "function" && searches < 100) watchMocha();
  return watched && watched.name;
}

/** mocha's runner says which test begins. It is loaded before the test files are. */
function watchMocha() {
  searches += 1;
  const file = Object.keys(require.cache).find((one) => /[\\/]mocha[\\/]lib[\\/]runner\.c?js$/.test(one));
  const Runner = file && require.cache[file].exports;
  if (typeof Runner !== "function" || !Runner.prototype) return;
  watched = { name: undefined };
  const { runTests } = Runner.prototype;
  if (typeof runTests !== "function") return;
  const seen = new WeakSet();
  Runner.prototype.runTests = function runWatched(...args) {
    if (!seen.has(this)) {
      seen.add(this);
      this.on("test", (test) => nameTest(test.fullTitle()));
      this.on("test end", () => nameTest(undefined));
    }
    return runTests.apply(this, args);
  };
}

function nameTest(name) {
  watched = { name };
}

module.exports = { currentTest, nameTest };
