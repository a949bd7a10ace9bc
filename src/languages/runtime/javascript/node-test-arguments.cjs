// The command line of `node --test`, and the files that it means in every version of Node.
"use strict";
const fs = require("fs");
const os = require("os");
const path = require("path");

/** Node's own options that take their value from the next word. */
const valued = new Set([
  "-r",
  "--require",
  "--import",
  "--loader",
  "--experimental-loader",
  "-C",
  "--conditions",
  "--env-file",
]);
const valuedTest = [
  "name-pattern",
  "skip-pattern",
  "concurrency",
  "timeout",
  "reporter",
  "reporter-destination",
  "shard",
  "isolation",
  "global-setup",
];
for (const name of valuedTest) valued.add(`--test-${name}`);
/** Options of `node --test` that also mean something to the process of a single file. */
const kept = /^--test-(?:name-pattern|skip-pattern|only|force-exit)(?:=|$)/;

function readArguments(argv) {
  const [program = "node", ...words] = argv;
  const flags = [];
  const patterns = [];
  let concurrency;
  while (words.length > 0) {
    const word = words.shift();
    if (word === "--") patterns.push(...words.splice(0));
    else if (!word.startsWith("-")) patterns.push(word);
    else {
      const option = valued.has(word) && words.length > 0 ? [word, words.shift()] : [word];
      const name = word.split("=")[0];
      if (name === "--test-concurrency") concurrency = Number(option[1] || word.split("=")[1]);
      else if (!dropped(name) || kept.test(word)) flags.push(...option);
    }
  }
  return { program, flags, files: findFiles(patterns), concurrency: concurrency || defaultConcurrency() };
}

function dropped(name) {
  return /^--(?:test|experimental-test-|watch)/.test(name);
}

/** As `node --test`, but not more than two at once. */
function defaultConcurrency() {
  return Math.max(1, Math.min(2, os.cpus().length - 1));
}

function findFiles(patterns) {
  if (patterns.length === 0) return listFiles(".").filter(isTestFile);
  const found = patterns.flatMap((pattern) => {
    if (!/[*?[{]/.test(pattern)) return expandPath(pattern);
    const matches = globToRegExp(pattern.replace(/^\.\//, ""));
    const fixed = pattern.split(/[*?[{]/)[0];
    return listFiles(path.dirname(`${fixed}x`)).filter((file) => matches.test(file));
  });
  return [...new Set(found)];
}

function expandPath(file) {
  let isFolder = false;
  try {
    isFolder = fs.statSync(file).isDirectory();
  } catch {
    // A file that is not there is reported by its own run.
  }
  return isFolder ? listFiles(file).filter(isTestFile) : [file];
}

function listFiles(folder) {
  const files = [];
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const file = path.posix.join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== "node_modules" && entry.name !== ".git")
      files.push(...listFiles(file));
    else if (entry.isFile()) files.push(file);
  }
  return files;
}

const extension = process.features?.typescript ? "[cm]?[jt]s" : "[cm]?js";
const testName = new RegExp(`(?:^|/)(?:[^/]+[._-]test|test-[^/]*|test)\\.${extension}$`);
const testFolder = new RegExp(`(?:^|/)test/.*\\.${extension}$`);

function isTestFile(file) {
  return (testName.test(file) || testFolder.test(file)) && !file.endsWith(".d.ts");
}

function globToRegExp(glob) {
  let text = "";
  const closers = [];
  for (let index = 0; index < glob.length; index += 1) {
    const rest = glob.slice(index);
    const group = /^([@?+*])\(/.exec(rest);
    if (group) {
      closers.push(group[1] === "@" ? ")" : `)${group[1]}`);
      text += "(?:";
      index += 1;
    } else if (rest.startsWith("**/")) {
      text += "(?:[^/]+/)*";
      index += 2;
    } else if (rest.startsWith("**")) {
      text += ".*";
      index += 1;
    } else if (rest[0] === "*") text += "[^/]*";
    else if (rest[0] === "?") text += "[^/]";
    else if (rest[0] === "{") {
      closers.push(")");
      text += "(?:";
    } else if ((rest[0] === "}" || rest[0] === ")") && closers.length > 0) text += closers.pop();
    else if ((rest[0] === "," || rest[0] === "|") && closers.length > 0) text += "|";
    else if (rest[0] === "[" && rest.includes("]")) {
      const set = rest.slice(0, rest.indexOf("]") + 1);
      text += set.replace("[!", "[^");
      index += set.length - 1;
    } else text += rest[0].replace(/[.+^${}()|[\]\\]/g, "\\$&");
  }
  return new RegExp(`^${text}$`);
}

module.exports = { findFiles, globToRegExp, listFiles, readArguments };
