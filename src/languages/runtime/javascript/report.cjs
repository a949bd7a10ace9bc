// Writes the report that src/languages/report-lines.ts reads: JSON Lines, one file per process, one write per line.
// Plain CommonJS for Node 14 and later: it runs under the project's own Node, inside the project's test runner.
"use strict";
const { randomBytes } = require("crypto");
const { appendFileSync } = require("fs"); // taken now: tests put spies in its place
const path = require("path");
const { packageOf, relativePath } = require("./paths.cjs");
const request = require("./request.cjs");

const { report: folder, selection } = request;
const selectedFiles = selection.kind === "all" ? undefined : new Set(selection.files);
const selectedTests = selection.kind === "tests" ? new Set(selection.tests.map(textOf)) : undefined;

function textOf(key) {
  return `${key.package}\0${key.target}\0${key.name}`;
}

/** The key of the test with these names (outermost group first) in a file. */
function makeKey(file, names) {
  return { package: packageOf(file), target: relativePath(file), name: names.join(" > ") };
}

/** Hands out keys in the order of the tests: a second test of the same name gets ` #2`. */
function createNumbering() {
  const counts = new Map();
  return function number(key) {
    const text = `${key.target}\0${key.name}`;
    const count = (counts.get(text) || 0) + 1;
    counts.set(text, count);
    return count === 1 ? key : { ...key, name: `${key.name} #${count}` };
  };
}

/** False for a test that the runner reports, or would run, though nobody asked for it. */
function isSelected(key) {
  if (selectedFiles !== undefined && !selectedFiles.has(key.target)) return false;
  return selectedTests === undefined || selectedTests.has(textOf(key));
}

function isSelectedFile(file) {
  return selectedFiles === undefined || selectedFiles.has(relativePath(file));
}

/** The name of a file of this process; no other process of the run takes it. */
function newReportFile(name) {
  const prefix = process.env.MILLWRIGHT_REPORT_PREFIX || ""; // of a candidate in a batch
  return path.join(folder, `${prefix}${name}-${process.pid}-${randomBytes(4).toString("hex")}.jsonl`);
}

/** Appends events to a file of its own, which is there from the first one on. */
function createLines(name) {
  let file;
  let waiting = "";
  return function write(event) {
    if (folder === "") return;
    file = file || newReportFile(name);
    waiting += `${JSON.stringify(event)}\n`;
    try {
      appendFileSync(file, waiting);
      waiting = "";
    } catch {
      // The test that runs has put another file system in place; the next line takes this one along.
    }
  };
}

/**
 * The report of a process that runs tests, from its first line to its last. A `part` belongs to another process's report,
 * which sees to its beginning and its end.
 */
function createReport(framework, part = false) {
  const write = createLines(framework);
  const counts = {};
  const ended = new Set();
  let over = false;
  if (!part) {
    write({ event: "run-started", framework });
    if (selection.kind === "tests") write({ event: "tests-found", tests: selection.tests });
  }
  return {
    found(keys) {
      const tests = keys.filter(isSelected);
      if (tests.length > 0) write({ event: "tests-found", tests });
    },
    started(key) {
      if (isSelected(key)) write({ event: "test-started", test: key });
    },
    /** `outcome`: status, durationMs and, where it failed, failure. */
    ended(key, outcome) {
      if (over || !isSelected(key)) return;
      const text = textOf(key);
      if (ended.has(text)) return;
      ended.add(text);
      counts[outcome.status] = (counts[outcome.status] || 0) + 1;
      const durationMs = Math.max(0, Number(outcome.durationMs) || 0);
      write({ event: "test-ended", test: key, ...outcome, durationMs });
    },
    hasEnded: (key) => ended.has(textOf(key)),
    targetFailed(file, failure) {
      if (over || !isSelectedFile(file)) return;
      write({ event: "target-failed", package: packageOf(file), target: relativePath(file), failure });
    },
    finish() {
      if (over) return;
      over = true;
      if (!part) write({ event: "run-ended", counts });
    },
  };
}

module.exports = { createLines, createNumbering, createReport, isSelected, isSelectedFile, makeKey };
