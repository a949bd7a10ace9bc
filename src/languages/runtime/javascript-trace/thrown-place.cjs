// Where a thrown error began: the first place of its stack that is in the repository and not in its dependencies.
"use strict";
const { types } = require("util");

const given = process.env.MILLWRIGHT_TRACE_ROOT || "";
/** With a slash at its end; the root of all folders is one. */
const root = given.endsWith("/") ? given : `${given}/`;
const known = new WeakMap();

/** `path:line`, relative to the repository's root; undefined where the stack does not tell. */
function placeOf(error) {
  if (typeof error !== "object" || error === null || types.isProxy(error)) return undefined;
  if (!known.has(error)) known.set(error, findPlace(error));
  return known.get(error);
}

function findPlace(error) {
  // Other objects may have a getter of that name.
  if (!types.isNativeError(error)) return undefined;
  const { stack } = error;
  if (typeof stack !== "string" || given === "") return undefined;
  for (const line of stack.split("\n")) {
    const [, path, number] =
      /^\s+at (?:.*\()?(?:file:\/\/)?([^()]+?)(?:\?[^:]*)?:(\d+):\d+\)?$/.exec(line) || [];
    if (path === undefined || !path.startsWith(root) || path.includes("/node_modules/")) continue;
    return `${path.slice(root.length)}:${number}`;
  }
  return undefined;
}

module.exports = { placeOf };
