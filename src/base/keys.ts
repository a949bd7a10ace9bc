/** Typed versions of `Object.keys` and `Object.fromEntries`, for records that have exactly the keys of their type. */

/**
 * Returns the keys of a record, with the type of its keys. The record must have no keys that its type does not name.
 */
export function keysOf<T extends object>(record: T): readonly (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[];
}

/** Makes a record with the value `of(key)` for each key. */
export function recordOf<K extends string, V>(keys: readonly K[], of: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;
}
