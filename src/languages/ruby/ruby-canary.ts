import { capitalised, nameBeside } from "../canary-file.ts";
import type { PlaceCanary } from "../contract.ts";

/** Writes a canary as a class of tests. `base` is the library's own class, `head` loads it. */
function classCanary(head: string, base: string): PlaceCanary {
  return async ({ beside, words }) => {
    if (!beside.target.endsWith(".rb")) return undefined;
    const path = nameBeside(beside.target, words.file);
    const name = capitalised(words.file);
    const test = (word: string, expected: number): string =>
      `  def test_${word}\n    assert_equal ${expected}, [1, 1].length\n  end\n`;
    const key = { package: beside.package, target: path };
    return {
      file: {
        path,
        content: `require "${head}"\n\nclass ${name} < ${base}\n${test(words.fails, 3)}\n${test(words.passes, 2)}end\n`,
      },
      fails: { ...key, name: `${name}#test_${words.fails}` },
      passes: { ...key, name: `${name}#test_${words.passes}` },
    };
  };
}

export const minitestCanary = classCanary("minitest/autorun", "Minitest::Test");
export const testUnitCanary = classCanary("test/unit", "Test::Unit::TestCase");

export const rspecCanary: PlaceCanary = async ({ beside, words }) => {
  if (!beside.target.endsWith(".rb")) return undefined;
  const path = nameBeside(beside.target, words.file);
  // No matcher: a project chooses its own.
  const example = (word: string, expected: number): string =>
    `  it "${word}" do\n    raise "not ${expected}" unless [1, 1].length == ${expected}\n  end\n`;
  const key = { package: beside.package, target: path };
  return {
    file: {
      path,
      content: `RSpec.describe "${words.file}" do\n${example(words.fails, 3)}\n${example(words.passes, 2)}end\n`,
    },
    fails: { ...key, name: `${words.file} > ${words.fails}` },
    passes: { ...key, name: `${words.file} > ${words.passes}` },
  };
};
