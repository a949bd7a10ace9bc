import { posix } from "node:path";
import type { ExamplesRequest, PlaceExamples } from "../contract.ts";
import { classBeside } from "./php-canary.ts";

export const phpunitExamples: PlaceExamples = async (request) => {
  const { beside, words, calls } = request;
  if (!beside.target.endsWith(".php")) return undefined;
  const { name, path } = classBeside(beside.target, words.file);
  const tests = await Promise.all(calls.map((_, at) => makeTest(request, path, at)));
  const content = `<?php

final class ${name} extends \\PHPUnit\\Framework\\TestCase
{
${tests.join("\n")}
    private static function plain(mixed $value): mixed
    {
        if (is_array($value)) {
            return array_map([self::class, 'plain'], $value);
        }
        if ($value === null || is_scalar($value)) {
            return $value;
        }
        throw new \\LogicException('the value is not plain data');
    }
}
`;
  const key = { package: beside.package, target: path };
  return {
    files: [{ path, content }],
    tests: calls.map((_, at) => ({ ...key, name: `${name}::test${words.file}${at}` })),
  };
};

/** The call runs in the namespace of the file that defines the function. */
async function makeTest({ words, calls, read }: ExamplesRequest, path: string, at: number): Promise<string> {
  const { file = "", text = "" } = calls[at] ?? {};
  const [, space] = /^[ \t]*namespace\s+([\w\\]+)\s*[;{]/m.exec((await read(file)) ?? "") ?? [];
  const code = `${space === undefined ? "" : `namespace ${space}; `}return ${text};`;
  const from = posix.relative(posix.dirname(path), file);
  return `    public function test${words.file}${at}(): void
    {
        require_once __DIR__ . ${quote(`/${from}`)};
        $value = eval(${quote(code)});
        throw new \\RuntimeException('${words.mark}:' . bin2hex(json_encode(self::plain($value))) . ':');
    }
`;
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
