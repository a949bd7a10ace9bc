/**
 * Reads files of installed dependencies, which a repository's trees do not contain. Reads no other files, and never
 * writes.
 */
import { isUtf8 } from "node:buffer";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { isVirtualEnvironment, listSitePackages } from "./moved-root.ts";

/**
 * Matches folders that package managers fill. A path must lead through one of them, both by its name and by its real
 * location.
 */
const installed =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.cargo\/registry\/src|pkg\/mod|rustlib\/src)\//;
/** Maximum bytes of a file. Below: maximum names of a folder. */
const largest = 2 * 1024 * 1024;
const mostNames = 200;

export type Dependency =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "folder"; readonly names: readonly string[] };

/**
 * Reads a file or a folder of an installed dependency. `path`: an absolute path, one that begins with `~/`, or one
 * relative to `repository`. For `site-packages/…`, uses the first virtual environment that has the path. Undefined for
 * every other path, and for files that are missing, larger than 2 MiB, or not UTF-8 text.
 */
export function readDependency(repository: string, path: string): Dependency | undefined {
  for (const place of placesOf(repository, path)) {
    const found = readPlace(place);
    if (found !== undefined) return found;
  }
  return undefined;
}

function placesOf(repository: string, path: string): string[] {
  if (path.startsWith("/")) return [path];
  if (path.startsWith("~/")) return [join(homedir(), path.slice(2))];
  const [first, ...rest] = path.split("/");
  if (first !== "site-packages") return [join(repository, path)];
  const environments = readdirSync(repository).map((name) => join(repository, name));
  return environments
    .filter(isVirtualEnvironment)
    .flatMap(listSitePackages)
    .map((site) => join(site, ...rest));
}

function readPlace(absolute: string): Dependency | undefined {
  if (!installed.test(`${absolute}/`) || absolute.split("/").some((part) => part.startsWith(".env")))
    return undefined;
  try {
    const real = realpathSync(absolute);
    if (!installed.test(`${real}/`)) return undefined;
    const status = statSync(real);
    if (status.isDirectory()) return { kind: "folder", names: namesIn(real) };
    if (!status.isFile() || status.size > largest) return undefined;
    const content = readFileSync(real);
    if (content.includes(0) || !isUtf8(content)) return undefined;
    return { kind: "text", text: content.toString("utf8") };
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function namesIn(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const names = entries.map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name)).sort();
  return names.length <= mostNames
    ? names
    : [...names.slice(0, mostNames), `… and ${names.length - mostNames} more`];
}
