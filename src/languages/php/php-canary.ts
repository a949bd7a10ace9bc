import { posix } from "node:path";
import type { PlaceCanary } from "../contract.ts";

/** Adds a file next to the test, with its suffix, so that the same search finds both. */
export const phpunitCanary: PlaceCanary = async ({ beside, words }) => {
  if (!beside.target.endsWith(".php")) return undefined;
  const suffix = /(Test|_test|test)?\.php$/.exec(posix.basename(beside.target))?.[1] ?? "";
  const name = `${words.file.charAt(0).toUpperCase()}${words.file.slice(1)}${suffix}`;
  const path = posix.join(posix.dirname(beside.target), `${name}.php`);
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
