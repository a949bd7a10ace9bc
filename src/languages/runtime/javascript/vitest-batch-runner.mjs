// Runner of vitest's workers in a batch: after vitest's own run of the first file, it runs all files again for each candidate,
// in the same worker, with the project's modules made anew.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { closeSync, openSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const { choose } = require("./batch-candidate.cjs");
const { report: folder, root, selection, stopAtFirstFailure } = require("./request.cjs");

const home = new URL(".", process.env.MILLWRIGHT_VITEST);
const load = (path) => import(/* @vite-ignore */ new URL(path, home).href);
const vitest = await load("index.js");
const { startTests } = await load("browser.js");
const Runner = vitest.TestRunner || (await load("runners.js")).VitestTestRunner;
const reporting = pathToFileURL(require.resolve("./vitest-reporter.mjs")).href;
const { default: Reporter } = await import(/* @vite-ignore */ reporting);
const start = Runner.prototype.onAfterRunFiles;

/** One worker of each life of vitest goes through the candidates. */
function isFirstWorker() {
  try {
    closeSync(openSync(join(folder, `worker-${process.env.MILLWRIGHT_HOST}`), "wx"));
    return true;
  } catch {
    return false;
  }
}

/** What is told of a run stays in this worker: vitest's main process knows nothing of candidates. */
function makeQuiet(outer, reporter) {
  const inner = Object.create(outer);
  return Object.assign(inner, {
    cancelRun: false,
    onCollected: (files) => reporter.onCollected(files),
    onTaskUpdate() {},
    onTestAnnotate: async (_test, annotation) => annotation,
    onAfterRunFiles: start,
    async onAfterRunTask(test) {
      await Runner.prototype.onAfterRunTask?.call(inner, test);
      if (stopAtFirstFailure && test.result?.state === "fail") inner.cancelRun = true;
    },
  });
}

async function runFiles(outer, state) {
  const reporter = new Reporter();
  const inner = makeQuiet(outer, reporter);
  for (const name of selection.files) {
    const file = join(root, name);
    vitest.vi.resetModules();
    state.filepath = file;
    for (const task of await startTests([file], inner)) reporter.write(task);
    vitest.vi.resetConfig();
    vitest.vi.restoreAllMocks();
  }
  reporter.finish([], []);
}

export default class BatchRunner extends Runner {
  async onAfterRunFiles(...given) {
    await super.onAfterRunFiles?.(...given);
    const state = globalThis.__vitest_worker__;
    if (!process.env.MILLWRIGHT_HOST || !isFirstWorker()) return;
    const { runCandidates } = require("./batch-host.cjs");
    await runCandidates(async (id) => {
      choose(globalThis, id);
      await runFiles(this, state);
    });
  }
}
