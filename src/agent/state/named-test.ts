/**
 * Finds the tests that people and models name. Names come from many test runners, so several forms refer to one test.
 * Pure.
 */

/**
 * True if `name` refers to the test with this id, as the whole id or as its last parts. The other forms are
 * `FILE::NAME`, `NAME (FILE)` and `NAME (CLASS)`. The bare name also refers to a test with parameters, such as
 * `test_pays[0-1]`.
 */
export function isNamedBy(id: string, name: string): boolean {
  const wanted = name.trim();
  return [id, withoutParameters(id)]
    .flatMap((each) => [each, asModule(each)])
    .some((each) => isReferred(each, wanted));
}

/**
 * Returns the ids to which the name refers: the equal id, or the only test with this name, with all its parameters.
 * Returns none if the name refers to several tests.
 */
export function findNamed(ids: readonly string[], name: string): readonly string[] {
  if (ids.includes(name.trim())) return [name.trim()];
  const found = ids.filter((id) => isNamedBy(id, name));
  return new Set(found.map(withoutParameters)).size > 1 ? [] : found;
}

function isReferred(id: string, name: string): boolean {
  if (id === name || endsWithParts(id, name)) return true;
  const [, file = "", own = ""] = /^(.+?)::(.+)$/s.exec(id) ?? [];
  const [, named = "", rest = ""] = /^(.+?)::(.+)$/s.exec(name) ?? [];
  if (isPathOf(file, named) && endsWithParts(`::${own}`, rest)) return true;
  const [, bare = "", where = ""] = /^(.*\S)\s*\(([^()]+)\)$/s.exec(name) ?? [];
  if (!endsWithParts(id, bare)) return false;
  const isWhole = endsWithParts(where, bare) && endsWithParts(id, where);
  return isPathOf(file, where) || isWhole || endsWithParts(id, `${where}.${bare.replace(/^#/, "")}`);
}

/** Spells the file as Python's unittest does: `tests.test_a::ATest.test_b` for `tests/test_a.py::ATest.test_b`. */
function asModule(id: string): string {
  return id.replace(/^(.+?)\.py::/s, (_, path: string) => `${path.replaceAll("/", ".")}::`);
}

/** True if the id ends with the name's parts, in any spelling of the separators. */
function endsWithParts(id: string, name: string): boolean {
  const [whole, end] = [withDots(id), withDots(name).replace(/^\./, "")];
  if (end.length <= 2 || !whole.endsWith(end)) return false;
  return whole === end || /[./]$/.test(whole.slice(0, -end.length));
}

/** Spells the separators of files, classes and groups alike: `a.py::A#b`, `a.py::A.b`, `a.py::A > b`. */
function withDots(text: string): string {
  return text.replaceAll(/::|#|\$| > | › /g, ".");
}

function isPathOf(file: string, named: string): boolean {
  return named !== "" && (file === named || file.endsWith(`/${named}`));
}

/** Returns the id without the parameters behind its name. */
function withoutParameters(id: string): string {
  return id.replace(/^(.*?::[^[]*)\[.*\]$/s, "$1");
}
