import { linkSync, lstatSync, readdirSync, renameSync } from "node:fs";
import { join } from "node:path";

/**
 * Replaces files of `folder` with hard links to the files of `below` at the same paths. A file and its copy must have
 * equal size, time, mode and owner. If the file system refuses a link, leaves this folder's remaining files unchanged.
 */
export function linkEqualFiles(folder: string, below: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const [path, other] = [join(folder, entry.name), join(below, entry.name)];
    const status = lstatSync(other, { throwIfNoEntry: false });
    if (status === undefined) continue;
    if (entry.isDirectory() && status.isDirectory()) linkEqualFiles(path, other);
    if (!entry.isFile() || !status.isFile()) continue;
    const own = lstatSync(path);
    const isEqual = (["size", "mtimeMs", "mode", "uid", "gid"] as const).every(
      (name) => own[name] === status[name],
    );
    if (!isEqual) continue;
    try {
      linkSync(other, `${path}.millwright-link`);
    } catch {
      return; // another file system
    }
    renameSync(`${path}.millwright-link`, path);
  }
}
