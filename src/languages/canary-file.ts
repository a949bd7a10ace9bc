/** Names a new file of tests so that whatever finds a given one finds it too: in its folder, with its marks and its ending. */
import { posix } from "node:path";

const marks =
  /^(test[-_]|tests[-_]|spec[-_]|test)?(.*?)([._-](?:test|tests|spec|specs|it|e2e|unit))?(\.[\w.]+)?$/i;

/** `test/row.test.js` and `word` make `test/word.test.js`; `tests/test_row.py` makes `tests/test_word.py`. */
export function nameBeside(path: string, word: string): string {
  const name = posix.basename(path);
  const ending = posix.extname(name);
  const stem = name.slice(0, name.length - ending.length);
  const [, before = "", , after = ""] = marks.exec(stem) ?? [];
  // `test.js`, `tests.py` are names of their own: what finds them finds `test_word` more often than not.
  const mark = before === "" || /[-_]$/.test(before) ? before : `${before}${ending === ".py" ? "_" : "-"}`;
  return posix.join(posix.dirname(path), `${mark}${word}${after}${ending}`);
}
