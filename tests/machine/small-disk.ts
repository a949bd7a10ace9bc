/** Small file systems of the tests' own, which they may fill. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isSystemError } from "../../src/base/errors.ts";

export async function mountSmallDisk(options: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "millwright-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder]);
  if (mounted.status !== 0) throw new Error(`mount: ${mounted.stderr.toString()}`);
  return folder;
}

export async function removeDisk(folder: string): Promise<void> {
  spawnSync("umount", ["-l", folder]);
  await rm(folder, { recursive: true, force: true });
}

/** Writes until there is no space. */
export async function fill(folder: string): Promise<void> {
  for (const [index, size] of [2 ** 20, 2 ** 16, 2 ** 12].entries()) {
    for (let count = 0; count < 10_000; count++) {
      const written = await writeFile(join(folder, `fill-${index}-${count}`), Buffer.alloc(size)).then(
        () => true,
        (error: unknown) => {
          if (isSystemError(error, "ENOSPC")) return false;
          throw error;
        },
      );
      if (!written) break;
    }
  }
}
