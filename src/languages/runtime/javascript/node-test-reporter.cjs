// Reporter of node:test, in the process of a test file: node-test-run.cjs reads what it wrote.
"use strict";
const { closeSync, openSync } = require("fs");
const path = require("path");
const { outcomeOf, readFailure } = require("./node-test-outcome.cjs");
const { file, stop } = require("./node-test-preload.cjs");
const running = require("./node-test-running.cjs");
const { createNumbering, createReport, makeKey, ownPart: part } = require("./report.cjs");
const { report: folder, stopAtFirstFailure } = require("./request.cjs");

const report = createReport(part, true);
/** Its being there says that a test failed, be it one that is not reported. */
const failing = path.join(folder, `${part}.failing`);

/** Milliseconds without an event after which nothing more comes of a run that is to stop; then, and then at the latest. */
const quietMs = 50;
const longestWaitMs = 2000;

/** Lets the tests that run come to their end, and the process end then. */
function createStopping() {
  const begun = Date.now();
  let timer;
  return function restart() {
    stop.wanted = true;
    clearTimeout(timer);
    const wait = Date.now() - begun > longestWaitMs ? 0 : quietMs;
    timer = setTimeout(() => running.leave(undefined), wait);
  };
}

/** The tests that have not ended: told of at once where Node tells a group from a test, else when the process ends before. */
function createWaiting() {
  const groups = [];
  const left = new Map();
  const find = (all) => report.found(all.map((names) => makeKey(file, names)));
  process.on("exit", () => {
    const all = [...left.values()];
    const isGroup = (names) =>
      all.some((one) => one.length > names.length && names.every((name, index) => one[index] === name));
    find(all.filter((names) => !isGroup(names)));
  });
  return {
    add({ name, nesting, type }) {
      const names = [...groups.slice(0, nesting), name];
      if (type === "test") find([names]);
      else if (type === undefined) left.set(names.join("\0"), names);
    },
    enter({ name, nesting }) {
      groups.length = nesting;
      groups.push(name);
    },
    remove: (names) => left.delete(names.join("\0")),
  };
}

module.exports = async function* reportTests(events) {
  const number = createNumbering();
  const names = [];
  const waiting = createWaiting();
  /** By nesting: keys of the tests that ended in the group that is open there. */
  const cancelled = [];
  let stopping;
  for await (const { type, data } of events) {
    stopping?.();
    if (type === "test:enqueue") waiting.add(data);
    else if (type === "test:dequeue") waiting.enter(data);
    else if (type === "test:start") {
      names.length = data.nesting;
      names.push(data.name);
      cancelled[data.nesting + 1] = [];
    } else if (type === "test:pass" || type === "test:fail") {
      const own = [...names.slice(0, data.nesting), data.name];
      waiting.remove(own);
      if (data.details.type === "suite") endSuite(type, data);
      else endTest(type, data, own);
      if (type === "test:fail" && !data.todo) {
        closeSync(openSync(failing, "a"));
        if (stopAtFirstFailure) stopping = stopping || createStopping();
        stopping?.();
      }
    }
  }

  /** Tests that a group's failed set-up cancelled are told of with it: only then is it known why. */
  function endTest(type, data, own) {
    const key = number(makeKey(file, own));
    const outcome = outcomeOf(type, data);
    const error = data.details.error;
    running.end(key);
    if (type === "test:fail" && error && error.failureType === "cancelledByParent" && data.nesting > 0) {
      cancelled[data.nesting] = [...(cancelled[data.nesting] || []), { key, outcome }];
    } else report.ended(key, outcome);
  }

  function endSuite(type, data) {
    const waiting = cancelled[data.nesting + 1] || [];
    cancelled[data.nesting + 1] = [];
    const error = data.details.error;
    const hookFailed = type === "test:fail" && error && error.failureType === "hookFailed";
    const reason = hookFailed ? { status: "errored", failure: readFailure(data.details) } : {};
    for (const { key, outcome } of waiting) report.ended(key, { ...outcome, ...reason });
    if (hookFailed && waiting.length === 0) report.targetFailed(file, reason.failure);
  }
};
