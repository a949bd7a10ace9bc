// Runs uvu's test files, each in a process of its own, and reports for those that end badly. Arguments: `--options` and uvu's
// own (`-r esm -i fixtures -C folder`), `--files` and files (as they are asked for), or `--given`, a folder and a pattern.
"use strict";
const fs = require("fs");
const path = require("path");
const { grantKey, takeKey } = require("./channel.cjs");
const { describeFailure, readCrash } = require("./failure.cjs");
const { createReport } = require("./report.cjs");
const { report: folder, stopAtFirstFailure, testTimeoutMs } = require("./request.cjs");
const { runWatched } = require("./watched-process.cjs");

/** Before a file's first test: its modules are loaded, and compiled. */
const loadingMs = 60_000;
const patience = 2000;
const testFile = /((\/|^)(tests?|__tests?__)\/.*|\.(tests?|spec)|^\/?tests?)\.([mc]js|[jt]sx?)$/i;
const anySource = /\.([mc]js|[jt]sx?)$/;

function parseArguments(words) {
  const request = {
    program: [],
    flags: [],
    ignored: [/^\.git/i, /node_modules/i],
    cwd: ".",
    files: undefined,
    given: [],
  };
  while (words.length > 0) {
    const word = words.shift();
    const [name, value] = word.split("=");
    const next = () => (value === undefined ? words.shift() : value);
    if (word === "--program") request.program.push(words.shift());
    else if (word === "--files") request.files = words.splice(0);
    else if (name === "-r" || name === "--require") request.flags.push("--require", next());
    else if (name === "-i" || name === "--ignore") request.ignored.push(new RegExp(next(), "i"));
    else if (name === "-C" || name === "--cwd") request.cwd = next();
    else if (word.startsWith("-")) request.flags.push(word);
    else request.given.push(word);
  }
  return request;
}

/** The files that `uvu folder pattern` means. */
function findFiles({ cwd, ignored, given: [folder, pattern] }) {
  const wanted = pattern ? new RegExp(pattern, "i") : folder ? anySource : testFile;
  const root = path.join(cwd, folder || ".");
  const found = [];
  const walk = (inner) => {
    for (const name of fs.readdirSync(path.join(root, inner)).sort()) {
      const relative = path.join(inner, name);
      if (ignored.some((one) => one.test(relative))) continue;
      if (fs.statSync(path.join(root, relative)).isDirectory()) walk(relative);
      else if (wanted.test(relative)) found.push(path.join(root, relative));
    }
  };
  walk("");
  return found;
}

function readPart(part) {
  const names = fs.readdirSync(folder).filter((name) => name.startsWith(`${part}-`));
  return names.map((name) => fs.readFileSync(path.join(folder, name), "utf8")).join("");
}

function readEvents(text) {
  return text.split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line)];
    } catch {
      return []; // torn: the process died while it wrote
    }
  });
}

function runFile(request, file, part) {
  const env = {
    ...process.env,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS || ""} --require ${JSON.stringify(path.join(__dirname, "uvu-preload.cjs"))}`,
    MILLWRIGHT_PART: part,
    MILLWRIGHT_TEST_FILE: path.resolve(file),
  };
  let seen = 0;
  grantKey();
  return runWatched(
    [...(request.program.length > 0 ? request.program : ["node"]), ...request.flags, file],
    env,
    {
      read() {},
      idle: () => (seen === 0 ? loadingMs : testTimeoutMs + patience),
      isAlive() {
        const size = readPart(part).length;
        const grew = size > seen;
        seen = size;
        return grew;
      },
    },
  );
}

/** Reports what the file's own process could not; true when something failed. */
function judge(file, result, events, report) {
  const ended = events.filter((event) => event.event === "test-ended");
  const failed = ended.some((event) => event.status === "failed");
  const names = new Set(ended.map((event) => event.test.name));
  const running = events.find((event) => event.event === "test-started" && !names.has(event.test.name));
  const how = `the test process ended with ${result.signal || `exit code ${result.code}`}`;
  const late = {
    type: "TimeoutError",
    message: `the test did not end within ${testTimeoutMs} ms`,
    stack: "",
  };
  const failure = () => (result.timedOut ? describeFailure(undefined, late) : readCrash(result.stderr, how));
  if (running && !failed) report.ended(running.test, { status: "failed", durationMs: 0, failure: failure() });
  // One that hangs after its last test has said all.
  else if (!failed && result.code !== 0 && !(result.timedOut && ended.length > 0))
    report.targetFailed(file, failure());
  else return failed;
  return true;
}

async function main() {
  const request = parseArguments(process.argv.slice(2));
  takeKey();
  const report = createReport("uvu");
  let failed = 0;
  for (const [index, file] of (request.files || findFiles(request)).entries()) {
    const part = `uvu-file-${index}`;
    const result = await runFile(request, file, part);
    if (judge(file, result, readEvents(readPart(part)), report)) failed += 1;
    if (failed > 0 && stopAtFirstFailure) break;
  }
  report.finish();
  process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
