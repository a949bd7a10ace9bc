/**
 * Defines a store of files that all machines of a batch see. A machine writes each file once and completely; files
 * never change.
 */
import { hashText } from "../base/hash.ts";

export interface ObjectStore {
  readonly name: string;
  /** Undefined if there is none. Throws MillwrightError("disk"). */
  get(path: string): Promise<Buffer | undefined>;
  /** False if one exists already; it stays. Throws MillwrightError("disk"). */
  putOnce(path: string, content: Uint8Array): Promise<boolean>;
}

/** Stores the content by its hash, and returns the hash. */
export async function putContent(store: ObjectStore, content: Uint8Array): Promise<string> {
  const hash = hashText(content);
  await store.putOnce(`objects/${hash}`, content);
  return hash;
}

/** Reads a stored content by its hash; undefined if the content is missing or damaged. */
export async function getContent(store: ObjectStore, hash: string): Promise<Buffer | undefined> {
  const content = await store.get(`objects/${hash}`);
  return content !== undefined && hashText(content) === hash ? content : undefined;
}
