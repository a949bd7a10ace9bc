// Calls of instrumented functions: which one runs, whom it was called by, what is recorded of it and what is only counted.
"use strict";
const { AsyncLocalStorage } = require("async_hooks");
const { currentTest } = require("./running-test.cjs");
const { placeOf } = require("./thrown-place.cjs");
const { isGeneratorObject } = require("util").types;
const { describeThrown, describeValue } = require("./values.cjs");
const record = require("./record.cjs");

const numberOf = (name, otherwise) => Number(process.env[name]) || otherwise;
const maxDepth = numberOf("MILLWRIGHT_TRACE_DEPTH", 200);
const maxRecords = numberOf("MILLWRIGHT_TRACE_RECORDS", 200000);
/** Characters of a value. */
const room = numberOf("MILLWRIGHT_TRACE_VALUE", 2000);
/** So many calls of a function are all recorded; of ten times as many each tenth is, and so on. Fewer, the more is recorded. */
const hot = [300, 100, 50, 20, 5];
/** Records from which on the next number of `hot` counts, or the same share of the most that are allowed: a suite has to stay quick. */
const steps = [5000, 20000, 50000, 100000].map((many, step) => Math.min(many, ((step + 1) * maxRecords) / 4));
/** So often is told that one call waits. */
const mostWaits = 20;

/** Whose asynchronous work runs: links what runs later to the call that began it. */
const storage = AsyncLocalStorage ? new AsyncLocalStorage() : undefined;
const counts = [];
const failures = [];
/** By reason, how many calls of each function. */
const cuts = { sampled: [], records: [], bytes: [], depth: [] };
let current;
let records = 0;
let limit = hot[0];
/** While a value is looked at, the program's own code may run after all: it is not recorded. */
let isBusy = false;
/** The call that hands over to a generator (`yield*`, `for await`), until that or anything else begins. */
let handing;

function become(call) {
  current = call;
  if (storage) storage.enterWith(call);
}

/** Runs what looks at the program's values. */
function look(work) {
  isBusy = true;
  try {
    return work();
  } finally {
    isBusy = false;
  }
}

/** Calls are counted before anything else is done for them: a hot function pays for little more. */
function reasonToCut(f) {
  counts[f] = (counts[f] || 0) + 1;
  if (records >= maxRecords) return "records";
  if (record.isFull()) return "bytes";
  return counts[f] > limit && isSampledOut(counts[f]) ? "sampled" : undefined;
}

function isSampledOut(count) {
  let step = 1;
  for (let most = limit; count > most; most *= 10) step *= 10;
  return count % step !== 0;
}

/** Told again and again, ever more seldom: a process may be killed. */
function countCut(f, why) {
  const count = (cuts[why][f] || 0) + 1;
  cuts[why][f] = count;
  if ((count & (count - 1)) === 0) tellCut(f, why, count);
}

function tellCut(f, why, count) {
  record.write(`{"k":"cut","f":${f},"why":"${why}","count":${count}}`);
}

function argumentsText(args, realm) {
  const parts = [];
  for (const name of Object.keys(args)) {
    const value = name === "arguments" ? Array.prototype.slice.call(args[name]) : args[name];
    if (name === "this" && (value === realm || value === undefined)) continue;
    parts.push(`[${JSON.stringify(name)},${describeValue(value, room, name === "this")}]`);
  }
  return `,"args":[${parts.join(",")}]`;
}

/** The call that one is made from, or, where none runs, the one whose asynchronous work this is. */
function originOf(isGenerator) {
  const giver = handing;
  handing = undefined;
  if (isGenerator && giver) return { parent: giver, depth: giver.depth + 1, task: giver.task };
  if (current) return { parent: current, depth: current.depth + 1, task: current.task };
  const parent = storage ? storage.getStore() : undefined;
  if (!parent) return { parent, depth: 1, task: undefined };
  return { parent, depth: 1, task: record.next("tasks") };
}

function begin(realm, f, args, isGenerator) {
  if (!record.isReady()) return none;
  const origin = originOf(isGenerator === 1);
  if (origin.depth > maxDepth) {
    countCut(f, "depth");
    return none;
  }
  const call = writeEntry(realm, f, args, origin);
  become(call);
  return call;
}

function writeEntry(realm, f, args, { parent, depth, task }) {
  records += 1;
  limit = hot[steps.filter((many) => records >= many).length];
  const call = new Call(record.next("calls"), depth, task);
  const at = record.now();
  const told = args ? argumentsText(args, realm) : "";
  call.test = currentTest(realm);
  const isNews = call.test !== undefined && (!parent || parent.test !== call.test);
  record.write(
    `{"k":"in","c":${call.number},"f":${f}${parent ? `,"p":${parent.number}` : ""},"th":${record.thread.number}` +
      `${task ? `,"task":${task}` : ""}${isNews ? `,"test":${JSON.stringify(call.test)}` : ""},"at":${at}${told}}`,
  );
  return call;
}

