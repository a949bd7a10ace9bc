// Reporter for vitest 0.34 to 5, in vitest's main process. It also gives each project our set-up (vitest-setup.mjs), which
// the command line cannot add to the project's own.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const { describeFailure, makeFrame, stripColours } = require("./failure.cjs");
const { takeKey } = require("./channel.cjs");
const { createReport, makeKey } = require("./report.cjs");
const { batch, stopAtFirstFailure, testTimeoutMs: limit } = require("./request.cjs");
const { numberTests } = require("./vitest-tasks.cjs");

takeKey();
const home = dirname(fileURLToPath(import.meta.url));
const setup = join(home, "vitest-setup.mjs");

/** vitest hands on errors as plain data, with the frames that it has traced back to the sources. */
function readFailure(error) {
  const stack = String(error.stack || error.stackStr || "");
  const parsed = (error.stacks || [])
    .map((one) => makeFrame(one.file, one.line, one.method || ""))
    .filter(Boolean);
  const message = stripColours(String(error.message));
  if (error.loc && error.id) parsed.push(makeFrame(error.loc.file || error.id, error.loc.line, ""));
  const given = { message, stack, type: typeOf(error, message) };
  return describeFailure(error, parsed.length > 0 ? { ...given, frames: parsed.reverse() } : given);
}

function typeOf(error, message) {
  if (/^(?:Test|Hook) timed out in \d+ms/.test(message)) return "TimeoutError";
  if (/^(?:Failed to parse|Transform failed|Parse failure|Expression expected)/.test(message))
    return "SyntaxError";
  return String(error.name || error.nameStr || "Error").replace(/ \[.*\]$/, "");
}

function errorsOf(task) {
  const result = task.result || {};
  return result.errors || (result.error ? [result.error] : []);
}

/**
 * The outcome of a test, or undefined while it has none. `inherited` is the failure of a group around it: vitest marks the
 * tests of a group whose set-up failed as skipped, though they were to run (`wanted`).
 */
function outcomeOf(test, wanted, inherited) {
  const result = test.result;
  const durationMs = result?.duration || 0;
  if (result && result.state === "pass") {
    return { status: test.fails ? "expected-failure" : "passed", durationMs };
  }
  if (result && result.state === "fail") {
    const errors = errorsOf(test);
    const failure = readFailure(errors[0] || inherited || { name: "Error", message: "the test failed" });
    return {
      status: errors.length === 1 && stoppedInHook(result) ? "errored" : "failed",
      durationMs,
      failure,
    };
  }
  if (inherited && wanted) return { status: "errored", durationMs, failure: readFailure(inherited) };
  if (!wanted || test.mode !== "run" || (result && result.state === "skip"))
    return { status: "skipped", durationMs };
  return undefined;
}

/** A hook that threw has never got beyond "run". */
function stoppedInHook(result) {
  return Object.values(result.hooks || {}).some((state) => state !== "pass");
}

export default class MillwrightReporter {
  report = createReport("vitest");
  written = new Set();
  /** File → ids of the tests that are to run, as they stood before it ran. */
  wanted = new Map();
  keys = new Map();

  onInit(vitest) {
    this.vitest = vitest;
    const projects = vitest.projects && vitest.projects.length > 0 ? vitest.projects : [vitest];
    for (const project of [...projects, vitest]) prepareProject(project);
    process.env.MILLWRIGHT_VITEST = findVitest(vitest);
  }

  onCollected(files) {
    for (const file of files || []) this.find(file);
  }

  onTestModuleCollected(module) {
    this.find(module.task);
  }

  find(file) {
    if (!file || this.wanted.has(file)) return;
    this.keys.delete(file);
    const tests = [...this.keysOf(file)].filter(([test]) => test.mode === "run");
    this.wanted.set(file, new Set(tests.map(([test]) => test.id)));
    this.report.found(tests.map(([, key]) => key));
  }

  keysOf(file) {
    if (!this.keys.has(file)) this.keys.set(file, numberTests(file, makeKey));
    return this.keys.get(file);
  }

