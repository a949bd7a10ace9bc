/** Interns names as small integers, numbered in order of first appearance. */

export interface Names {
  /** The number of the name at these bytes; `hash` is their FNV-1a hash. */
  intern(bytes: Uint8Array, start: number, end: number, hash: number): number;
  /** Interns a keyword or a queried word. */
  add(text: string): number;
  textOf(id: number): string;
  readonly count: number;
  /** All names concatenated, and the offset at which each begins; the last offset is the end. */
  packed(): { readonly bytes: Uint8Array; readonly starts: Uint32Array };
}

export const hashSeed = 0x811c9dc5;
/** The FNV-1a prime; the scanner's loops compute the hash inline. */
export const prime = 0x01000193;

/** The hash step that the scanner's loops inline for each byte. */
function nextHash(hash: number, byte: number): number {
  return Math.imul(hash ^ byte, prime);
}

interface Table {
  slots: Int32Array;
  hashes: Int32Array;
  starts: Uint32Array;
  bytes: Buffer;
  count: number;
}

const firstSlots = 1 << 16;
const encoder = new TextEncoder();

export function createNames(): Names {
  const table: Table = {
    slots: new Int32Array(firstSlots),
    hashes: new Int32Array(firstSlots / 2),
    starts: new Uint32Array(firstSlots / 2 + 1),
    bytes: Buffer.alloc(firstSlots * 8),
    count: 0,
  };
  const intern = (bytes: Uint8Array, start: number, end: number, hash: number): number =>
    findOrAdd(table, bytes, start, end, hash);
  return {
    intern,
    add(text) {
      const bytes = encoder.encode(text);
      return intern(bytes, 0, bytes.length, bytes.reduce(nextHash, hashSeed));
    },
    textOf: (id) => table.bytes.toString("utf8", table.starts[id], table.starts[id + 1]),
    get count() {
      return table.count;
    },
    packed: () => ({
      bytes: new Uint8Array(table.bytes.subarray(0, table.starts[table.count])),
      starts: table.starts.slice(0, table.count + 1),
    }),
  };
}

function findOrAdd(table: Table, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const { slots, hashes } = table;
  const mask = slots.length - 1;
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (;;) {
    const id = (slots[slot] ?? 0) - 1;
    if (id < 0) break;
    if (hashes[id] === hash && isSame(table, id, bytes, start, end)) return id;
    slot = (slot + 1) & mask;
  }
  slots[slot] = table.count + 1;
  return append(table, bytes, start, end, hash);
}

function isSame(
  { starts, bytes }: Table,
  id: number,
  other: Uint8Array,
  start: number,
  end: number,
): boolean {
  const own = starts[id] ?? 0;
  const length = end - start;
  if ((starts[id + 1] ?? 0) - own !== length) return false;
  for (let at = 0; at < length; at++) if (bytes[own + at] !== other[start + at]) return false;
  return true;
}

function append(table: Table, bytes: Uint8Array, start: number, end: number, hash: number): number {
  const id = table.count++;
  const at = table.starts[id] ?? 0;
  const length = end - start;
  if (at + length > table.bytes.length) {
    const larger = Buffer.alloc(2 * (at + length));
    larger.set(table.bytes);
    table.bytes = larger;
  }
  for (let index = 0; index < length; index++) table.bytes[at + index] = bytes[start + index] ?? 0;
  table.hashes[id] = hash;
  table.starts[id + 1] = at + length;
  if (table.count * 2 >= table.slots.length) grow(table);
  return id;
}

function grow(table: Table): void {
  const size = table.slots.length * 2;
  const slots = new Int32Array(size);
  const hashes = new Int32Array(size / 2);
  const starts = new Uint32Array(size / 2 + 1);
  hashes.set(table.hashes);
  starts.set(table.starts);
  for (let id = 0; id < table.count; id++) {
    const hash = hashes[id] ?? 0;
    let slot = (hash ^ (hash >>> 15)) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = id + 1;
  }
  Object.assign(table, { slots, hashes, starts });
}
