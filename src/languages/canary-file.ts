/** Names a new test file that tools find like a given file: in the same folder, with the same markers and extension. */
import { posix } from "node:path";

const marks =
  /^(test[-_]|tests[-_]|spec[-_]|test)?(.*?)([._-](?:test|tests|spec|specs|it|e2e|unit))?(\.[\w.]+)?$/i;

/** Capitalises `word` to `Word`, for the names of classes and functions. */
export function capitalised(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`;
}

/**
 * Names a new file that tools find by the same rules as `path`. For `test/row.test.js` and `word`, returns
 * `test/word.test.js`; for `tests/test_row.py`, returns `tests/test_word.py`.
 */
export function nameBeside(path: string, word: string): string {
  const name = posix.basename(path);
  const ending = posix.extname(name);
  const stem = name.slice(0, name.length - ending.length);
  const [, before = "", , after = ""] = marks.exec(stem) ?? [];
  // `test.js` and `tests.py` have no stem to replace; most tools that find them also find `test_word`.
  const mark = before === "" || /[-_]$/.test(before) ? before : `${before}${ending === ".py" ? "_" : "-"}`;
  return posix.join(posix.dirname(path), `${mark}${word}${after}${ending}`);
}