  onTaskUpdate(packs) {
    const state = this.vitest.state;
    for (const [id] of packs || []) {
      const task = state.idMap.get(id);
      const ended = task?.filepath && task.result && /^(pass|fail|skip)$/.test(task.result.state);
      if (ended) this.write(task);
    }
  }

  /** vitest 3 and later tell of each test's end: what a killed run had finished is kept. */
  onTestCaseResult(test) {
    const { task } = test;
    const key = this.keysOf(task.file).get(task);
    const outcome = key && this.outcomeOf(task, undefined);
    if (outcome && outcome.status !== "skipped") this.report.ended(key, outcome);
  }

  onTestModuleEnd(module) {
    this.write(module.task);
  }

  write(file) {
    if (!file || this.written.has(file)) return;
    this.written.add(file);
    const keys = this.keysOf(file);
    const broken = errorsOf(file);
    if (broken.length > 0) this.report.targetFailed(file.filepath, readFailure(broken[0]));
    this.writeTasks(file.tasks || [], keys, undefined);
  }

  outcomeOf(task, inherited) {
    const ids = this.wanted.get(task.file);
    const wanted = ids ? ids.has(task.id) : task.mode === "run";
    const outcome = outcomeOf(task, wanted, inherited);
    if (outcome?.status === "failed" || outcome?.status === "errored") this.failed = true;
    // After the failure that was to end the run, vitest marks the others as skipped: they did not run.
    const isLeft = outcome?.status === "skipped" && wanted && this.failed && stopAtFirstFailure;
    return isLeft ? undefined : outcome;
  }

  writeTasks(tasks, keys, inherited) {
    for (const task of tasks) {
      if (task.type === "suite") this.writeSuite(task, keys, inherited);
      else {
        const outcome = this.outcomeOf(task, inherited);
        if (outcome) this.report.ended(keys.get(task), outcome);
      }
    }
  }

  writeSuite(suite, keys, inherited) {
    const [error] = errorsOf(suite);
    this.writeTasks(suite.tasks, keys, error || inherited);
    if (!error) return;
    const inside = [...keys.keys()].filter((test) => isInside(test, suite));
    if (inside.some((test) => /^(fail|skip)$/.test(test.result?.state || "skip"))) return;
    // The tear-down of the whole group failed: none of its tests tells of it.
    this.report.targetFailed(suite.file.filepath, readFailure(error));
  }

  /** vitest 3 and later. */
  onTestRunEnd(modules, errors) {
    this.finish(
      modules.map((module) => module.task),
      errors,
    );
  }

  /** vitest before 4. */
  onFinished(files, errors) {
    this.finish(files || [], errors || []);
  }

  finish(files, errors) {
    for (const file of files) this.write(file);
    // Of errors that nobody handled.
    for (const error of errors) this.report.targetFailed(error.VITEST_TEST_PATH || "", readFailure(error));
    this.report.finish();
  }
}

function isInside(test, suite) {
  for (let one = test.suite; one; one = one.suite) if (one === suite) return true;
  return false;
}

function prepareProject({ config, server, vite }) {
  if (!config) return;
  if (Array.isArray(config.setupFiles) && !config.setupFiles.includes(setup)) config.setupFiles.push(setup);
  if (limit > config.testTimeout) config.testTimeout = limit;
  if (batch) {
    config.runner = config.runner || join(home, "vitest-batch-runner.mjs");
    config.bail = 0;
  }
  // Else vite refuses to read a file from outside the project.
  (vite || server)?.config?.server?.fs?.allow?.push(dirname(setup));
}

/** Where the tests' own `vitest` is: our set-up lies outside the project and could not find it. */
function findVitest(vitest) {
  const root = vitest.config.root;
  try {
    return pathToFileURL(
      join(dirname(createRequire(join(root, "x.js")).resolve("vitest/package.json")), "dist/index.js"),
    ).href;
  } catch {
    return "";
  }
}
