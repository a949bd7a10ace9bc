import { posix } from "node:path";
import type { ProjectView } from "./contract.ts";
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

/**
 * True when the package's files import something that is not in the repository: what a build makes. Tests that import the
 * package by its own name need what its manifest names.
 */
export function needsBuild(project: ProjectView, manifest: Manifest): boolean {
  const prefix = manifest.directory === "" ? "" : `${manifest.directory}/`;
  const own = project.files
    .filter((file) => file.startsWith(prefix) && source.test(file))
    .slice(0, mostFiles);
  const known = new Set(project.files);
  return own.some((file) => {
    for (const [, name = ""] of (project.read(file) ?? "").matchAll(specifier)) {
      if (name.startsWith(".") && !isKnown(known, posix.join(posix.dirname(file), name))) return true;
      if (name === manifest.name && name !== "" && !hasEntry(known, manifest)) return true;
    }
    return false;
  });
}

function isKnown(files: ReadonlySet<string>, path: string): boolean {
  const plain = path.replace(/[?#].*$/, "").replace(/\/$/, "");
  const stem = plain.replace(/\.([cm]?)jsx?$/, "");
  const tries = [plain, posix.join(plain, "index"), stem, posix.join(plain, "package.json")];
  return plain === "." || tries.some((one) => endings.some((ending) => files.has(one + ending)));
}

/** True when a file that the manifest names as the package's entry is in the repository. */
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
