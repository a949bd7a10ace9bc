import { expect, test } from "vitest";
import { addedLines, compareTexts } from "../../code/change.ts";
import { judgeCarelessForms } from "../careless/careless-code.ts";
import { judgeKeptResults } from "../careless/kept-results.ts";
import { judgeLeftCallers } from "../careless/left-callers.ts";
import { judgeLostProtections } from "../careless/lost-protections.ts";
import { type ChangedCode, type FileCode, type FunctionCode, readCode } from "../texts/code-lines.ts";

/** Returns a reader of code, and how often something of its functions was read. */
function countingReader(path: string): { read: (text: string) => Promise<FileCode>; reads: () => number } {
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
  return { read, reads: () => reads };
}

/** How often the checks read something of a function, if a patch changes one line of a file with `count` functions. */
async function countReads(path: string, count: number, write: (index: number) => string): Promise<number> {
  const { read, reads } = countingReader(path);
  const before = Array.from({ length: count }, (_, index) => write(index)).join("");
  const after = before.replace("a + b", "a - b");
  const file = compareTexts(path, before, after);
  const [code, old] = [await read(after), await read(before)];
  const change: ChangedCode = { file, code, before: old, added: new Set(addedLines(file)) };
  const base = { list: async () => [path], read: async () => before };
  expect(judgeCarelessForms([change], "")).toEqual([]);
  expect(await judgeKeptResults([change], [file], base, "")).toEqual([]);
  expect(await judgeLeftCallers([change], [file], base)).toEqual([]);
  return reads();
}

test.each([
  ["sums.py", (index: number) => `def sum${index}(a, b):\n    return a + b * ${index}\n`],
  ["sums.js", (index: number) => `function sum${index}(a, b) {\n  return a + b * ${index};\n}\n`],
  ["sums.go", (index: number) => `func Sum${index}(a, b int) int {\n\treturn a + b*${index}\n}\n`],
])("the checks of %s need no more time for each function of a larger file", async (path, write) => {
  const [small, large] = [await countReads(path, 50, write), await countReads(path, 200, write)];
  expect(large).toBeLessThan(small * 4.5);
});

/** How often the check for lost calls reads something of a function, if each of `count` functions loses one. */
async function countLostCalls(count: number): Promise<number> {
  const { read, reads } = countingReader("tags.py");
  const write = (value: string): string =>
    Array.from(
      { length: count },
      (_, index) =>
        `def tag${index}(a):\n    return "<b>" + ${value}\n\n\ndef show${index}(a):\n    return tag${index}(escape(a))\n`,
    ).join("");
  const [before, after] = [write("escape(a)"), write("a")];
  const file = compareTexts("tags.py", before, after);
  const [code, old] = [await read(after), await read(before)];
  const change: ChangedCode = { file, code, before: old, added: new Set(addedLines(file)) };
  const base = { list: async () => [], read: async () => undefined };
  expect(await judgeLostProtections([change], base, "")).toEqual([]);
  return reads();
}

test("the check for lost calls needs no more time for each function of a larger file", async () => {
  expect(await countLostCalls(160)).toBeLessThan((await countLostCalls(40)) * 4.5);
});
