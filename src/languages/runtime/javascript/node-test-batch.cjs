// Runs files of node:test (the arguments) once for each candidate, in one process: each time as a suite of its own, in which
// each file is a suite. Node's option for names of tests knows the suites of the project by their own names.
"use strict";
const path = require("path");
const { beforeEach, describe, it } = require("node:test");
const { runCandidates, tell } = require("./batch-host.cjs");
const { createRenewal, keepCompiled, loadFile } = require("./batch-modules.cjs");
const { watch } = require("./node-test-batch-reporter.cjs");
const { testTimeoutMs } = require("./request.cjs");

const { clearTimeout, setImmediate, setTimeout } = globalThis; // taken now: tests put fake clocks in their place
const files = process.argv.slice(2).map((file) => path.resolve(file));

/** A file that waits for its own tests while it is loaded waits for ever: the tests of a suite begin when it is whole. */
function watchControl() {
  return setTimeout(() => {
    tell("unfit the tests do not end in a suite of a batch");
    process.exit(1);
  }, testTimeoutMs + 5000);
}

async function runFiles(id) {
  const timer = id === 0 ? watchControl() : undefined;
  const ended = watch.begin();
  describe(`millwright ${id}`, async () => {
    const loading = [];
    const load = (file) => {
      loading.push(loadFile(file, id).catch((error) => watch.fail(file, error)));
      return loading[loading.length - 1];
    };
    for (const file of files) describe(file, () => load(file));
    // Node leaves out a suite in which no test is chosen; this one's name is among the chosen ones.
    it("millwright", () => {});
    // Node 24 asks whether a test is chosen in a file when the suite around it is whole: not before the file is.
    await Promise.all(loading);
    await new Promise((resolve) => setImmediate(resolve));
  });
  await ended;
  clearTimeout(timer);
}

beforeEach((context) => watch.start(context));
const renewModules = createRenewal();
keepCompiled();
runCandidates(async (id) => {
  renewModules();
  await runFiles(id);
}).then(
  () => process.exit(0),
  (error) => {
    console.error(error);
    process.exit(1);
  },
);
