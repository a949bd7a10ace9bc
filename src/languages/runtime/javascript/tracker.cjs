// Collects the lines that instrumented files executed (src/instrument/) and writes them with the test that ran meanwhile.
"use strict";
const { appendFileSync } = require("fs");
const { createLines, isSelected } = require("./report.cjs");
const { coverage: wanted } = require("./request.cjs");

const registryKey = Symbol.for("millwright.counters");

/** jest gives its tests a copy of `process`; the processes that they start have the environment of the real one. */
const realProcess = appendFileSync.constructor("return process")();

/** What `child-preload.cjs` finds in a process that a test started. */
function tellChildren(key) {
  for (const { env } of new Set([process, realProcess])) {
    if (key) env.MILLWRIGHT_CURRENT_TEST = JSON.stringify(key);
    else delete env.MILLWRIGHT_CURRENT_TEST;
  }
}

/** The registry of the files that were loaded in this realm: path → { lines, seen, hits }. */
function registryOf(realm) {
  if (!realm[registryKey])
    Object.defineProperty(realm, registryKey, { value: Object.create(null), configurable: true });
  return realm[registryKey];
}

/** Takes what was executed since the last call: path → ranges of lines. */
function takeLines(registry) {
  const lines = {};
  let any = false;
  for (const path of Object.keys(registry)) {
    const file = registry[path];
    if (file.hits.length === 0) continue;
    any = true;
    const executed = new Set();
    for (const slot of file.hits) {
      file.seen[slot] = 0;
      addRange(executed, file.lines[slot]);
    }
    file.hits.length = 0;
    lines[path] = joinRanges([...executed].sort((a, b) => a - b));
  }
  return any ? lines : undefined;
}

/** A slot's lines: one line, or `[first, last, …]` pairs. */
function addRange(executed, lines) {
  if (typeof lines === "number") {
    executed.add(lines);
    return;
  }
  for (let index = 0; index < lines.length; index += 2) {
    for (let line = lines[index]; line <= lines[index + 1]; line += 1) executed.add(line);
  }
}

function joinRanges(sorted) {
  const ranges = [];
  for (let index = 0; index < sorted.length; index += 1) {
    const first = sorted[index];
    while (sorted[index + 1] === sorted[index] + 1) index += 1;
    ranges.push(first === sorted[index] ? String(first) : `${first}-${sorted[index]}`);
  }
  return ranges.join(",");
}

/**
 * Lines go to the tests that are running when they are taken: to each of them, where several run at once. What runs while
 * no test does, goes to the loading of the target that was named last.
 */
function createTracker(realm = globalThis) {
  if (!wanted) return { loaded() {}, aim() {}, start() {}, end() {}, finish() {} };
  const registry = registryOf(realm);
  const write = createLines("coverage");
  const running = new Map();
  let target = { package: "", target: "" };

  const flush = () => {
    const lines = takeLines(registry);
    if (!lines) return;
    if (running.size === 0) write({ event: "coverage", test: null, ...target, lines });
    for (const key of running.values()) if (isSelected(key)) write({ event: "coverage", test: key, lines });
  };
  return {
    /** What ran until now was the loading of this target. */
    loaded(key) {
      target = { package: key.package, target: key.target };
      flush();
    },
    /** What runs from now on, until a test starts, is the loading of this target. */
    aim(key) {
      flush();
      target = { package: key.package, target: key.target };
    },
    start(key) {
      target = { package: key.package, target: key.target };
      flush();
      running.set(`${key.target}\0${key.name}`, key);
      tellChildren(key);
    },
    end(key) {
      flush();
      running.delete(`${key.target}\0${key.name}`);
      tellChildren(undefined);
    },
    finish: flush,
  };
}

/** For a process that a test started: its lines are the test's. */
function trackChildProcess(realm = globalThis) {
  const current = process.env.MILLWRIGHT_CURRENT_TEST;
  if (!wanted) return;
  const registry = registryOf(realm);
  process.on("exit", () => {
    const lines = takeLines(registry);
    if (!lines) return;
    const test = current ? JSON.parse(current) : null;
    createLines("coverage")({
      event: "coverage",
      test,
      ...(test === null && { package: "", target: "" }),
      lines,
    });
  });
}

module.exports = { createTracker, trackChildProcess };
