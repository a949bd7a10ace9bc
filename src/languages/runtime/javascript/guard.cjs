// Notices what changes the test framework in memory: functions of its objects and classes that are no longer those that were loaded,
// and what comes with the language that assertions rest on. A project may do that in its own set-up: so this only tells, and the host
// compares with a run without the patch. Code that changes them between two looks, or changes what is used here, is not noticed.
// Plain CommonJS for Node 14 and later.
"use strict";
const { createRequire } = require("module");
const path = require("path");
const { batch } = require("./request.cjs");

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { ownKeys } = Reflect;

/** Tests that are looked at one by one; a run has many. */
const mostLooks = 200;
/** Functions and methods that are kept in mind. */
const mostKept = 6000;
const deepest = 4;
const mostTold = 200;

const natives = [
  ...[
    "Array",
    "Boolean",
    "Error",
    "Function",
    "JSON",
    "Map",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "Reflect",
  ],
  ...["RegExp", "Set", "String", "Symbol", "TypeError", "WeakMap", "WeakSet"],
];
/** Of a function itself, and what programs have their own of. */
const free = new Set([
  "length",
  "name",
  "arguments",
  "caller",
  "constructor",
  "prepareStackTrace",
  "captureStackTrace",
]);

function isObject(value) {
  return typeof value === "function" || (typeof value === "object" && value !== null);
}

/** A proxy of a project may answer with an error. */
function quietly(ask, otherwise) {
  try {
    return ask();
  } catch {
    return otherwise;
  }
}

const readAt = (holder, key) => quietly(() => getOwnPropertyDescriptor(holder, key), undefined);
const keysOf = (holder) => quietly(() => ownKeys(holder), []);

function isPlain(value) {
  const above = quietly(() => getPrototypeOf(value), null);
  if (above === null) return true;
  return quietly(() => getPrototypeOf(above), null) === null;
}

/** In a batch, whose results only choose what is judged later: a look costs as much as a candidate's tests. */
const blind = { look() {}, add() {} };

/** `roots`: by name, what belongs to the framework; `tell` gets names of what has changed, each once. */
function createGuard(roots, tell, realm = globalThis) {
  if (batch) return blind;
  /** What holds it, the holder's name, the key, and what stood there. */
  const kept = [];
  /** As many of them, from the first on, are the language's own. */
  let nativeCount = 0;
  /** Objects and their names. */
  const places = [];
  const seen = new Set();
  const told = new Set();
  let looks = 0;

  function keep(holder, name, key, depth) {
    const found = readAt(holder, key);
    if (found === undefined || kept.length >= mostKept) return;
    const { value, get, set } = found;
    if (get !== undefined || set !== undefined || typeof value === "function")
      kept.push([holder, name, key, value, get, set]);
    if (isObject(value)) visit(value, `${name}.${String(key)}`, depth + 1);
  }

  function visit(value, name, depth) {
    if (seen.has(value) || depth > deepest || Array.isArray(value)) return;
    // An instance's own state is not the framework's code; its class is met by itself.
    if (typeof value === "object" && depth > 0 && !isPlain(value) && !/\.prototype$/.test(name)) return;
    seen.add(value);
    places.push([value, name, new Set(keysOf(value))]);
    for (const key of keysOf(value)) if (!free.has(key)) keep(value, name, key, depth);
  }

  for (const name of natives) {
    keep(realm, "global", name, deepest);
    if (isObject(realm[name])) visit(realm[name], name, deepest - 1);
  }
  nativeCount = kept.length;
  for (const [name, root] of Object.entries(roots)) if (isObject(root)) visit(root, name, 0);

  function changesOf([holder, name, key, value, get, set]) {
    const found = readAt(holder, key);
    if (found !== undefined && found.value === value && found.get === get && found.set === set) return [];
    return [`${name}.${String(key)} is ${nameOf(found)}`];
  }

  /** A method that hides an inherited one. */
  function hidden(holder, name, known) {
    const above = quietly(() => getPrototypeOf(holder), null);
    const keys =
      above === null ? [] : keysOf(holder).filter((key) => !known.has(key) && !free.has(key) && key in above);
    return keys
      .map((key) => [key, readAt(holder, key)])
      .filter(
        ([, found]) => found !== undefined && (found.get !== undefined || typeof found.value === "function"),
      )
      .map(([key, found]) => `${name}.${String(key)} is ${nameOf(found)}`);
  }

  return {
    /**
     * Also at the framework's own instances, which have methods of their class. `after` a test: before its hooks have taken back what it put
     * in the place of the language's own functions, so that these are not looked at. `always`: however many looks there were.
     */
    look(instances = {}, when = "before") {
      looks += 1;
      if (looks > mostLooks && when !== "always") return;
      const found = (when === "after" ? kept.slice(nativeCount) : kept).flatMap(changesOf);
      for (const [holder, name, known] of places) found.push(...hidden(holder, name, known));
      for (const [name, instance] of Object.entries(instances))
        found.push(...hidden(instance, name, new Set()));
      const fresh = [...new Set(found)].filter((each) => !told.has(each)).slice(0, mostTold);
      for (const each of fresh) told.add(each);
      if (fresh.length > 0) tell(fresh.map((each) => each.slice(0, 300)).sort());
    },
    /** What belongs to the framework too, from now on: an event's context, a global function. */
    add(name, root) {
      if (isObject(root)) visit(root, name, 0);
    },
  };
}

function nameOf(found) {
  const value = found && (found.value || found.get);
  if (typeof value !== "function") return found === undefined ? "gone" : typeof value;
  const name = getOwnPropertyDescriptor(value, "name");
  return `function ${(name && typeof name.value === "string" && name.value) || "without a name"}`;
}

/** Of the framework's functions that are global ones: whether they still are what the framework has put there. */
function globalsOf(context, tell) {
  if (batch) return blind;
  const kept = globalNames
    .filter((name) => typeof context[name] === "function")
    .map((name) => [name, context[name]]);
  return {
    look() {
      const found = kept.filter(([name, value]) => context[name] !== value);
      const told = found.map(
        ([name]) => `global ${name} is ${nameOf(getOwnPropertyDescriptor(context, name))}`,
      );
      if (told.length > 0) tell(told);
    },
  };
}

const globalNames = [
  ...[
    "it",
    "fit",
    "xit",
    "test",
    "specify",
    "describe",
    "fdescribe",
    "xdescribe",
    "context",
    "suite",
    "expect",
    "expectAsync",
  ],
  ...[
    "before",
    "beforeEach",
    "beforeAll",
    "after",
    "afterEach",
    "afterAll",
    "setup",
    "teardown",
    "fail",
    "pending",
    "spyOn",
  ],
];

/** What Node brings for tests, and the library of assertions that the project names: tests would load it later. */
function nodeRoots(folder = process.cwd()) {
  if (batch) return {};
  const { isDeepStrictEqual } = require("util");
  const roots = {
    assert: require("assert"),
    stream: require("stream"),
    events: require("events"),
    util: { isDeepStrictEqual },
  };
  try {
    const load = createRequire(path.join(folder, "package.json"));
    const { dependencies = {}, devDependencies = {} } = load("./package.json");
    const isNamed = "chai" in { ...dependencies, ...devDependencies };
    if (isNamed && load.resolve("chai").includes("node_modules")) roots.chai = load("chai");
  } catch {
    // The tests tell.
  }
  return roots;
}

module.exports = { createGuard, globalsOf, nodeRoots };
