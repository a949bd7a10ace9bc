// Runs in each test file's own realm, after the project's set-up: says which test starts, and takes its executed lines.
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
const { createLines, isSelected, makeKey } = require("./report.cjs");
const { createTracker } = require("./tracker.cjs");
const { namesOf, numberTests } = require("./vitest-tasks.cjs");

const write = createLines("vitest-tests");
const tracker = createTracker(globalThis);
const state = globalThis.__vitest_worker__;
const { afterEach, beforeEach } = await import(/* @vite-ignore */ process.env.MILLWRIGHT_VITEST);
const keys = new Map();

function keyOf(task) {
  const file = task.file;
  if (!keys.has(task)) for (const [test, key] of numberTests(file, makeKey)) keys.set(test, key);
  return keys.get(task) || makeKey(file.filepath, namesOf(task));
}

tracker.loaded(makeKey("", []));
if (state?.filepath) tracker.aim(makeKey(state.filepath, []));
beforeEach(({ task }) => {
  const key = keyOf(task);
  if (isSelected(key)) write({ event: "test-started", test: key });
  tracker.start(key);
});
afterEach(({ task }) => tracker.end(keyOf(task)));
