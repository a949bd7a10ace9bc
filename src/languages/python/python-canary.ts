import { capitalised, nameBeside } from "../canary-file.ts";
import type { CanaryRequest, PlaceCanary } from "../contract.ts";

/** A canary for pytest: functions of a module, with the name prefix of neighbouring tests. */
export const pytestCanary: PlaceCanary = async ({ beside, words }) => {
  if (!beside.target.endsWith(".py")) return undefined;
  const prefix = /^(?:test_?|[a-z]+_)/.exec(beside.name.split("::").at(-1) ?? "")?.[0] ?? "test_";
  const [fails, passes] = [`${prefix}${words.fails}`, `${prefix}${words.passes}`];
  const content = `def ${fails}():
    total = sum([1, 1])
    assert total == 3


def ${passes}():
    total = sum([1, 1])
    assert total == 2
`;
  return place({ beside, words }, content, fails, passes);
};

/** A canary for unittest: methods of a class, because `unittest` supports no other tests. */
export const unittestCanary: PlaceCanary = async ({ beside, words }) => {
  if (!beside.target.endsWith(".py")) return undefined;
  const name = `Test${capitalised(words.file)}`;
  const content = `import unittest


class ${name}(unittest.TestCase):
    def test_${words.fails}(self):
        self.assertEqual(sum([1, 1]), 3)

    def test_${words.passes}(self):
        self.assertEqual(sum([1, 1]), 2)
`;
  return place({ beside, words }, content, `${name}.test_${words.fails}`, `${name}.test_${words.passes}`);
};

function place(
  { beside, words }: Pick<CanaryRequest, "beside" | "words">,
  content: string,
  fails: string,
  passes: string,
) {
  const path = nameBeside(beside.target, words.file);
  const key = { package: beside.package, target: path };
  return { file: { path, content }, fails: { ...key, name: fails }, passes: { ...key, name: passes } };
}
