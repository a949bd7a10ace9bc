import { createHash } from "node:crypto";

/** Computes the SHA-256 hash of a text or of bytes, in hexadecimal. */
export function hashText(text: string | Uint8Array): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Computes a hash of JSON data. It does not depend on the order of keys. */
export function hashData(data: unknown): string {
  return hashText(JSON.stringify(sortKeys(data)) ?? "undefined");
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item)]));
}
