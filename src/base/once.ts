/**
 * Returns a function that computes a value once for each first argument. Keeps the value as long as this argument
 * exists. Further arguments must not change the value.
 */
export function once<Key extends object, Rest extends readonly unknown[], Value>(
  compute: (key: Key, ...rest: Rest) => Value,
): (key: Key, ...rest: Rest) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key, ...rest) => {
    const found = known.get(key) ?? { value: compute(key, ...rest) };
    known.set(key, found);
    return found.value;
  };
}
