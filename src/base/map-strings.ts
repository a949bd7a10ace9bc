type Change = (text: string) => string;

/**
 * Applies `change` to every string in JSON data, keys included. Keeps the structure. `other`: returns the change that
 * replaces `change` below a key; undefined to keep it.
 */
export function mapStrings<T>(data: T, change: Change, other?: (key: string) => Change | undefined): T {
  return mapped(data, change, other) as T;
}

function mapped(value: unknown, change: Change, other?: (key: string) => Change | undefined): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change, other));
  if (value === null || typeof value !== "object") return value;
  const entries = Object.entries(value).map(([key, item]) => [
    change(key),
    mapped(item, other?.(key) ?? change, other),
  ]);
  return Object.fromEntries(entries);
}
