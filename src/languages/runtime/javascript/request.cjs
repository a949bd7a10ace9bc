// What this run was asked for, as src/languages/javascript/javascript-run.ts encodes it: compressed, in parts that fit into a variable.
"use strict";
const { inflateSync } = require("zlib");

function readRequest() {
  let text = "";
  for (let part = 0; process.env[`MILLWRIGHT_REQUEST_${part}`]; part += 1)
    text += process.env[`MILLWRIGHT_REQUEST_${part}`];
  if (text === "") return { root: process.cwd(), report: "", coverage: false, selection: { kind: "all" } };
  return JSON.parse(inflateSync(Buffer.from(text, "base64")).toString("utf8"));
}

/**
 * root, report, coverage, testTimeoutMs, stopAtFirstFailure, varied, selection: `{ kind: "all" | "files" | "tests", files, tests }`;
 * in a batch also batch: `{ candidates, parallel }`, the candidates' numbers.
 */
module.exports = readRequest();
