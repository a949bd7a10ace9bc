// Tests many candidates of a program that holds them all: starts the runner (argument: its shell command), which takes one
// candidate after the other (batch-host.cjs), and starts it anew when it hangs, dies or is worn.
"use strict";
const { spawn } = require("child_process");
const fs = require("fs");
const path = require("path");
const { batch, report: folder, selection, testTimeoutMs } = require("./request.cjs");

const pollMs = 20;
/** For a start, with the compilation of what is loaded. */
const startMs = 60_000;
/** Beside a test's own limit: the loading of the files, and the end of a test that the runner itself stops. */
const graceMs = 1000;
const keptOutput = 4000;

const state = { hosts: 0, unfit: undefined, withControl: true };

function isOpen() {
  return batch.candidates.some((id) => !fs.existsSync(path.join(folder, `claim-${id}`)));
}

async function work() {
  let empty = 0;
  while (state.unfit === undefined && isOpen()) {
    const { judged, output } = await runHost(++state.hosts);
    empty = judged ? 0 : empty + 1;
    if (empty === 2) state.unfit = state.unfit || `the runner ends without a candidate: ${output.trim()}`;
  }
}

/** One life of the runner; true in `judged` when a candidate came to its end, by its own or by force. */
function runHost(number) {
  const log = path.join(folder, `host-${number}.log`);
  const options = JSON.stringify(path.join(__dirname, "batch-candidate.cjs"));
  const env = {
    ...process.env,
    MILLWRIGHT_HOST: String(number),
    MILLWRIGHT_CONTROL: state.withControl ? "1" : "",
    NODE_OPTIONS: `${process.env.NODE_OPTIONS || ""} --require ${options}`.trim(),
  };
  const stdio = ["ignore", "pipe", "pipe"];
  const child = spawn("/bin/sh", ["-c", process.argv[2]], { env, stdio, detached: true });
  let output = "";
  const keep = (chunk) => {
    output = (output + chunk).slice(-keptOutput);
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  return new Promise((resolve) => {
    const watch = watchHost(log, () => end(child));
    const over = () => {
      clearInterval(watch.timer);
      end(child);
      resolve({ judged: settle(readLog(log), watch.killed()), output });
    };
    child.on("error", over);
    child.on("exit", over);
  });
}

/** With all that it started: it leads a group of its own. */
function end(child) {
  try {
    process.kill(-child.pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}

/** Calls `kill` when the runner says nothing for longer than what it does may take. */
function watchHost(log, kill) {
  let size = -1;
  let since = Date.now();
  let killed = false;
  const timer = setInterval(() => {
    const present = sizeOf(log);
    if (present !== size) {
      size = present;
      since = Date.now();
    }
    if (Date.now() - since <= testTimeoutMs + graceMs) return;
    const events = readLog(log);
    // A candidate may take long over its tests, as long as one after the other ends.
    killed = Date.now() - Math.max(since, lastReport(events)) > limitOf(events);
    if (killed) kill();
  }, pollMs);
  return { timer, killed: () => killed };
}

/** The first one loads and compiles everything. */
function limitOf({ ended }) {
  return testTimeoutMs + (ended.length === 0 ? startMs : graceMs);
}

/** When the candidate that runs last reported something. */
function lastReport({ begun }) {
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(`c${begun[begun.length - 1]}.`));
  return Math.max(0, ...names.map((name) => fs.statSync(path.join(folder, name)).mtimeMs));
}

function sizeOf(file) {
  try {
    return fs.statSync(file).size;
  } catch {
    return 0;
  }
}

function readLog(log) {
  const lines = sizeOf(log) === 0 ? [] : fs.readFileSync(log, "utf8").split("\n");
  const ended = lines.filter((line) => line.startsWith("end ")).map((line) => Number(line.slice(4)));
  const begun = lines.filter((line) => line.startsWith("begin ")).map((line) => Number(line.slice(6)));
  return { ended, begun, unfit: lines.find((line) => line.startsWith("unfit ")) };
}

/** Draws the conclusions of a runner's life; true when it led to something. */
function settle({ ended, begun, unfit }, killed) {
  if (unfit) state.unfit = unfit.slice("unfit ".length);
  const last = begun[begun.length - 1];
  if (last === undefined || ended.includes(last)) return ended.length > 0;
  // The program as it was hangs or dies: that is what is to be repaired. The candidates begin without it.
  if (last === 0 && state.withControl) state.withControl = false;
  else if (killed) blame(last);
  return true;
}

/** A candidate that had to be stopped: the test that ran took too long, or else its loading did. */
function blame(id) {
  const message = `the test took longer than ${testTimeoutMs} ms`;
  const failure = { type: "TimeoutError", message, frames: [], text: message };
  const running = findRunning(id);
  const tests = running.length > 0 ? running : selection.tests.slice(0, 1);
  const ends = tests.map((test) => ({
    event: "test-ended",
    test,
    status: "failed",
    durationMs: testTimeoutMs,
    failure,
  }));
  const lines = [
    { event: "run-started", framework: "batch" },
    ...ends,
    { event: "run-ended", counts: { failed: ends.length } },
  ];
  fs.writeFileSync(
    path.join(folder, `c${id}.stopped.jsonl`),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

function findRunning(id) {
  const running = new Map();
  for (const name of fs.readdirSync(folder).filter((file) => file.startsWith(`c${id}.`))) {
    for (const line of fs.readFileSync(path.join(folder, name), "utf8").split("\n")) {
      const { event, test } = readLine(line);
      if (event === "test-started") running.set(JSON.stringify(test), test);
      if (event === "test-ended") running.delete(JSON.stringify(test));
    }
  }
  return [...running.values()];
}

function readLine(line) {
  try {
    return JSON.parse(line);
  } catch {
    return {};
  }
}

async function main() {
  await Promise.all(Array.from({ length: batch.parallel }, work));
  if (state.unfit === undefined) return;
  fs.writeFileSync(path.join(folder, "unfit.txt"), state.unfit);
  process.exitCode = 1;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
