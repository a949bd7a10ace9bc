/**
 * Defines a store of files that all machines of a batch see. A machine writes each file once and completely; files
 * never change.
 */
import { randomUUID } from "node:crypto";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";

export interface ObjectStore {
  readonly name: string;
  /** A random id, which the store contains. It distinguishes the store from an unmounted folder with the same name. */
  readonly id: string;
  /** Reads a file; undefined if there is none. Throws MillwrightError("disk") if the store cannot be used. */
  get(path: string): Promise<Buffer | undefined>;
  /** Writes a new file. If the file exists, keeps it and returns false. Throws like `get`. */
  putOnce(path: string, content: Uint8Array): Promise<boolean>;
}

const idPath = "store-id";
const idForm = /^[\da-f-]{36}$/;

/** Checks that the place still contains the store with this id. Throws MillwrightError("disk") otherwise. */
export async function refuseOther({ name, id, get }: ObjectStore): Promise<void> {
  if ((await get(idPath))?.toString("utf8") === id) return;
  throw new MillwrightError("disk", `${name} on this machine is not the store of the batch`, {
    hint: name.includes("://")
      ? "All machines need the same server and bucket (AWS_ENDPOINT_URL)."
      : "Mount the folder that `bench run` uses, under the same path.",
  });
}

/** Reads the store's id, and gives an id to a new store. */
export async function identify(store: Omit<ObjectStore, "id">): Promise<string> {
  if ((await store.get(idPath)) === undefined) await store.putOnce(idPath, Buffer.from(randomUUID()));
  const id = (await store.get(idPath))?.toString("utf8") ?? "";
  if (idForm.test(id)) return id;
  throw new MillwrightError("disk", `${idPath} in the store ${store.name} is damaged`, {
    hint: "Give a new folder or prefix for the store.",
  });
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
