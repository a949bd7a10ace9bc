// Lets mocha run its files once for each candidate, each time in a suite of their own.
"use strict";
const { runCandidates } = require("./batch-host.cjs");
const { createRenewal, keepCompiled, loadFile } = require("./batch-modules.cjs");
const { findMocha } = require("./mocha-loading.cjs");

/** A fresh mocha with the settings of the one that the command line made. */
function renew(outer, ui) {
  const inner = Object.assign(Object.create(Object.getPrototypeOf(outer)), outer);
  inner.suite = outer.suite.clone();
  inner.suite.root = true;
  inner.suite.ctx = new outer.suite.ctx.constructor();
  inner.options = { ...outer.options };
  inner.files = [];
  if (inner._state !== undefined) inner._state = "init";
  inner._previousRunner = undefined;
  inner.ui(ui || outer.options.ui || "bdd");
  const { rootHooks } = outer.options;
  if (rootHooks && Object.keys(rootHooks).length > 0 && inner.rootHooks) inner.rootHooks(rootHooks);
  return inner;
}

async function loadFiles(inner, files, id, failed) {
  for (const file of files) {
    inner.suite.emit("pre-require", globalThis, file, inner);
    try {
      const exports = await loadFile(file, id);
      inner.suite.emit("require", exports, file, inner);
    } catch (error) {
      failed(file, error);
    }
    inner.suite.emit("post-require", globalThis, file, inner);
  }
}

/** `begin` makes ready for a candidate's report, `failed(file, error)` takes note of a file that cannot be loaded. */
function runBatch({ begin, failed }) {
  for (const { prototype } of findMocha()) {
    const { run, ui } = prototype;
    let chosen;
    let inLoop = false;
    prototype.ui = function rememberUi(name) {
      chosen = typeof name === "string" ? name : chosen;
      return ui.call(this, name);
    };
    if (prototype.loadFilesAsync) prototype.loadFilesAsync = async () => {};
    prototype.loadFiles = (done) => done?.();
    prototype.run = function runEach(done) {
      if (inLoop) return run.call(this, done);
      const { files } = this;
      const renewModules = createRenewal();
      keepCompiled();
      runCandidates(async (id) => {
        begin();
        renewModules();
        const inner = renew(this, chosen);
        await loadFiles(inner, files, id, failed);
        inLoop = true;
        await new Promise((resolve) => run.call(inner, resolve));
        inLoop = false;
      }).then(
        () => process.exit(0),
        (error) => {
          console.error(error);
          process.exit(1);
        },
      );
      return { abort() {}, on() {}, once() {} };
    };
  }
}

module.exports = { runBatch };
