/** Ranks test files by the words that their names share with a statement and its places. Pure. */

/** Words in names of any tests. */
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

/**
 * Ranks test files, the nearest to the `places` first. Words in the name of a place weigh most, and earlier places
 * weigh more. The words of its path, its folder and the statement weigh less. Files with equal scores keep their order.
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
