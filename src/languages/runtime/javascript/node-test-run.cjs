// Runs test files of node:test (Node 18.15 and later), each in a process of its own as `node --test` does, and reports for
// those that end badly. Arguments: the program (`node`, `tsx`), its flags and `--test…` options, files, folders, globs.
"use strict";
const { spawn, spawnSync } = require("child_process");
const fs = require("fs");
const path = require("path");
const { grantKey, takeKey } = require("./channel.cjs");
const { readCrash } = require("./failure.cjs");
const { readArguments } = require("./node-test-arguments.cjs");
const { createReport, makeKey } = require("./report.cjs");
const { batch, report: folder, stopAtFirstFailure } = require("./request.cjs");

const keptOutput = 64 * 1024;

function runFile(request, file, number) {
  const part = `node-test-file-${number}`;
  // Ours comes first: it takes the key that the process is given.
  const argv = [
    "--require",
    path.join(__dirname, "node-test-preload.cjs"),
    ...request.flags,
    `--test-reporter=${path.join(__dirname, "node-test-reporter.cjs")}`,
    "--test-reporter-destination=stdout",
    file,
  ];
  const env = { ...process.env, MILLWRIGHT_PART: part, MILLWRIGHT_TEST_FILE: path.resolve(file) };
  delete env.NODE_TEST_CONTEXT;
  grantKey();
  const started = Date.now();
  return new Promise((resolve) => {
    const child = spawn(request.program, argv, { env, stdio: ["ignore", "inherit", "pipe"] });
    let stderr = "";
    child.stderr.on("data", (chunk) => {
      process.stderr.write(chunk);
      stderr = (stderr + chunk).slice(-keptOutput);
    });
    child.on("error", (error) => resolve({ file, code: 127, stderr: String(error), part, durationMs: 0 }));
    child.on("close", (code, signal) =>
      resolve({ file, code, signal, stderr, part, durationMs: Date.now() - started }),
    );
  });
}

/** The events that the file's own process reported. */
function readPart(part) {
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(`${part}-`));
  const lines = names.flatMap((name) => fs.readFileSync(path.join(folder, name), "utf8").split("\n"));
  return lines.filter(Boolean).map((line) => {
    try {
      return JSON.parse(line);
    } catch {
      return {}; // torn: the process died while it wrote
    }
  });
}

/** Reports what the file's own process could not; true when something that was asked for failed. */
function judge(result, report) {
  const { file, code, signal, stderr } = result;
  const events = readPart(result.part);
  const ended = events.filter((event) => event.event === "test-ended");
  const how = signal
    ? `the test process was killed by ${signal}`
    : `the test process ended with exit code ${code}`;
  // A file without node:test is a test itself: it passes when it ends well.
  if (ended.length === 0 && !usesNodeTest(file)) {
    const failure = code === 0 ? {} : { failure: readCrash(stderr, how) };
    const status = code === 0 ? "passed" : "failed";
    report.ended(makeKey(file, [path.basename(file)]), { status, durationMs: result.durationMs, ...failure });
    return code !== 0;
  }
  if (code === 0) return false;
  if (ended.some((event) => event.status === "failed" || event.status === "errored")) return true;
  if (events.some((event) => event.event === "target-failed")) return true;
  // Tests that nobody asked for may have failed.
  if (fs.existsSync(path.join(folder, `${result.part}.failing`))) return false;
  report.targetFailed(file, readCrash(stderr, how));
  return true;
}

function usesNodeTest(file) {
  try {
    return fs.readFileSync(file, "utf8").includes("node:test");
  } catch {
    return true;
  }
}

/** All files in one process, once for each candidate. */
function runBatch({ program, flags, files }) {
  const argv = [
    ...flags,
    `--test-reporter=${path.join(__dirname, "node-test-batch-reporter.cjs")}`,
    "--test-reporter-destination=stdout",
    path.join(__dirname, "node-test-batch.cjs"),
    ...files,
  ];
  const { status } = spawnSync(program, argv, { stdio: ["ignore", "inherit", "inherit"] });
  process.exitCode = status === 0 ? 0 : 1;
}

async function main() {
  const request = readArguments(process.argv.slice(2));
  if (batch) {
    runBatch(request);
    return;
  }
  takeKey();
  const report = createReport("node-test");
  const files = [...request.files];
  let number = 0;
  let failed = 0;
  const work = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift()) {
      const result = await runFile(request, file, ++number);
      if (judge(result, report)) failed += 1;
      if (failed > 0 && stopAtFirstFailure) files.length = 0;
    }
  };
  await Promise.all(Array.from({ length: request.concurrency }, work));
  report.finish();
  process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
