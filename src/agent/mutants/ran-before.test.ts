import { expect, test } from "vitest";
import { executableUnits } from "../measure/executable-lines.ts";
import { unitsRun } from "./ran-before.ts";

/** The lines that ran if mutants of the given codes were noticed. */
async function linesRunOf(file: string, text: string, noticed: readonly string[]): Promise<number[]> {
  const spans = [{ startLine: 0, endLine: text.split("\n").length }];
  const units = (await executableUnits({ file, text, spans, pragmas: false })) ?? [];
  const places = noticed.map((code) => {
    const start = text.indexOf(code);
    return { line: text.slice(0, start).split("\n").length, start, end: start + code.length };
  });
  const run = await unitsRun({ file, text, units }, places);
  return [...new Set(run.map(({ line }) => line))].sort((a, b) => a - b);
}

const truncate = `const parse = require('./parse')
const truncate = (version, type) => {
  const parsed = parse(version)
  if (parsed === null) {
    return null
  }
  parsed.prerelease = []
  if (type === 'major') {
    parsed.minor = 0
  }
  return parsed.format()
}
module.exports = truncate
`;

test("a noticed mutant shows the statements before it and around it, not what lies inside of these", async () => {
  expect(await linesRunOf("a.js", truncate, [])).toEqual([]);
  expect(await linesRunOf("a.js", truncate, ["parsed.format()"])).toEqual([1, 2, 3, 4, 7, 8, 11, 13]);
  expect(await linesRunOf("a.js", truncate, ["return null"])).toEqual([1, 2, 3, 4, 5, 13]);
});

test("a mutant outside of functions shows that the file was loaded, and no call", async () => {
  expect(await linesRunOf("a.js", truncate, ["module.exports = truncate"])).toEqual([1, 2, 13]);
  const short = "double = lambda x: 2 * x\ndef triple(x): return 3 * x\n";
  expect(await linesRunOf("a.py", short, ["double = lambda x: 2 * x"])).toEqual([]);
  expect(await linesRunOf("a.py", short, ["3 * x"])).toEqual([2]);
});

test("a handler shows that its statement began, not that the guarded statements ran", async () => {
  const python = `def settle(account):
    count = 1
    try:
        account.pay()
        count = 2
    except ValueError:
        count = 3
    return count
`;
  expect(await linesRunOf("a.py", python, ["count = 3"])).toEqual([2, 3, 6, 7]);
  const ruby = `def settle(account)
  account.pay
  count = 2
rescue ArgumentError
  count = 3
end
`;
  expect(await linesRunOf("a.rb", ruby, ["count = 3"])).not.toContain(3);
});
