// Paths of the project as the report names them: relative to the repository, with `/`.
"use strict";
const fs = require("fs");
const path = require("path");
const { fileURLToPath } = require("url");
const request = require("./request.cjs");

const start = process.cwd(); // taken now: tests go elsewhere
const roots = (() => {
  const { root } = request;
  try {
    return [...new Set([root, fs.realpathSync(root)])];
  } catch {
    return [root];
  }
})();

/** A path without scheme, query and percent signs: `file:///a%20b.js?t=1` is `/a b.js`. */
function plainPath(file) {
  if (!file.startsWith("file:")) return file.replace(/\?[^/\\]*$/, "");
  try {
    return fileURLToPath(file.replace(/[?#].*$/, ""));
  } catch {
    return file.replace(/^file:\/\//, "").replace(/\?.*$/, "");
  }
}

/** Relative to the repository, or absolute where it lies outside; "" stays "". */
function relativePath(file) {
  if (!file) return "";
  const plain = path.resolve(start, plainPath(String(file)));
  for (const root of roots) {
    const relative = path.relative(root, plain);
    if (relative !== "" && !relative.startsWith("..") && !path.isAbsolute(relative)) {
      return relative.split(path.sep).join("/");
    }
  }
  return plain.split(path.sep).join("/");
}

/** A text in which the repository's files have their relative paths: the same in every copy of it. */
function withoutRoot(text) {
  return roots.reduce(
    (result, root) => result.split(`file://${root}/`).join("").split(`${root}/`).join(""),
    text,
  );
}

const packages = new Map();

/** The name of the workspace member that a file belongs to; "" for the repository's own package. */
function packageOf(file) {
  const relative = relativePath(file);
  if (relative === "" || path.isAbsolute(relative)) return "";
  return packageOfFolder(path.posix.dirname(relative));
}

function packageOfFolder(folder) {
  if (folder === "." || folder === "") return "";
  const known = packages.get(folder);
  if (known !== undefined) return known;
  const name =
    readName(path.join(roots[0], folder, "package.json")) || packageOfFolder(path.posix.dirname(folder));
  packages.set(folder, name);
  return name;
}

function readName(manifest) {
  try {
    const { name } = JSON.parse(fs.readFileSync(manifest, "utf8"));
    return typeof name === "string" ? name : "";
  } catch {
    return "";
  }
}

module.exports = { packageOf, plainPath, relativePath, withoutRoot };
