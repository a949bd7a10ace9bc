// Which candidate runs, by the name that the program with all of them asks for (src/instrument/selectors/). Preloaded into each
// process that a batch starts, so that those of the tests run the same candidate.
"use strict";

/** Not enumerable: checks for leaked globals list what is. */
function choose(realm, id) {
  const property = { value: id, writable: true, configurable: true, enumerable: false };
  Object.defineProperty(realm, "__millwrightCandidate", property);
}

choose(globalThis, Number(process.env.MILLWRIGHT_CANDIDATE) || 0);

module.exports = { choose };
