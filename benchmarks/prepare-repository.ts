import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

const root = join(import.meta.dirname, "..");

export type Prepared = { readonly repository: string; readonly remove: () => void };

/** The project's own repositories are copied, made git repositories, and get the packages that stand in our own folder. */
export function prepareRepository(repository: string): Prepared {
  if (existsSync(join(repository, ".git"))) return { repository, remove: () => {} };
  const folder = mkdtempSync(join(tmpdir(), "repair-bench-"));
  const copy = join(folder, basename(repository));
  cpSync(repository, copy, { recursive: true });
  if (existsSync(join(copy, "package.json"))) copyPackages(join(copy, "node_modules"));
  execFileSync("git", ["init", "--quiet"], { cwd: copy });
  writeFileSync(join(copy, ".git/info/exclude"), "node_modules\n");
  return { repository: copy, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** A sandbox shows no link out of the repository. Linked file by file where that can be had: a workspace never writes them. */
function copyPackages(target: string): void {
  const source = realpathSync(join(root, "node_modules"));
  if (spawnSync("cp", ["-al", source, target]).status === 0) return;
  rmSync(target, { recursive: true, force: true });
  execFileSync("cp", ["-a", source, target]);
}
