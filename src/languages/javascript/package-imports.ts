import { posix } from "node:path";
import type { ProjectView } from "../contract.ts";
import { isRecord, type Manifest } from "./package-manifest.ts";

const source = /\.(?:[cm]?[jt]s|[jt]sx)$/;
const specifier = /(?:\bfrom|\brequire\(|\bimport\(|\bimport)\s*["']([^"'\n]+)["']/g;
const endings = [
  "",
  ".js",
  ".ts",
  ".mjs",
  ".cjs",
  ".tsx",
  ".jsx",
  ".json",
  ".mts",
  ".cts",
  ".node",
  ".vue",
  ".svelte",
];
const mostFiles = 3000;

const testFile =
  /(?:^|\/)(?:(?:tests?|specs?|__tests__)\/.*|tests?|test-[^/]*|[^/]*[._-](?:test|spec))\.(?:[cm]?[jt]s|[jt]sx)$/;

/**
 * True if the package's tests, or files that they import, need a file that only a build makes. Without tests, checks
 * all sources of the package. If tests import the package by its own name, this includes the entry files in its
 * manifest. Stops at 3,000 files.
 */
export function needsBuild(project: ProjectView, manifest: Manifest): boolean {
  const prefix = manifest.directory === "" ? "" : `${manifest.directory}/`;
  const own = project.files.filter((file) => file.startsWith(prefix) && source.test(file));
  const tests = own.filter((file) => testFile.test(file.slice(prefix.length)));
  const known = new Set(project.files);
  const reached = new Set(tests.length > 0 ? tests : own);
  for (const file of reached) {
    if (reached.size > mostFiles) break;
    for (const [, name = ""] of (project.read(file) ?? "").matchAll(specifier)) {
      if (name === manifest.name && name !== "" && !hasEntry(known, manifest)) return true;
      if (!name.startsWith(".")) continue;
      const path = posix.join(posix.dirname(file), name);
      const found = findKnown(known, path);
      if (found === undefined && path !== ".") return true;
      if (found !== undefined && source.test(found)) reached.add(found);
    }
  }
  return false;
}

/** Returns the repository's files that a file imports by relative paths. */
export function importsOf(project: ProjectView, file: string): string[] {
  const known = new Set(project.files);
  const names = [...(project.read(file) ?? "").matchAll(specifier)].map(([, name = ""]) => name);
  return names
    .filter((name) => name.startsWith("."))
    .flatMap((name) => findKnown(known, posix.join(posix.dirname(file), name)) ?? []);
}

function isKnown(files: ReadonlySet<string>, path: string): boolean {
  return path === "." || findKnown(files, path) !== undefined;
}

/** Finds the file of an imported path: a path without extension, a folder, or the output of a TypeScript file. */
function findKnown(files: ReadonlySet<string>, path: string): string | undefined {
  const plain = path.replace(/[?#].*$/, "").replace(/\/$/, "");
  const stem = plain.replace(/\.([cm]?)jsx?$/, "");
  const tries = [plain, posix.join(plain, "index"), stem, posix.join(plain, "package.json")];
  return tries.flatMap((one) => endings.map((ending) => one + ending)).find((one) => files.has(one));
}

/** True if the repository has each file that the manifest names as the package's entry. */
function hasEntry(files: ReadonlySet<string>, manifest: Manifest): boolean {
  const { exports, main } = manifest.content;
  const entries = typeof main === "string" ? [main] : [];
  collectTexts(isRecord(exports) && exports["."] !== undefined ? exports["."] : exports, entries);
  if (entries.length === 0) entries.push("index.js");
  return entries.every(
    (entry) => entry.endsWith(".d.ts") || isKnown(files, posix.join(manifest.directory, entry)),
  );
}

function collectTexts(value: unknown, found: string[]): void {
  if (typeof value === "string") found.push(value);
  else if (isRecord(value)) for (const inner of Object.values(value)) collectTexts(inner, found);
}

/** True if the repository has the file that an ES module import of the package by name loads. */
export function hasImportedEntry(files: ReadonlySet<string>, { content, directory }: Manifest): boolean {
  const { exports, main } = content;
  const entry = chooseEntry(isRecord(exports) && exports["."] !== undefined ? exports["."] : exports);
  return isKnown(files, posix.join(directory, entry ?? (typeof main === "string" ? main : "index.js")));
}

const conditions = new Set(["node", "import", "module-sync", "default"]);

/** Chooses the first condition that holds, as Node does. */
function chooseEntry(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isRecord(value)) return undefined;
  for (const [condition, inner] of Object.entries(value)) {
    const entry = conditions.has(condition) ? chooseEntry(inner) : undefined;
    if (entry !== undefined) return entry;
  }
  return undefined;
}
