/**
 * Finds names that a statement writes as code and that few files contain. They identify related tests better than words
 * do. Pure.
 */
import { literally } from "../../base/literal-pattern.ts";
import { codeNamesIn } from "../../tools/tests-of-places.ts";

export interface RareName {
  readonly name: string;
  /** Matches the name, also inside a snake-case name: `testpaths` in `test_testpaths_ini`. */
  readonly pattern: RegExp;
  /** The number of occurrences in each file that contains the name. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A name is rare if at most the share `share` of the files contains it, or at most `files` files. */
const rare = { share: 0.1, files: 2 };

/** Finds the statement's rare names. `texts`: the files' texts by path. */
export function findRareNames(statement: string, texts: ReadonlyMap<string, string>): RareName[] {
  return codeNamesIn(statement).flatMap((name) => {
    const pattern = new RegExp(`(?<![A-Za-z0-9])${literally(name)}(?![A-Za-z0-9])`);
    const all = new RegExp(pattern, "g");
    const found = [...texts].flatMap(([path, text]): [string, number][] => {
      const count = text.includes(name) ? [...text.matchAll(all)].length : 0;
      return count === 0 ? [] : [[path, count]];
    });
    const isRare = found.length > 0 && found.length <= Math.max(rare.files, rare.share * texts.size);
    return isRare ? [{ name, pattern, counts: new Map(found) }] : [];
  });
}
