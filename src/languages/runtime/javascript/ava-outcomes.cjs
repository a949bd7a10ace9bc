// AVA's TAP: each point is a test, `folder › file › title`; the file's part is missing where AVA ran one file only.
"use strict";
const path = require("path");
const { globToRegExp, listFiles } = require("./node-test-arguments.cjs");
const { readFailure } = require("./tap-outcomes.cjs");

const source = /\.[cm]?[jt]sx?$/;
const separator = " › ";

/** The names by which AVA calls a file in its titles, outermost folder first, as its `prefixTitle` does. */
function namesOf(file) {
  const parts = file.replace(source, "").split("/");
  const last = (parts.pop() || "").replace(/^test-/, "").replace(/[.](?:spec|test)$/, "");
  return [...parts.filter((part) => part !== "__tests__"), last];
}

/** The file that a title begins with: the one with most names in common. */
function findFile(files, words) {
  let best = { file: undefined, length: 0 };
  for (const file of files) {
    const names = namesOf(file);
    for (let length = Math.min(names.length, words.length - 1); length > best.length; length -= 1) {
      const ending = names.slice(names.length - length);
      if (ending.every((name, index) => name === words[index])) best = { file, length };
    }
  }
  return best;
}

function candidates(given) {
  const own = listFiles(".").filter((file) => source.test(file) && !file.endsWith(".d.ts"));
  const wanted = given.map((pattern) => globToRegExp(pattern.replace(/^\.\//, "")));
  const isGiven = (file) =>
    wanted.some((one) => one.test(file)) || given.some((one) => file.startsWith(`${one}/`));
  const isTest = (file) =>
    /(?:^|\/)(?:tests?|__tests__)\/|(?:^|\/)(?:test|test-[^/]*|[^/]*\.(?:test|spec))\.\w+$/.test(file);
  const isHelper = (file) => /(?:^|\/)(?:_|helpers?\/|fixtures\/)/.test(file);
  return own.filter((file) => (given.length > 0 ? isGiven(file) : isTest(file) && !isHelper(file)));
}

function readAva({ keyOf, end, report, state }, given) {
  const files = candidates(given);
  let unclaimed; // an error that came before its file was named
  const finishTest = (target, names, point) => {
    const id = JSON.stringify([target, names]);
    const failure =
      !point.ok && point.directive === ""
        ? readFailure({ ...point, name: names.join(separator) })
        : undefined;
    end(id, { key: keyOf(target, names), skipped: point.directive !== "", durationMs: 0, failure });
  };
  return {
    subtest() {},
    comment() {},
    plan() {},
    point(_, point) {
      const broken =
        /^(\S+) exited (?:with a non-zero|due to)/.exec(point.name) ||
        /^No tests found in (\S+?)(?:,.*)?$/.exec(point.name);
      if (broken && !point.ok) {
        state.failed += 1;
        report.targetFailed(path.normalize(broken[1]), readFailure(unclaimed || point));
        unclaimed = undefined;
        return;
      }
      const words = point.name.split(separator);
      const { file, length } = findFile(files, words);
      if (file !== undefined) finishTest(file, [words.slice(length).join(separator)], point);
      else if (files.length === 1 && !isError(point)) finishTest(files[0], [point.name], point);
      else if (isError(point)) unclaimed = point;
      else finishTest("", [point.name], point);
    },
    isOver: () => true,
    finish() {
      if (unclaimed) finishTest("", [unclaimed.name], unclaimed);
    },
  };
}

/** An uncaught error has no title: its point begins with the error's own name. */
function isError(point) {
  return !point.ok && /^(?:\w*Error|Uncaught|Unhandled|Timed out)\b/.test(point.name);
}

module.exports = { readAva };
