import { nameBeside } from "../canary-file.ts";
import type { PlaceCanary } from "../contract.ts";

export const bustedCanary: PlaceCanary = async ({ beside, words }) => {
  if (!beside.target.endsWith(".lua")) return undefined;
  const test = (name: string, expected: number): string =>
    `it("${name}", function()\n  assert.are.equal(${expected}, #{ 1, 1 })\nend)\n`;
  // The mark of specs is in the default pattern, whatever comes before it.
  const path = nameBeside(beside.target, words.file);
  const key = { package: beside.package, target: path };
  return {
    file: { path, content: `${test(words.fails, 3)}\n${test(words.passes, 2)}` },
    fails: { ...key, name: words.fails },
    passes: { ...key, name: words.passes },
  };
};
