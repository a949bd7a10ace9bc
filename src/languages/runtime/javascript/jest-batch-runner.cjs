// Stands in for jest's own runner and calls it once for each candidate: each test file gets its own realm and modules every
// time, as jest has it, while transformed and compiled code is kept.
"use strict";
const { createRequire } = require("module");
const path = require("path");
const vm = require("vm");
const { runCandidates } = require("./batch-host.cjs");

const setup = path.join(__dirname, "batch-candidate.cjs");

/** The file of jest's own runner, from where jest itself is. */
function findRunner() {
  const names = ["@jest/core", "jest-config", "jest-cli", "jest"];
  const inPackage = (name) => (file) => file.includes(`/node_modules/${name}/`);
  const starts = names.flatMap((name) => Object.keys(require.cache).filter(inPackage(name)).slice(0, 1));
  for (const start of starts) {
    try {
      return createRequire(start).resolve("jest-runner");
    } catch {
      // This one does not depend on it.
    }
  }
  throw new Error("jest's own runner was not found");
}

/** A compiled script belongs to no realm: the next realm runs it again. */
function keepScripts() {
  const scripts = new Map();
  vm.Script = new Proxy(vm.Script, {
    construct(Script, [code, options]) {
      const name = typeof options === "string" ? options : options?.filename;
      if (typeof code !== "string" || /\bimport\s*\(/.test(code)) return new Script(code, options);
      const key = `${name}\0${code}`;
      const script = scripts.get(key) || new Script(code, options);
      scripts.set(key, script);
      return script;
    },
  });
}

/** jest froze the configurations, but not what they hold. */
function prepare({ globals, setupFiles, transform }) {
  if (!setupFiles.includes(setup)) setupFiles.unshift(setup);
  // A program with many candidates is not there to have its types checked.
  for (const entry of transform.filter(([, transformer]) => /[\\/]ts-jest[\\/]/.test(transformer))) {
    const options = { ...entry[2], ...globals["ts-jest"], diagnostics: false, isolatedModules: true };
    entry[2] = options;
    globals["ts-jest"] = options;
  }
}

/** Runs the test files in this process, and tells the reporter of their results. */
async function runFiles(runner, tests, watcher, reporter) {
  const options = { serial: true };
  const start = async (test) => reporter.onTestStart(test);
  const end = async (test, result) => reporter.onTestResult(test, result);
  const fail = async (test, error) =>
    reporter.onTestResult(test, { testResults: [], testExecError: error, failureMessage: error.message });
  if (!runner.supportsEventEmitters) return runner.runTests(tests, watcher, start, end, fail, options);
  runner.on("test-file-start", ([test]) => start(test));
  runner.on("test-file-success", ([test, result]) => end(test, result));
  runner.on("test-file-failure", ([test, error]) => fail(test, error));
  return runner.runTests(tests, watcher, options);
}

/** To be called before jest asks for its runner; a project's own runner stays in its place. */
function replaceRunner(Reporter) {
  const file = findRunner();
  const loaded = require(file);
  const Runner = loaded.default || loaded;
  require.cache[file].exports = class BatchRunner {
    constructor(...given) {
      this.given = given;
    }

    async runTests(tests, watcher) {
      for (const test of tests) prepare(test.context.config);
      keepScripts();
      await runCandidates(async () => {
        const reporter = new Reporter();
        await runFiles(new Runner(...this.given), tests, watcher, reporter);
        reporter.onRunComplete();
      });
      process.exit(0);
    }
  };
}

module.exports = { replaceRunner };
