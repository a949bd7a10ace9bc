/**
 * Whether a test that somebody names is the one with this id: said whole, or by the last parts of it; of one with parameters
 * (`test_pays[0-1]`) the name alone says all of them. Pure.
 */
export function isNamedBy(id: string, name: string): boolean {
  const without = id.endsWith("]") ? id.replace(/\[.*\]$/s, "") : id;
  return isEnd(id, name) || isEnd(without, name);
}

function isEnd(id: string, name: string): boolean {
  return id === name || (name.length > 2 && id.endsWith(name) && /[^\w]$/.test(id.slice(0, -name.length)));
}