function writeExit(call, value, at) {
  const { failure, number } = call;
  if (failure === undefined) {
    // A generator that is ended from outside (`return()`) does not go on first.
    if (call.isWaiting && !call.isBetweenRounds)
      return record.write(`{"k":"out","c":${number},"at":${at},"how":"drop"}`);
    const told = value === undefined ? "" : `,"value":${describeValue(value[0], room, false)}`;
    return record.write(`{"k":"out","c":${number},"at":${at},"how":"return"${told}}`);
  }
  const place = placeOf(failure[0]);
  return record.write(
    `{"k":"out","c":${number},"at":${at},"how":"throw","message":${JSON.stringify(describeThrown(failure[0], room))}` +
      `${place ? `,"place":${JSON.stringify(place)}` : ""}}`,
  );
}

/** What the inserted text holds of a call; the names are short because the text has many of them. */
class Call {
  constructor(number, depth, task) {
    this.number = number;
    this.depth = depth;
    this.task = task;
    this.test = undefined;
    this.before = current;
    this.returned = undefined;
    this.failure = undefined;
    this.isWaiting = false;
    this.isBetweenRounds = false;
    this.waits = 0;
  }

  /** A value on its way out, handed on as it is. */
  r(value) {
    this.returned = [value];
    return value;
  }

  /** Leaves for a while (`await`, `yield`), with the value that it hands on. */
  w(value) {
    handing = undefined;
    if (this.isWaiting) return value;
    this.isWaiting = true;
    this.waits += 1;
    if (this.waits <= mostWaits) record.write(`{"k":"wait","c":${this.number},"at":${record.now()}}`);
    become(this.before);
    return value;
  }

  /** Leaves for a generator that runs in its place. */
  y(value) {
    this.w(value);
    handing = isGeneratorObject(value) ? this : undefined;
    return value;
  }

  /** Leaves before a round of `for await`; a `return` in the round does so too. */
  l(value) {
    this.y(value);
    this.isBetweenRounds = true;
    return value;
  }

  /** Goes on, with the value that it was given. */
  k(value) {
    handing = undefined;
    if (!this.isWaiting) return value;
    this.isWaiting = false;
    this.isBetweenRounds = false;
    if (this.waits <= mostWaits) record.write(`{"k":"wake","c":${this.number},"at":${record.now()}}`);
    this.before = current;
    become(this);
    return value;
  }

  /** A thrown value on its way out. */
  t(error) {
    this.failure = [error];
    return error;
  }

  /** The end; `values` is what it returns, where that is recorded. */
  o(...values) {
    const at = record.now();
    if (!this.isWaiting) become(this.before);
    this.before = undefined;
    try {
      look(() => writeExit(this, values.length > 0 ? this.returned || values : undefined, at));
    } catch (_) {
      // The stack's end, most likely: the program is about to learn of it by itself.
    }
  }
}

/** A call of a hot function that is not recorded, unless it fails. */
class Counted {
  constructor(realm, f, args) {
    this.realm = realm;
    this.f = f;
    this.args = args;
  }

  t(error) {
    const { f } = this;
    const told = failures[f] || { count: 0, last: undefined };
    // Of a recursion that one error leaves, the innermost call is enough.
    if (told.count >= hot[0] || isBusy || (told.count > 0 && told.last === error)) return error;
    try {
      look(() => {
        const call = writeEntry(this.realm, f, this.args, originOf());
        call.failure = [error];
        writeExit(call, undefined, record.now());
      });
      failures[f] = { count: told.count + 1, last: error };
    } catch (_) {
      // As above.
    }
    return error;
  }

  o() {}
}
const same = (value) => value;
for (const name of ["r", "w", "y", "l", "k"]) Counted.prototype[name] = same;

const none = { r: same, w: same, y: same, l: same, k: same, t: same, o() {} };

/** Begins a call of the function with this number. It never throws. */
function enter(realm, f, args, isGenerator) {
  if (isBusy) return none;
  const why = reasonToCut(f);
  if (why !== undefined) {
    countCut(f, why);
    return why === "sampled" ? new Counted(realm, f, args) : none;
  }
  try {
    return look(() => begin(realm, f, args, isGenerator));
  } catch (_) {
    return none;
  }
}

function finish() {
  if (!record.hasFile()) return;
  for (const why of Object.keys(cuts)) {
    for (const f of Object.keys(cuts[why])) tellCut(f, why, cuts[why][f]);
  }
}

module.exports = { enter, finish, running: () => current || (storage && storage.getStore()) };
