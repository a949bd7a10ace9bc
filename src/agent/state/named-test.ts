/**
 * True if `name` refers to the test with this id, as the whole id or as its last parts. The bare name also refers to a
 * test with parameters, such as `test_pays[0-1]`. Pure.
 */
export function isNamedBy(id: string, name: string): boolean {
  const without = id.endsWith("]") ? id.replace(/\[.*\]$/s, "") : id;
  return isEnd(id, name) || isEnd(without, name);
}

function isEnd(id: string, name: string): boolean {
  return id === name || (name.length > 2 && id.endsWith(name) && /[^\w]$/.test(id.slice(0, -name.length)));
}
