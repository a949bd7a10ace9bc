/** Gives a repository packages of our own development dependencies, or of a folder that is named, where it cannot see our folder. */
import { cpSync, existsSync, linkSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** `node_modules`, ours first. */
const folders = [join(import.meta.dirname, "../../node_modules")];

/** Packages that are installed below this folder may be given too. */
export function alsoFrom(folder: string): void {
  folders.push(join(folder, "node_modules"));
}

export function isInstalled(name: string): boolean {
  return folderOf(name) !== undefined;
}

function folderOf(name: string): string | undefined {
  return folders.find((folder) => existsSync(join(folder, name, "package.json")));
}

/** The package with all that it needs, as hard links where the disk allows it. */
export function installPackage(root: string, name: string): void {
  const own = folderOf(name);
  if (own === undefined) throw new Error(`${name} is not installed`);
  const target = join(root, "node_modules");
  const waiting = [name];
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next) || !existsSync(join(own, next, "package.json"))) continue;
    seen.add(next);
    linkFolder(join(own, next), join(target, next));
    waiting.push(...needsOf(join(own, next)));
  }
  const programs = join(target, ".bin");
  mkdirSync(programs, { recursive: true });
  cpSync(join(own, ".bin", name), join(programs, name), { verbatimSymlinks: true });
}

/** Of a package and those that are nested in it. */
function needsOf(folder: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Record<string, Record<string, string> | undefined>;
  const named = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const nested = join(folder, "node_modules");
  const inside = existsSync(nested) ? readdirSync(nested).filter((name) => !name.startsWith(".")) : [];
  const packages = inside.flatMap((name) =>
    name.startsWith("@") ? readdirSync(join(nested, name)).map((one) => `${name}/${one}`) : name,
  );
  return [...named, ...packages.flatMap((name) => needsOf(join(nested, name)))];
}

function linkFolder(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkFolder(source, target);
    else linkFile(source, target);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch {
    cpSync(source, target, { verbatimSymlinks: true }); // another disk
  }
}
