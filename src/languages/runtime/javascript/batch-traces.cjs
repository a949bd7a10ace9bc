// What a candidate can leave behind in a process that the next one would see.
"use strict";
const { cwd, env, getActiveResourcesInfo = () => [] } = process;

const builtIns = [
  ...[
    Array,
    BigInt,
    Boolean,
    Date,
    Error,
    Function,
    Map,
    Number,
    Object,
    Promise,
    RegExp,
    Set,
    String,
    Symbol,
  ].flatMap((one) => [one, one.prototype]),
  ...[Atomics, JSON, Math, Reflect, console, globalThis, process],
  ...["fs", "path", "child_process", "http", "os", "util"].map((name) => require(name)),
  require("fs").promises,
];

/** What stood there at first: of the rest, much is the project's own, made anew with each loading. */
const standard = builtIns.map((one) => ({ one, keys: Reflect.ownKeys(one) }));

/** Functions and accessors: other values change by themselves. */
function takeMembers() {
  const members = [];
  for (const { one, keys } of standard) {
    for (const key of keys) {
      const { get, value } = Reflect.getOwnPropertyDescriptor(one, key) || {};
      if (get !== undefined || typeof value === "function") members.push({ one, key, member: get || value });
    }
  }
  return members;
}

function isAsBefore({ one, key, member }) {
  const descriptor = Reflect.getOwnPropertyDescriptor(one, key);
  return descriptor !== undefined && (descriptor.get || descriptor.value) === member;
}

function describe() {
  const own = Object.entries(env).filter(([name]) => !name.startsWith("MILLWRIGHT_"));
  const prototypes = builtIns.filter((one) => one !== globalThis && one !== process);
  return JSON.stringify([
    own.sort(),
    cwd.call(process),
    Reflect.ownKeys(globalThis).map(String).sort(),
    prototypes.map((one) => Reflect.ownKeys(one).length),
  ]);
}

/** Servers, sockets and processes that are open. */
function countOpen() {
  return getActiveResourcesInfo.call(process).filter((name) => /Server|Socket|ProcessWrap|Worker/.test(name))
    .length;
}

/** Compares with how it is now. */
function createTraces() {
  const members = takeMembers();
  const description = describe();
  const open = countOpen();
  return {
    differ: () => countOpen() > open || describe() !== description || !members.every(isAsBefore),
  };
}

module.exports = { createTraces };
