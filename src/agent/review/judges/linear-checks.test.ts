import { expect, test } from "vitest";
import { addedLines, compareTexts } from "../../code/change.ts";
import { judgeCarelessForms } from "../careless/careless-code.ts";
import { judgeKeptResults } from "../careless/kept-results.ts";
import { judgeLeftCallers } from "../careless/left-callers.ts";
import { type ChangedCode, type FileCode, type FunctionCode, readCode } from "../texts/code-lines.ts";

/** How often the checks read something of a function, if a patch changes one line of a file with `count` functions. */
async function countReads(path: string, count: number, write: (index: number) => string): Promise<number> {
  let reads = 0;
  const read = async (text: string): Promise<FileCode> => {
    const code = await readCode(path, text);
    if (code === undefined) throw new Error(path);
    const handler: ProxyHandler<FunctionCode> = {
      get(target, property) {
        reads += 1;
        return Reflect.get(target, property);
      },
    };
    return { ...code, functions: code.functions.map((each) => new Proxy(each, handler)) };
  };
  const before = Array.from({ length: count }, (_, index) => write(index)).join("");
  const after = before.replace("a + b", "a - b");
  const file = compareTexts(path, before, after);
  const [code, old] = [await read(after), await read(before)];
  const change: ChangedCode = { file, code, before: old, added: new Set(addedLines(file)) };
  const base = { list: async () => [path], read: async () => before };
  expect(judgeCarelessForms([change], "")).toEqual([]);
  expect(await judgeKeptResults([change], [file], base, "")).toEqual([]);
  expect(await judgeLeftCallers([change], [file], base)).toEqual([]);
  return reads;
}

test.each([
  ["sums.py", (index: number) => `def sum${index}(a, b):\n    return a + b * ${index}\n`],
  ["sums.js", (index: number) => `function sum${index}(a, b) {\n  return a + b * ${index};\n}\n`],
  ["sums.go", (index: number) => `func Sum${index}(a, b int) int {\n\treturn a + b*${index}\n}\n`],
])("the checks of %s need no more time for each function of a larger file", async (path, write) => {
  const [small, large] = [await countReads(path, 50, write), await countReads(path, 200, write)];
  expect(large).toBeLessThan(small * 4.5);
});
