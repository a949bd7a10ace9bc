// Loads the project's modules anew for each candidate, without reading and compiling them again.
"use strict";
const Module = require("module");
const fs = require("fs");
const path = require("path");
const { pathToFileURL } = require("url");
const vm = require("vm");
const { root } = require("./request.cjs");

const roots = new Set([root, fs.realpathSync(root)]);
const inDependency = `${path.sep}node_modules${path.sep}`;

/** What belongs to the project: packages stay loaded. */
function isOwn(file) {
  return [...roots].some((one) => file.startsWith(one + path.sep)) && !file.includes(inDependency);
}

/** File → its compiled function; the next loading calls it again. */
const compiled = new Map();

function compile(content, filename) {
  const dynamic = vm.constants?.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  if (dynamic === undefined && /\bimport\b/.test(content)) return undefined;
  try {
    const source = Module.wrap(content.replace(/^#!.*/, ""));
    return new vm.Script(source, { filename, ...(dynamic && { importModuleDynamically: dynamic }) });
  } catch {
    return undefined; // a module of another kind, or an error that Node tells better
  }
}

function execute(script, module, filename) {
  const require = (id) => module.require(id);
  require.resolve = (id, options) => Module._resolveFilename(id, module, false, options);
  require.resolve.paths = (id) => Module._resolveLookupPaths(id, module);
  require.main = process.mainModule;
  require.extensions = Module._extensions;
  require.cache = Module._cache;
  const { exports } = module;
  return script.runInThisContext().call(exports, exports, require, module, filename, path.dirname(filename));
}

/** To be called once the project's own loaders are in place. */
function keepCompiled() {
  const { _compile } = Module.prototype;
  Module.prototype._compile = function compileOnce(content, filename, ...rest) {
    const script =
      isOwn(filename) && rest[0] !== "module" && Module.wrap.length === 1
        ? compile(content, filename)
        : undefined;
    if (script === undefined) return _compile.call(this, content, filename, ...rest);
    compiled.set(filename, script);
    return execute(script, this, filename);
  };
  for (const extension of Object.keys(Module._extensions)) {
    const load = Module._extensions[extension];
    Module._extensions[extension] = (module, filename) => {
      const script = compiled.get(filename);
      return script === undefined ? load(module, filename) : execute(script, module, filename);
    };
  }
}

function ownLoaded() {
  return Object.keys(require.cache).filter(isOwn);
}

/**
 * A function that forgets the project's modules, and loads those anew that are loaded now: what the runner's options named
 * (`--require`) holds modules that the tests use.
 */
function createRenewal() {
  const first = ownLoaded();
  return function renewModules() {
    for (const file of ownLoaded()) delete require.cache[file];
    for (const file of first) require(file);
  };
}

/** Makes what an imported file imports as new as itself: its candidate's number goes on from URL to URL. */
function renewImports() {
  if (Module.register === undefined) return false;
  const hook = `export async function resolve(specifier, context, next) {
    const result = await next(specifier, context);
    const mark = /[?&](millwright=\\d+)/.exec(context.parentURL || "");
    const isOwn = result.url.startsWith("file:") && !result.url.includes("/node_modules/");
    if (!mark || !isOwn || /[?&]millwright=/.test(result.url)) return result;
    return { ...result, url: result.url + (result.url.includes("?") ? "&" : "?") + mark[1] };
  }`;
  Module.register(`data:text/javascript,${encodeURIComponent(hook)}`);
  return true;
}

function isEsm(file) {
  if (/\.[cm][jt]sx?$/.test(file)) return /\.m[jt]sx?$/.test(file);
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    const manifest = path.join(folder, "package.json");
    if (fs.existsSync(manifest)) return JSON.parse(fs.readFileSync(manifest, "utf8")).type === "module";
    if (folder === path.dirname(folder)) return false;
  }
}

let renews;

/** Loads a test file for a candidate. */
async function loadFile(file, id) {
  const absolute = fs.realpathSync(path.resolve(file));
  if (!isEsm(absolute)) {
    try {
      return require(absolute);
    } catch (error) {
      if (!/ERR_REQUIRE_(?:ESM|ASYNC_MODULE)/.test(error?.code)) throw error;
    }
  }
  renews = renews === undefined ? renewImports() : renews;
  if (!renews) throw new Error("this version of Node cannot load a module anew");
  return import(`${pathToFileURL(absolute).href}?millwright=${id}`);
}

module.exports = { createRenewal, keepCompiled, loadFile };
