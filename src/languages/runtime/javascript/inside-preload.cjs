// Preloaded into every Node process of a project's own tool (jake, gulp, a script) that starts a test runner somewhere: gives
// that runner the arguments of this run.
"use strict";
const Module = require("module");
const path = require("path");
const { isMainThread } = require("worker_threads");

const programs = {
  mocha: /^_?mocha(?:\.c?js)?$/,
  jest: /^jest(?:\.js)?$/,
  vitest: /^vitest(?:\.m?js)?$/,
};

const { MILLWRIGHT_RUNNER: runner = "", MILLWRIGHT_RUNNER_ARGUMENTS: given } = process.env;
const wanted = programs[runner];
if (given && wanted && isMainThread && wanted.test(path.basename(process.argv[1] || ""))) {
  process.argv.push(...JSON.parse(given));
  delete process.env.MILLWRIGHT_RUNNER_ARGUMENTS; // a process that the runner starts has them already
} else if (given && runner === "mocha" && isMainThread) watchMocha(JSON.parse(given));

/** A script may start mocha by `new Mocha()`. */
function watchMocha(words) {
  const load = Module._load;
  const argumentOf = (name) => words[words.indexOf(name) + 1];
  Module._load = function loadWatched(name, ...rest) {
    const loaded = load.call(this, name, ...rest);
    const { run } = (name === "mocha" && loaded.prototype) || {};
    if (!run || run.isWatched) return loaded;
    loaded.prototype.run = function runWatched(...args) {
      this.reporter(argumentOf("--reporter"));
      if (words.includes("--timeout")) this.suite.timeout(Number(argumentOf("--timeout")));
      if (words.includes("--bail")) this.bail(true);
      return run.apply(this, args);
    };
    loaded.prototype.run.isWatched = true;
    return loaded;
  };
}
