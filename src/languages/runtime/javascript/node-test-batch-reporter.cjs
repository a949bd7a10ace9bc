// Reporter of node:test in a batch: the outermost suite is a candidate, the suites in it are files.
"use strict";
const { describeFailure } = require("./failure.cjs");
const { outcomeOf } = require("./node-test-outcome.cjs");
const { createLines, createNumbering, createReport, isSelected, makeKey } = require("./report.cjs");
const { selection } = require("./request.cjs");

let current;

/** True for a test with subtests that were asked for, and for one of several of a name that one was asked for of. */
function isAround({ target, name }) {
  const begins = (one) => one.name.startsWith(`${name} > `) || one.name.startsWith(`${name} #`);
  return selection.tests.some((one) => one.target === target && begins(one));
}

/** For the process that runs the suites. */
const watch = {
  /** Resolves when the candidate's suite has ended. */
  begin() {
    return new Promise((resolve) => {
      const write = createLines("node-test-tests");
      current = { report: createReport("node-test"), number: createNumbering(), write, resolve };
    });
  },
  /**
   * Throws for a test that nobody asked for: Node also chooses what stands in a chosen group. Before Node 20.16 a test does
   * not know the groups around it.
   */
  start(context) {
    const [, file, ...names] = (context.fullName || "").split(" > ");
    if (names.length === 0) return;
    const key = makeKey(file, names);
    if (isSelected(key)) current.write({ event: "test-started", test: key });
    else if (!isAround(key)) throw new Error("the test was not asked for");
  },
  /** A file that cannot be loaded. */
  fail(file, error) {
    current.report.targetFailed(file, describeFailure(error));
  },
};

// biome-ignore lint/correctness/useYield: a reporter is a generator, and this one prints nothing
module.exports = async function* reportCandidates(events) {
  const names = [];
  for await (const { type, data } of events) {
    if (type === "test:start") {
      names.length = data.nesting;
      names.push(data.name);
    }
    if (type !== "test:pass" && type !== "test:fail") continue;
    const own = [...names.slice(0, data.nesting), data.name];
    if (data.nesting === 0) {
      current.report.finish();
      current.resolve();
    } else if (data.details.type !== "suite" && data.nesting > 1)
      current.report.ended(current.number(makeKey(own[1], own.slice(2))), outcomeOf(type, data));
  }
};
module.exports.watch = watch;
