// Runs in each test file's own realm, after the project's set-up: says which test starts, and takes its executed lines.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { createGuard, globalsOf, nodeRoots } = require("./guard.cjs");
const { createLines, isSelected, makeKey } = require("./report.cjs");
const { createTracker } = require("./tracker.cjs");
const { namesOf, numberTests } = require("./vitest-tasks.cjs");

const write = createLines("vitest-tests");
const tracker = createTracker(globalThis);
const state = globalThis.__vitest_worker__;
const { afterAll, afterEach, beforeAll, beforeEach, chai, expect } = await import(
  /* @vite-ignore */ process.env.MILLWRIGHT_VITEST
);
const { matchers } = globalThis[Symbol.for("$$jest-matchers-object")] || {};
const tellChanges = (changes) => write({ event: "framework-changed", changes });
const guard = createGuard({ chai, expect, matchers, ...nodeRoots() }, tellChanges);
const globals = globalsOf(globalThis, tellChanges);

function look(when) {
  guard.look({}, when);
  globals.look();
}
const keys = new Map();

function keyOf(task) {
  const file = task.file;
  if (!keys.has(task)) for (const [test, key] of numberTests(file, makeKey)) keys.set(test, key);
  return keys.get(task) || makeKey(file.filepath, namesOf(task));
}

afterAll(() => look("always"));
tracker.loaded(makeKey("", []));
if (state?.filepath) tracker.aim(makeKey(state.filepath, []));
// The runner chooses by names alone: of two tests of one name, it would run the other one too.
beforeAll(function chooseTests() {
  // biome-ignore lint/complexity/noArguments: vitest reads the names of parameters and takes them for fixtures
  const file = [...arguments].find((one) => one?.tasks);
  if (!file) return;
  const whole = file.file || file;
  for (const [test, key] of numberTests(whole, makeKey)) if (!isSelected(key)) test.mode = "skip";
  for (const task of whole.tasks) skipEmpty(task);
});

/** A group of which nothing is to run: its hooks are not either. True for what is skipped. */
function skipEmpty(task) {
  if (task.type !== "suite") return task.mode === "skip";
  const isEmpty = task.tasks.map(skipEmpty).every(Boolean);
  if (isEmpty && task.mode === "run") task.mode = "skip";
  return isEmpty;
}

/** Where a hook's context has its test: before vitest 0.33 in `meta`. */
function testOf(context) {
  return context.task || context.meta;
}

beforeEach((context) => {
  look();
  const key = keyOf(testOf(context));
  if (isSelected(key)) write({ event: "test-started", test: key });
  tracker.start(key);
});
afterEach((context) => {
  look("after");
  tracker.end(keyOf(testOf(context)));
});
