// Reporter of node:test in a batch: the outermost suite is a candidate, the suites in it are files.
"use strict";
const { outcomeOf, readFailure } = require("./node-test-outcome.cjs");
const { createLines, createNumbering, createReport, isSelected, makeKey } = require("./report.cjs");

let current;

/** For the process that runs the suites. */
const watch = {
  /** Resolves when the candidate's suite has ended. */
  begin() {
    return new Promise((resolve) => {
      const write = createLines("node-test-tests");
      current = { report: createReport("node-test"), number: createNumbering(), write, resolve };
    });
  },
  /** Before Node 20.16 a test does not know the groups around it. */
  start(context) {
    const [, file, ...names] = (context.fullName || "").split(" > ");
    const key = names.length > 0 ? makeKey(file, names) : undefined;
    if (key && current && isSelected(key)) current.write({ event: "test-started", test: key });
  },
};

function endSuite({ report }, type, data, file) {
  const { error } = data.details;
  // The file itself could not be loaded; else its tests tell of their failures.
  if (type === "test:fail" && data.nesting === 1 && error?.failureType !== "subtestsFailed")
    report.targetFailed(file, readFailure(data.details));
}

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
    } else if (data.details.type === "suite") endSuite(current, type, data, own[1]);
    else current.report.ended(current.number(makeKey(own[1], own.slice(2))), outcomeOf(type, data));
  }
};
module.exports.watch = watch;
