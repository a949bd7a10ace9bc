// Loaded before a file of node-tap's tests (18 and later): whether the process ended before node-tap had said its results.
"use strict";
const { watchEnd } = require("./watch-end.cjs");

/** Where node-tap keeps its one instance, whichever way it is loaded. */
const place = Symbol.for("TAP private constructor");

function watchInstance() {
  let instance;
  Object.defineProperty(globalThis, place, {
    get: () => instance,
    set: (value) => {
      instance ??= value;
    },
  });
  // It says the results of what is unfinished, as failed, when the process is about to end.
  watchEnd(() => instance === undefined || !instance.results);
}

// The runner is no test, and neither is a process that a test starts.
if (process.env.TAP_CHILD_ID && !process.env.MILLWRIGHT_TAP) {
  process.env.MILLWRIGHT_TAP = "1";
  watchInstance();
}
