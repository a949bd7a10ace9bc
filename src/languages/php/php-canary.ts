import { posix } from "node:path";
import { capitalised } from "../canary-file.ts";
import type { PlaceCanary } from "../contract.ts";

/**
 * Names a new class and its file next to an existing test. Keeps the test's suffix, so that PHPUnit finds both by the
 * same search.
 */
export function classBeside(target: string, word: string): { readonly name: string; readonly path: string } {
  const suffix = /(Test|_test|test)?\.php$/.exec(posix.basename(target))?.[1] ?? "";
  const name = `${capitalised(word)}${suffix}`;
  return { name, path: posix.join(posix.dirname(target), `${name}.php`) };
}

export const phpunitCanary: PlaceCanary = async ({ beside, words }) => {
  if (!beside.target.endsWith(".php")) return undefined;
  const { name, path } = classBeside(beside.target, words.file);
  const test = (word: string, expected: number): string =>
    `    public function test${word}(): void\n    {\n        self::assertSame(${expected}, count([1, 1]));\n    }\n`;
  const key = { package: beside.package, target: path };
  return {
    file: {
      path,
      content: `<?php\n\nfinal class ${name} extends \\PHPUnit\\Framework\\TestCase\n{\n${test(words.fails, 3)}\n${test(words.passes, 2)}}\n`,
    },
    fails: { ...key, name: `${name}::test${words.fails}` },
    passes: { ...key, name: `${name}::test${words.passes}` },
  };
};
