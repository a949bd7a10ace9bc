// Runs tests that report in TAP and writes what it says as a report. Arguments: the tool (tape, tap, ava), the words that start
// it, `--options` and its options, `--files` and the files, folders or globs.
"use strict";
const fs = require("fs");
const path = require("path");
const { readAva } = require("./ava-outcomes.cjs");
const { takeKey } = require("./channel.cjs");
const { describeFailure, readCrash } = require("./failure.cjs");
const { findFiles } = require("./node-test-arguments.cjs");
const { createReport } = require("./report.cjs");
const { stopAtFirstFailure, testTimeoutMs } = require("./request.cjs");
const { createOutcomes, readTap, readTape } = require("./tap-outcomes.cjs");
const { createTapReader } = require("./tap-reading.cjs");
const { endedEarly } = require("./watch-end.cjs");
const { runWatched } = require("./watched-process.cjs");

/** Before a file's first test: its modules are loaded, and compiled. */
const loadingMs = 60_000;

function parseArguments([tool, ...words]) {
  const options = words.indexOf("--options");
  const files = words.indexOf("--files", options);
  return {
    tool,
    program: words.slice(0, options),
    options: words.slice(options + 1, files),
    files: words.slice(files + 1),
  };
}

/** tape: each file in a process of its own. Returns the exit code, and whether what was read can be tape's own words. */
async function runTape({ program, options, files }, report) {
  let failed = 0;
  let isForged = false;
  for (const file of findFiles(files.map(indexOf))) {
    const outcomes = createOutcomes(report, file);
    const tests = readTape(outcomes);
    const { state } = outcomes;
    const env = { ...preloading("tape-preload.cjs"), MILLWRIGHT_TEST_FILE: path.resolve(file) };
    const idle = () => (state.current ? testTimeoutMs : loadingMs);
    const isOver = () => stopAtFirstFailure && state.failed > 0;
    const reader = createTapReader(tests);
    const argv = [...program, ...options, file];
    const result = await runWatched(argv, env, { idle, isOver, read: reader.read });
    reader.end();
    if (!isOver()) judgeFile(file, result, tests, outcomes);
    isForged = isForged || state.isForged || result.code === endedEarly;
    failed += state.failed;
    if (stopAtFirstFailure && failed > 0) break;
  }
  return { code: failed > 0 ? 1 : 0, isForged };
}

function preloading(name) {
  const preload = `--require ${JSON.stringify(path.join(__dirname, name))}`;
  return { ...process.env, NODE_OPTIONS: `${process.env.NODE_OPTIONS || ""} ${preload}`.trim() };
}

/** What a file's own process could not say: the test in which it hung or died, or why it did not load. */
function judgeFile(file, { code, signal, stderr, timedOut }, tests, { report, state }) {
  if (!timedOut && (tests.isOver() || code === 0) && (state.failed > 0 || code === 0)) return;
  const how = signal
    ? `the test process was killed by ${signal}`
    : `the test process ended with exit code ${code}`;
  const late = { type: "TimeoutError", message: `the test did not end within ${testTimeoutMs} ms` };
  const failure = timedOut ? describeFailure(undefined, { ...late, stack: "" }) : readCrash(stderr, how);
  state.failed += 1;
  if (state.current) report.ended(state.current, { status: "failed", durationMs: 0, failure });
  else report.targetFailed(file, failure);
}

/** `tape test` is what `require("./test")` finds. */
function indexOf(file) {
  const inside = path.join(file, "index.js");
  return !/[*?[{]/.test(file) && fs.existsSync(inside) ? inside : file;
}

/** node-tap and AVA choose and start the files themselves. */
async function runWhole({ tool, program, options, files }, report) {
  const outcomes = createOutcomes(report, "");
  const tests = tool === "ava" ? readAva(outcomes, files) : readTap(outcomes);
  const words = tool === "ava" ? avaOptions() : tapOptions();
  const argv = [...program, ...options, ...words, ...files];
  const reader = createTapReader(tests);
  const env = tool === "tap" ? preloading("tap-preload.cjs") : process.env;
  const result = await runWatched(argv, env, { read: reader.read });
  reader.end();
  tests.finish?.();
  const { failed, isForged } = outcomes.state;
  return { code: failed > 0 || result.code === null ? 1 : result.code, isForged };
}

function avaOptions() {
  const seconds = Math.ceil(testTimeoutMs / 1000);
  return ["--tap", `--timeout=${seconds}s`, ...(stopAtFirstFailure ? ["--fail-fast"] : [])];
}

function tapOptions() {
  const version = versionOf("tap");
  const coverage = version >= 17 ? "--disable-coverage" : version >= 10 ? "--no-coverage" : undefined;
  return ["--reporter=tap", ...(coverage ? [coverage] : []), ...(stopAtFirstFailure ? ["--bail"] : [])];
}

function versionOf(name) {
  for (let folder = process.cwd(); ; folder = path.dirname(folder)) {
    try {
      const manifest = path.join(folder, "node_modules", name, "package.json");
      return Number.parseInt(JSON.parse(fs.readFileSync(manifest, "utf8")).version, 10);
    } catch {
      if (folder === path.dirname(folder)) return 0;
    }
  }
}

async function main() {
  const request = parseArguments(process.argv.slice(2));
  takeKey();
  const report = createReport(request.tool);
  const { code, isForged } = await (request.tool === "tape" ? runTape : runWhole)(request, report);
  if (isForged)
    console.error(
      `code under test ended the process before ${request.tool} did: what it printed does not count`,
    );
  // Without its last line the report counts for nothing.
  else report.finish();
  process.exitCode = code;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
