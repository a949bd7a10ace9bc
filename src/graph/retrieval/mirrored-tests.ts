/**
 * Finds test files that mirror a source's path: `lib/http.js` and `test/unit/http.js`, `src/x/y.py` and
 * `tests/x/test_y.py`. Compares only the paths.
 */

/** Names of folders for any code or tests, which give no evidence about a file's subject. */
const plainFolders = new Set(
  "src lib app main java kotlin scala packages test tests testing spec specs __tests__ unit integration e2e".split(
    " ",
  ),
);
/** Common file names, which say nothing without their folder. */
const plainStems = new Set("index main mod lib init utils util helpers types constants common".split(" "));

/**
 * Returns the similarity of a test's path to a source's path: 1 plus the number of equal folders above the files,
 * without plain ones such as `src`. Returns 0 if the file names differ in more than a test's mark such as `test_`. Also
 * returns 0 if only a frequent name such as `utils` is equal, and the source has a folder that is not plain.
 */
export function mirrorScore(source: string, test: string): number {
  const [from, to] = [split(source), split(test)];
  if (from.stem === "" || from.stem !== to.stem) return 0;
  let shared = 0;
  while (shared < from.folders.length && shared < to.folders.length) {
    if (from.folders.at(-1 - shared) !== to.folders.at(-1 - shared)) break;
    shared++;
  }
  if (shared === 0 && plainStems.has(from.stem) && from.folders.length > 0) return 0;
  return 1 + shared;
}

function split(path: string): { readonly stem: string; readonly folders: readonly string[] } {
  const parts = path.split("/");
  const name = (parts.pop() ?? "").replace(/^__(\w+)__\./, "$1.");
  const whole = name.replace(/\.[^.]+$/, "");
  const stem = whole
    .replace(/[._-](?:test|tests|spec|specs|unit)$/i, "")
    .replace(/^(?:test|spec)[._-]/i, "")
    .replace(/(?<=[a-z0-9])(?:Tests?|Spec|IT|TestCase)$/, "")
    .toLowerCase()
    .replaceAll(/[_-]/g, "");
  return { stem, folders: parts.filter((part) => !plainFolders.has(part)) };
}
