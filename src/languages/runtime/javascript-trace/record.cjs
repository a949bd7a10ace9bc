// The file of this process: lines are written whole and at once, so that a process that is killed loses nothing but what runs.
// All threads of a process write one file; what they share stands in a buffer that new threads inherit.
"use strict";
const fs = require("fs");
const threads = require("worker_threads");

const key = "millwright.trace";
const inherited = threads.getEnvironmentData ? threads.getEnvironmentData(key) : undefined;
const { bigint } = process.hrtime;
const { writeSync, openSync } = fs;

const folder = process.env.MILLWRIGHT_TRACE_DIR;
const maxBytes = Number(process.env.MILLWRIGHT_TRACE_BYTES) || Number.POSITIVE_INFINITY;
/** Places in the shared buffer: the last number of a call, thread and task; the file: 0 none, 1 being made, 2 made; its number. */
const place = { calls: 0, threads: 1, tasks: 2, file: 3, number: 4 };
const shared = inherited ? inherited.shared : new Int32Array(new SharedArrayBuffer(4 * 5));
const origin = inherited ? inherited.origin : bigint();

function share(from) {
  if (threads.setEnvironmentData) threads.setEnvironmentData(key, { shared, origin, from });
}
if (!inherited) share(undefined);

const next = (counter) => Atomics.add(shared, place[counter], 1) + 1;
const now = () => Number(bigint() - origin);

/** Taken at once: tests put other clocks in place. */
const epoch = Date.now() - now() / 1e6;
let file;
let bytes = 0;
let isBroken = false;
const thread = { number: 0 };

/** Throws where the folder cannot be written. */
function open() {
  const won = Atomics.compareExchange(shared, place.file, 0, 1) === 0;
  if (won) create();
  else {
    Atomics.wait(shared, place.file, 1, 2000);
    file = openSync(`${folder}/${process.pid}-${shared[place.number]}.jsonl`, "a");
  }
  thread.number = next("threads");
  const name = threads.isMainThread ? "main" : `worker ${threads.threadId}`;
  const from = threads.isMainThread || !inherited ? undefined : inherited.from;
  const line = { k: "thread", n: thread.number, name, ...(from ? { from } : {}) };
  put(`${JSON.stringify(line)}\n`);
}

function create() {
  for (let number = 1; file === undefined; number += 1) {
    try {
      file = openSync(`${folder}/${process.pid}-${number}.jsonl`, "ax");
      shared[place.number] = number;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
  const head = { k: "process", v: 1, pid: process.pid, parent: process.ppid, language: "javascript" };
  put(`${JSON.stringify({ ...head, arguments: process.argv, epoch })}\n`);
  Atomics.store(shared, place.file, 2);
  Atomics.notify(shared, place.file);
}

function put(text) {
  bytes += text.length;
  writeSync(file, text);
}

/** False where nothing can be written (any more). */
function isReady() {
  if (file !== undefined || isBroken) return !isBroken;
  try {
    open();
  } catch (_) {
    isBroken = true;
  }
  return !isBroken;
}

/** Writes one line, without its end. */
function write(line) {
  if (isBroken || file === undefined) return;
  try {
    put(`${line}\n`);
  } catch (error) {
    // A file system that a test puts in the place of the real one knows no file of ours, for a while.
    isBroken = error.code !== "EBADF";
  }
}

module.exports = {
  write,
  now,
  next,
  share,
  thread,
  isReady,
  hasFile: () => file !== undefined && !isBroken,
  isFull: () => bytes > maxBytes,
};
