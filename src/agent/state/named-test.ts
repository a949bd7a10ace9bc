/** Whether a test that somebody names is the one with this id: said whole, or by the last parts of it. Pure. */
export function isNamedBy(id: string, name: string): boolean {
  return id === name || (name.length > 2 && id.endsWith(name) && /[^\w]$/.test(id.slice(0, -name.length)));
}
