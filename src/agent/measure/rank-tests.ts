/** Ranks test files by the words that their names and texts share with a statement and its places. Pure. */
import { literally } from "../../base/literal-pattern.ts";
import { withoutOutputs } from "../../graph/retrieval/statement-parts.ts";
import { namesIn } from "../../tools/tests-of-places.ts";
import { findRareNames } from "../code/rare-names.ts";
import { isBesideTests } from "../code/tests-by-words.ts";

/** Words that may occur in the name of any test. */
const common = new Set(
  "test tests testing unit spec specs src lib it main java the and for from with".split(" "),
);

export function wordsOf(text: string): string[] {
  const words = text
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z][a-z0-9]{2,}/g);
  return [...new Set(words ?? [])].filter((word) => !common.has(word));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/, "");
}

/** Damping constant: differences among the first ranks count more than among later ranks. */
const rankOffset = 5;

/**
 * Ranks test files by their names and their texts together. The words of a program's output, such as a stack trace,
 * count less than the statement's other words. Examples, benchmarks and test data come last.
 */
export function rankByTexts(
  texts: ReadonlyMap<string, string>,
  { statement, places }: { readonly statement: string; readonly places: readonly string[] },
): string[] {
  const said = withoutOutputs(statement);
  const rank = (own: ReadonlyMap<string, string>): string[] => {
    const files = [...own.keys()];
    const scores = new Map<string, number>();
    for (const ranking of [
      rankTests(files, { statement: said, places }),
      rankByWords(statement, own),
      rankByWords(said, own),
    ])
      for (const [at, file] of ranking.entries())
        scores.set(file, (scores.get(file) ?? 0) + 1 / (rankOffset + at));
    return files.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
  };
  const [tests, others] = [false, true].map((isLast) =>
    rank(new Map([...texts].filter(([file]) => isBesideTests(file) === isLast))),
  );
  return [...(tests ?? []), ...(others ?? [])];
}

/**
 * Ranks test files, the nearest to the `places` first. Only the first three places count, the earlier ones more. Words
 * in the name of a place weigh most. The words of its path, its folder and the statement weigh less. Files with equal
 * scores keep their order.
 */
export function rankTests(
  files: readonly string[],
  { statement, places }: { readonly statement: string; readonly places: readonly string[] },
): string[] {
  const said = new Set(wordsOf(statement));
  const near = [...new Set(places)].slice(0, 3);
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf("/") + 1);
  const scoreOf = (file: string): number => {
    const words = wordsOf(file);
    const own = new Set(wordsOf(nameOf(file)));
    const byPlace = near.map((place, at) => {
      const named = wordsOf(nameOf(place)).filter((word) => own.has(word)).length;
      const beside = wordsOf(place).filter((word) => words.includes(word)).length;
      const isBeside = folderOf(place) === folderOf(file);
      return (3 * named + beside + (isBeside ? 1 : 0)) / (at + 1);
    });
    return Math.max(0, ...byPlace) + words.filter((word) => said.has(word)).length;
  };
  const scores = new Map(files.map((file) => [file, scoreOf(file)]));
  return files.toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0));
}

/** The maximum share of the files that contain a word. More frequent words do not distinguish files. */
const mostShare = 0.3;
/** The weight of a statement's word in a file's name, relative to one in its text. */
const ofName = 3;

/** Rates each file by the rare names of the statement: the sum of its shares of their occurrences. */
function rateByNames(statement: string, texts: ReadonlyMap<string, string>): ReadonlyMap<string, number> {
  const rates = new Map<string, number>();
  for (const { counts } of findRareNames(statement, texts)) {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    for (const [path, count] of counts) rates.set(path, (rates.get(path) ?? 0) + count / all);
  }
  return rates;
}

/**
 * Ranks files by the statement's words in their text or name. Omits files with none of the words. Files with rare names
 * of the statement come first (`rateByNames`). Then rare words weigh more, and words of many files do not count. Pure.
 */
export function rankByWords(statement: string, texts: ReadonlyMap<string, string>): string[] {
  const terms = [...new Set([...namesIn(statement), ...wordsOf(statement)])];
  const scores = new Map<string, number>();
  for (const term of terms) {
    const asWord = new RegExp(`(?<![A-Za-z0-9])${literally(term)}(?![A-Za-z0-9])`, "i");
    const inText = [...texts].filter(([, text]) => text.includes(term) && asWord.test(text));
    const inName = [...texts.keys()].filter((path) => asWord.test(path.slice(path.lastIndexOf("/") + 1)));
    const found: readonly (readonly [number, readonly string[]])[] = [
      [1, inText.map(([path]) => path)],
      [ofName, inName],
    ];
    for (const [weight, paths] of found) {
      if (paths.length > mostShare * texts.size) continue;
      for (const path of paths) scores.set(path, (scores.get(path) ?? 0) + weight / paths.length);
    }
  }
  const rates = rateByNames(statement, texts);
  for (const path of rates.keys()) scores.set(path, scores.get(path) ?? 0);
  const rateOf = (path: string): number => rates.get(path) ?? 0;
  return [...scores]
    .sort(([a, one], [b, other]) => rateOf(b) - rateOf(a) || other - one || (a < b ? -1 : 1))
    .map(([path]) => path);
}
