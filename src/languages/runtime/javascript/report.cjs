// Sends the report that src/languages/report-lines.ts reads: JSON Lines, a stream per process, each line at once.
// Plain CommonJS for Node 14 and later: it runs under the project's own Node, inside the project's test runner.
"use strict";
const { randomBytes } = require("crypto");
const { appendFileSync } = require("fs"); // taken now: tests put spies in its place
const path = require("path");
const { createSender, takeKey } = require("./channel.cjs");
const { packageOf, relativePath } = require("./paths.cjs");
const request = require("./request.cjs");

const { batch, report: folder, selection } = request;
/** Of a test file's own process: how our runner calls it. Its children are none of ours. */
const ownPart = process.env.MILLWRIGHT_PART;
if (ownPart) {
  delete process.env.MILLWRIGHT_PART;
  takeKey();
}
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

/** Appends texts to a file of its own, which is there from the first one on. */
function createFile(name) {
  let file;
  let waiting = "";
  return function append(text) {
    file = file || newReportFile(name);
    waiting += text;
    try {
      appendFileSync(file, waiting);
      waiting = "";
    } catch {
      // The test that runs has put another file system in place; the next line takes this one along.
    }
  };
}

/**
 * Where a process's events go: through the channel; in a batch, into files. A test file's own process also leaves its events in a
 * file, where our runner looks for what became of it; the host does not.
 */
function createLines(name) {
  if (folder === "") return () => {};
  const outputs = batch ? [createFile(name)] : [createSender(name)];
  if (!batch && name === ownPart) outputs.push(createFile(name));
  return function write(event) {
    const line = `${JSON.stringify(event)}\n`;
    for (const output of outputs) output(line);
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
    if (!batch) createFile("begun")(""); // for the shell that runs several runners
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
    /** What was changed of the framework in memory. */
    changed: (changes) => write({ event: "framework-changed", changes }),
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
    /** Reports a failure outside any test, such as a file that does not load or a tear-down. `file`: "" if unknown. */
    targetFailed(file, failure) {
      if (over || (file !== "" && !isSelectedFile(file))) return;
      write({ event: "target-failed", package: packageOf(file), target: relativePath(file), failure });
    },
    finish() {
      if (over) return;
      over = true;
      if (!part) write({ event: "run-ended", counts });
    },
  };
}

module.exports = { createLines, createNumbering, createReport, isSelected, isSelectedFile, makeKey, ownPart };
