// What versions of changed modules do on the same inputs: plain exported functions, called with the literals that tests give them and
// with others made from these. Each version lives in a process of its own. Writes `inputs.txt` (an origin a line), `v0.txt`, `again.txt`,
// `v1.txt` … (what each input did) and `compared.json` into the report folder.
"use strict";
const { spawnSync } = require("child_process");
const {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} = require("fs");
const { join, relative } = require("path");
const { readCalls } = require("./compare-inputs.cjs");

const request = JSON.parse(process.env.MILLWRIGHT_COMPARE);
const { root, report, candidates, tests, failing, childMs } = request;
/** A version that ends so often within a function is given up: what is left counts as the same. A hang costs more than a crash. */
const patience = { crash: 1, hang: 4, most: 8 };
const sources = /\.[cm]?[jt]s$/;

function listFiles(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? listFiles(path) : [path];
  });
}

function linesOf(path) {
  return existsSync(path) ? readFileSync(path, "utf8").split("\n").slice(0, -1) : [];
}

function start(files, out) {
  const child = { ...request, files, out, from: linesOf(out).length };
  return spawnSync(process.execPath, [join(__dirname, "compare-child.cjs")], {
    cwd: root,
    env: { ...process.env, MILLWRIGHT_COMPARE_CHILD: JSON.stringify(child) },
    timeout: childMs,
    killSignal: "SIGKILL",
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
}

/** Runs a version over the inputs; what cannot be loaded says why. */
function runVersion(name, files) {
  const out = join(report, `${name}.txt`);
  const list = join(report, "calls.json");
  let left = patience.most;
  while (left > 0) {
    const ended = start(files, out);
    if (ended.status === 3 || !existsSync(list))
      return { isWhole: false, because: String(ended.stderr).trim().slice(-600) };
    const inputs = JSON.parse(readFileSync(list, "utf8")).length;
    const known = linesOf(out);
    // A function that ends the process leaves its input without a line, whatever it ends it with.
    if (known.length >= inputs) return { isWhole: true };
    const what = ended.error?.code === "ETIMEDOUT" ? "hang" : "crash";
    left -= patience[what];
    const rest = left > 0 ? [what] : Array(inputs - known.length).fill(what);
    writeFileSync(out, `${[...known, ...rest].join("\n")}\n`);
  }
  return { isWhole: true };
}

/** Puts a candidate's files in the place of the base's for the time of a run. */
function withCandidate({ id, folder }, files) {
  const kept = files.map((path) => [
    path,
    existsSync(join(root, path)) ? readFileSync(join(root, path)) : undefined,
  ]);
  try {
    for (const path of files) copyFileSync(join(folder, path), join(root, path));
    return runVersion(`v${id}`, files);
  } finally {
    for (const [path, content] of kept) {
      if (content === undefined) rmSync(join(root, path), { force: true });
      else writeFileSync(join(root, path), content);
    }
  }
}

function main() {
  const changed = new Map(
    candidates.map(({ id, folder }) => [
      id,
      listFiles(folder)
        .map((path) => relative(folder, path))
        .filter((path) => sources.test(path)),
    ]),
  );
  const files = [...new Set([...changed.values()].flat())].filter((path) => existsSync(join(root, path)));
  const ended = [];
  const finish = (invalid) =>
    writeFileSync(join(report, "compared.json"), JSON.stringify({ ended, ...(invalid && { invalid }) }));
  if (files.length === 0) return finish("no module that was there changes");
  const calls = tests.flatMap((file) => readCalls(join(root, file), failing));
  writeFileSync(join(report, "found.json"), JSON.stringify(calls));
  for (const name of ["v0", "again"]) {
    const { isWhole, because } = runVersion(name, files);
    if (!isWhole) return finish(`the changed modules cannot be run by themselves: ${because}`);
  }
  ended.push(0);
  for (const candidate of candidates) {
    const own = changed.get(candidate.id).filter((path) => files.includes(path));
    if (withCandidate(candidate, own).isWhole) ended.push(candidate.id);
  }
  finish(undefined);
}

main();
