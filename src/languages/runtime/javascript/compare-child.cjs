// One version of the changed modules: loads them, and says what each input does, a line each, as soon as it is known.
"use strict";
const { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } = require("fs");
const { createRequire } = require("module");
const { dirname, join } = require("path");
const { pathToFileURL } = require("url");
const { inspect } = require("util");
const { evaluate, vary } = require("./compare-inputs.cjs");

const { root, report, files, out, from } = JSON.parse(process.env.MILLWRIGHT_COMPARE_CHILD);
const most = { calls: 40, variants: 8, inputs: 300, text: 2000 };
/** Variants of all calls together, where there are few calls. */
const leastVariants = 48;
/** Milliseconds for what a call promises. */
const patienceMs = 1000;

/** A module as it stands, or as the project's own esbuild makes JavaScript of it. */
async function load(path) {
  const absolute = join(root, path);
  if (!/\.[cm]?ts$/.test(path)) return import(pathToFileURL(absolute).href);
  const near = createRequire(absolute);
  let esbuild;
  try {
    esbuild = near("esbuild");
  } catch {
    try {
      return await import(pathToFileURL(absolute).href);
    } catch (error) {
      throw new Error(`${path}: there is no esbuild, and this Node does not run it (${error.message})`);
    }
  }
  const outfile = join(dirname(absolute), `.millwright-compare-${process.pid}.mjs`);
  const options = {
    entryPoints: [absolute],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  };
  try {
    esbuild.buildSync({ ...options, outfile, logLevel: "silent" });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(outfile, { force: true });
  }
}

/** Plain functions by name, of the module and of what it exports as a whole. */
function functionsOf(module) {
  const whole = module.default;
  const parts = whole !== null && typeof whole === "object" ? whole : {};
  const named = typeof whole === "function" ? { [whole.name]: whole } : {};
  const all = { ...parts, ...named, ...module };
  const isPlain = (value) =>
    typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
  return Object.fromEntries(
    Object.entries(all).filter(([name, value]) => name !== "default" && isPlain(value)),
  );
}

/** The inputs, once for all versions: of which function, from which call, the call itself or a variant of it. */
function listInputs(modules) {
  const path = join(report, "calls.json");
  if (existsSync(path)) return JSON.parse(readFileSync(path, "utf8"));
  const found = JSON.parse(readFileSync(join(report, "found.json"), "utf8"));
  const calls = [];
  for (const [file, functions] of modules) {
    for (const name of Object.keys(functions)) {
      const seen = new Set();
      for (const each of found.filter((one) => one.name === name)) {
        if (seen.has(each.text) || seen.size >= most.calls || evaluate(each.text) === undefined) continue;
        seen.add(each.text);
        calls.push({ file, ...each });
      }
    }
  }
  const variants = Math.max(most.variants, Math.ceil(leastVariants / Math.max(1, calls.length)));
  const given = calls.map((each) => ({ ...each, variant: -1 }));
  const made = calls.flatMap((each) =>
    vary(evaluate(each.text))
      .slice(0, variants)
      .map((_, variant) => ({ ...each, variant, origin: "derived" })),
  );
  const inputs = [...given, ...made].slice(0, most.inputs);
  writeFileSync(path, JSON.stringify(inputs));
  writeFileSync(join(report, "inputs.txt"), inputs.map(({ origin }) => `${origin}\n`).join(""));
  return inputs;
}

function show(value) {
  const text = inspect(value, {
    depth: 6,
    sorted: true,
    breakLength: Number.POSITIVE_INFINITY,
    maxArrayLength: 100,
  });
  return text.replaceAll(/\s+/g, " ").slice(0, most.text);
}

async function settle(value) {
  if (value === null || typeof value !== "object" || typeof value.then !== "function") return value;
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve("(not settled in time)"), patienceMs);
  });
  try {
    return await Promise.race([value, late]);
  } finally {
    clearTimeout(timer);
  }
}

async function tell(called, { text, variant }) {
  const args = variant < 0 ? evaluate(text) : vary(evaluate(text))[variant];
  try {
    const value = await settle(called(...args));
    // What is done to the arguments is behaviour too.
    return `v${show(value)} ${show(args)}`;
  } catch (error) {
    return `e${error instanceof Error ? `${error.name}: ${error.message}` : show(error)}`.replaceAll(
      /\s+/g,
      " ",
    );
  }
}

async function main() {
  const modules = new Map();
  for (const file of files) modules.set(file, functionsOf(await load(file)));
  const inputs = listInputs(modules);
  for (const input of inputs.slice(from)) {
    const called = modules.get(input.file)?.[input.name];
    appendFileSync(out, `${called === undefined ? "eit is gone" : await tell(called, input)}\n`);
  }
}

main().then(
  () => process.exit(0),
  (error) => {
    process.stderr.write(`${error?.message}\n`);
    process.exit(3);
  },
);
