// What the lines of TAP say of tests: which of them are tests differs from tool to tool.
"use strict";
const path = require("path");
const { describeFailure, readFrames } = require("./failure.cjs");
const { createNumbering, makeKey } = require("./report.cjs");
const { endedEarly } = require("./watch-end.cjs");

/** A failed point's diagnostic: tape, tap and AVA write the stack, the place and what was compared in fields of their own. */
function readFailure(point) {
  const text = point.diagnostic;
  const field = (name) => {
    const match = new RegExp(`^ *${name}: *(?:[|>]-?\\n((?: +.*\\n?)+)|(.*))$`, "m").exec(text);
    return match ? (match[1] || match[2] || "").trim().replace(/^(['"])(.*)\1$/s, "$2") : "";
  };
  const [expected, actual] = [field("(?:expected|wanted)"), field("(?:actual|found)")];
  const compared = expected || actual ? `: ${actual} instead of ${expected}` : "";
  const own = field("message");
  const name = point.name === "" ? own : point.name;
  const message = `${name}${own && own !== name ? `: ${own}` : ""}${compared}`;
  const type = field("type") || field("name") || (/tapCaught/.test(text) ? "Error" : "AssertionError");
  const frames = placesOf(field("stack"), field("at"), text);
  return describeFailure(undefined, { type, message: message || "failed", stack: text, frames });
}

/** `test/a.js:3:4`, `Test.run (test/a.js:3:4)`, or the fields `fileName`, `lineNumber`. */
function placesOf(stack, at, text) {
  const lines = (stack || at).split("\n").map((line) => (/^\s*at /.test(line) ? line : `at ${line.trim()}`));
  const frames = readFrames(lines.join("\n"));
  if (frames.length > 0) return frames;
  const file = /^ *(?:fileName|file): *(\S+)$/m.exec(text);
  const line = /^ *(?:lineNumber|line): *(\d+)$/m.exec(text);
  return file && line ? readFrames(`at ${file[1]}:${line[1]}`) : [];
}

/** Tests of one tool; `file` is what the process runs, where it runs one file. */
function createOutcomes(report, file) {
  const number = createNumbering();
  const keys = new Map();
  const state = { failed: 0, ran: 0, current: undefined, isForged: false };

  function keyOf(target, names) {
    const id = JSON.stringify([target, names]);
    const known = keys.get(id);
    const key = known || number(makeKey(target, names.length > 0 ? names : [path.basename(target)]));
    keys.set(id, key);
    return key;
  }

  function end(id, test) {
    keys.delete(id);
    state.ran += 1;
    if (test.failure) state.failed += 1;
    const passed = test.isKnown ? "expected-failure" : "passed";
    const status = test.failure ? "failed" : test.skipped ? "skipped" : passed;
    report.ended(test.key, {
      status,
      durationMs: test.durationMs,
      ...(test.failure && { failure: test.failure }),
    });
  }

  return { end, file, keyOf, report, state };
}

/** tape: `# name` begins a test, the assertions up to the next one are its own. */
function readTape(outcomes) {
  const { file, keyOf, report, state } = outcomes;
  let test;
  let over = false;
  const begin = (name) => {
    test = { id: JSON.stringify([file, [name]]), key: keyOf(file, [name]), started: Date.now(), points: 0 };
    state.current = test.key;
    report.started(test.key);
  };
  const finish = () => {
    if (test) outcomes.end(test.id, { ...test, durationMs: Date.now() - test.started });
    test = state.current = undefined;
  };
  return {
    subtest() {},
    comment(_, text) {
      if (over || text.startsWith("| ")) return; // of the test itself: tape-preload.cjs
      finish();
      const told = /^(SKIP|TODO) (.*)$/.exec(text);
      begin(told ? told[2] : text);
      if (told && told[1] === "SKIP") test.skipped = true;
    },
    point(_, point) {
      if (over) state.isForged = true; // tape's plan comes last: somebody else said it before
      if (!test) begin(path.basename(file));
      if (!point.ok && point.directive === "" && !test.failure) test.failure = readFailure(point);
      if (!point.ok && point.directive === "TODO") test.isKnown = true;
    },
    plan() {
      finish();
      over = true;
    },
    isOver: () => over,
  };
}

/** What node-tap says of a file's process that tap-preload.cjs ended. */
const endedWith = new RegExp(`^ *exitCode: ${endedEarly}$`, "m");

/** node-tap: the outermost subtests are files, the subtests in them are tests, the points of a test its assertions. */
function readTap({ keyOf, end, report, state }) {
  const tests = new Map();
  const testAt = (names) => {
    const id = JSON.stringify([names[0], names.slice(1)]);
    if (!tests.has(id))
      tests.set(id, { id, key: keyOf(names[0], names.slice(1)), points: 0, groups: 0, durationMs: 0 });
    return tests.get(id);
  };
  const finish = (names, point) => {
    const test = testAt(names);
    tests.delete(test.id);
    const isFile = names.length === 1;
    if (!point.ok && point.directive === "" && !test.failure && !test.failedInside) {
      if (isFile) {
        state.failed += 1;
        if (endedWith.test(point.diagnostic)) state.isForged = true;
        report.targetFailed(names[0], readFailure(point));
        return;
      }
      test.failure = readFailure(point);
    }
    if (test.points > 0 || test.failure || (test.groups === 0 && !isFile)) {
      end(test.id, { ...test, skipped: point.directive !== "", durationMs: point.durationMs });
    }
  };
  return {
    subtest(at) {
      if (at.length > 1) testAt(at.slice(0, -1)).groups += 1;
    },
    comment() {},
    plan() {},
    point(at, point) {
      const bad = !point.ok && point.directive === "";
      for (let depth = 1; bad && depth <= at.length; depth += 1)
        testAt(at.slice(0, depth)).failedInside = true;
      const names = [...at, point.name];
      if (point.hasSubtest || (at.length === 0 && bad)) finish(names, point);
      else if (at.length === 0) return;
      else if (point.directive !== "") finish(names, { ...point, ok: true });
      else {
        const test = testAt(at);
        test.points += 1;
        if (bad && !test.failure) test.failure = readFailure(point);
      }
    },
    isOver: () => true,
  };
}

module.exports = { createOutcomes, readFailure, readTap, readTape };
