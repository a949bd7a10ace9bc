// Loaded before a file of tape's tests: comments of a test are told from the names of tests, and lines are counted per test.
"use strict";
const { createRequire } = require("module");
const { createNumbering, makeKey } = require("./report.cjs");
const { createTracker } = require("./tracker.cjs");
const { watchEnd } = require("./watch-end.cjs");

const file = process.env.MILLWRIGHT_TEST_FILE;

function findTest() {
  try {
    return createRequire(file)("tape/lib/test");
  } catch {
    return undefined; // tape comes some other way; the file's own run tells
  }
}

function watchTests(Test) {
  const tracker = createTracker();
  const number = createNumbering();
  const { run } = Test.prototype;
  const ends = watchRunning();
  Test.prototype.comment = function comment(text) {
    for (const line of String(text).trim().split("\n")) this.emit("result", `| ${line.trim()}`);
  };
  Test.prototype.run = function runWatched(...args) {
    const key = number(makeKey(file, [this.name]));
    tracker.loaded(makeKey(file, []));
    tracker.start(key);
    ends.begun(this);
    this.once("end", () => {
      tracker.end(key);
      ends.ended(this);
    });
    return run.apply(this, args);
  };
  process.on("exit", () => tracker.finish());
}

/** Tests that run; before the first one, tape has said nothing. A file without tests ends when nothing is left to do. */
function watchRunning() {
  const running = new Set();
  let isBegun = false;
  let isIdle = false;
  process.prependListener("beforeExit", () => {
    isIdle = true;
  });
  // Code under test may emit the event itself. A natural end calls no exit before all is over.
  const { exit } = process;
  process.exit = function exitWatched(...args) {
    if (!process._exiting) isIdle = false;
    return exit.apply(this, args);
  };
  watchEnd(() => running.size > 0 || !(isBegun || isIdle));
  return {
    begun(test) {
      isBegun = true;
      running.add(test);
    },
    ended: (test) => running.delete(test),
  };
}

const Test = file && !process.env.MILLWRIGHT_TAPE && findTest();
if (Test?.prototype) {
  process.env.MILLWRIGHT_TAPE = "1"; // a process that a test starts is none of ours
  watchTests(Test);
}
