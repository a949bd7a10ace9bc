/** Records by their keys: what the compiler says of `Object.keys` and `Object.fromEntries`, it says of records that may have more. */

/** Of a record of ours that has no more keys than its type names. */
export function keysOf<T extends object>(record: T): readonly (keyof T & string)[] {
  return Object.keys(record) as (keyof T & string)[];
}

/** A value for each key. */
export function recordOf<K extends string, V>(keys: readonly K[], of: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, of(key)])) as Record<K, V>;
}
