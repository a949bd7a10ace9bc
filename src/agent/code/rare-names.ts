/**
 * Finds the names that a statement writes in the form of code, and that few files contain: they identify the tests of
 * its subject better than words do. Pure.
 */
import { literally } from "../../base/literal-pattern.ts";
import { codeNamesIn } from "../../tools/tests-of-places.ts";

export interface RareName {
  readonly name: string;
  /** Matches the name, also as a part of a name in snake case: `test_testpaths_ini`. */
  readonly pattern: RegExp;
  /** The number of occurrences in each file that contains the name. */
  readonly counts: ReadonlyMap<string, number>;
}

/** A name is rare if at most this share of the files contains it; two files are always few. */
const rare = { share: 0.1, files: 2 };

/** `texts`: the files' texts by path. */
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
