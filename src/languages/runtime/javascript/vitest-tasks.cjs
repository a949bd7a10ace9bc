// Names and keys of vitest's tasks, the same in its main process and in its workers.
"use strict";
const { createNumbering } = require("./report.cjs");

function namesOf(task) {
  const names = [String(task.name)];
  for (let one = task.suite; one && !one.filepath; one = one.suite)
    if (one.name) names.unshift(String(one.name));
  return names;
}

function testsOf(tasks) {
  return tasks.flatMap((task) => (task.type === "suite" ? testsOf(task.tasks) : [task]));
}

/** Test → key, for the tests of a file. */
function numberTests(file, makeKey) {
  const number = createNumbering();
  return new Map(
    testsOf(file.tasks || []).map((test) => [test, number(makeKey(file.filepath, namesOf(test)))]),
  );
}

module.exports = { namesOf, numberTests };
