import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";

/** Writes a file so that a reader, or a crash, sees the old content or the new, never a part of it. */
export async function writeFileAtomically(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString("hex")}.part`;
  try {
    const file = await open(temporary, "w");
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
