/** Names partial scores (`measures`) in words. */

const words: Readonly<Record<string, string>> = {
  hiddenTests: "hidden tests that pass",
  targetCoverage: "lines of the target that the tests execute",
  newCodeCoverage: "new lines that the tests execute",
  mutantsNoticed: "mutants that the tests kill",
  patchCoverage: "lines of the fix that the tests execute",
  coverageDelta: "lines of the fix that more tests execute",
};

/** Names a score in words, with its name in documents: `hidden tests that pass (hiddenTests)`. */
export function describeMeasure(name: string): string {
  return words[name] === undefined ? name : `${words[name]} (${name})`;
}
