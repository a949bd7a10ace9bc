// In the process of a test runner: hands it one candidate after the other.
"use strict";
const { appendFileSync, closeSync, openSync, readdirSync, readFileSync } = require("fs"); // taken now: tests put others in their place
const path = require("path");
const { choose } = require("./batch-candidate.cjs");
const { createTraces } = require("./batch-traces.cjs");
const { batch, report: folder } = require("./request.cjs");

const host = process.env.MILLWRIGHT_HOST;
const withControl = process.env.MILLWRIGHT_CONTROL !== "";
delete process.env.MILLWRIGHT_HOST;
delete process.env.MILLWRIGHT_CONTROL;

/** What a process gathers of modules that cannot be unloaded has an end. */
const mostCandidates = 400;
const mostMemory = 1_500_000_000;

function tell(line) {
  appendFileSync(path.join(folder, `host-${host}.log`), `${line}\n`);
}

/** The next candidate that no host has taken. */
function take() {
  return batch.candidates.find((id) => {
    try {
      closeSync(openSync(path.join(folder, `claim-${id}`), "wx"));
      return true;
    } catch {
      return false;
    }
  });
}

function begin(id) {
  // The program as it was is run by each host, to load what stays loaded; the first one's says whether it works.
  process.env.MILLWRIGHT_REPORT_PREFIX = id === 0 ? `base-${host}.` : `c${id}.`;
  process.env.MILLWRIGHT_CANDIDATE = String(id);
  choose(globalThis, id);
  tell(`begin ${id}`);
}

/** True when a test that was asked for came to an end. */
function anyEnded() {
  const names = readdirSync(folder).filter((name) => name.startsWith(`base-${host}.`));
  return names.some((name) => /"event":"test-ended"/.test(readFileSync(path.join(folder, name), "utf8")));
}

/** Runners keep an eye on errors that come late: of a candidate that is over, none is wanted. */
function takeListeners() {
  return ["uncaughtException", "unhandledRejection"].map((event) => ({
    event,
    all: process.listeners(event),
  }));
}

function dropNew(event, all, before) {
  const known = before.find((one) => one.event === event).all;
  for (const listener of all) if (!known.includes(listener)) process.removeListener(event, listener);
}

/**
 * Calls `runOne(id)` for each candidate that it gets; each has to leave the process as it was, else the process is given up.
 * Resolves when nothing is left, or when another process is to go on.
 */
async function runCandidates(runOne) {
  let traces;
  const run = async (id) => {
    const before = takeListeners();
    begin(id);
    await runOne(id);
    for (const { event, all } of takeListeners()) dropNew(event, all, before);
    tell(`end ${id}`);
  };
  if (withControl) {
    await run(0);
    if (!anyEnded()) {
      tell("unfit the tests that were asked for do not run in a batch");
      return;
    }
    traces = createTraces();
  }
  for (let count = 0; count < mostCandidates; count += 1) {
    const id = take();
    if (id === undefined) return;
    await run(id);
    if (traces?.differ()) return;
    traces = traces || createTraces();
    if (process.memoryUsage().rss > mostMemory) return;
  }
}

module.exports = { runCandidates, tell };
