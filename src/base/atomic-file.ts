import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/**
 * Writes a file atomically: after a crash, and for concurrent readers, the file has either the old content or the new.
 * By default, only the owner may read the file. `mode` 0o666 leaves the permissions to the user's umask.
 */
export async function writeFileAtomically(
  path: string,
  content: string | Uint8Array,
  mode = 0o600,
): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    const file = await open(temporary, "w", mode);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
