/**
 * Finds special cases in languages without a dialect (C, C++, Lua, C#, scripts), line by line. A special case is a
 * comparison with an input of the failing tests, near a literal result of those tests. If the statement names the
 * input, it is not a special case.
 */
import { extname } from "node:path";
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import { languageOf } from "../../../languages/source-files.ts";
import { dialectOf } from "../../../syntax/dialects/index.ts";
import type { TreeStore } from "../../../workspace/contract.ts";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { scriptOf } from "../guards/find-guards.ts";
import { isNamed, readNamed } from "../statement/named-values.ts";
import { isCommonKey, spelledKeys, type ValueKey } from "../texts/value-keys.ts";
import { singledNumbers } from "./plain-conditions.ts";

export interface TestFileText {
  readonly name: string;
  readonly text: string;
}

const literal = /"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|(?<![\w.$])(-?\d+(?:\.\d+)?)(?![\w.])/;
const one = literal.source;
const compared = new RegExp(`(?:[=!]==?|-eq|\\beq\\b|\\bcase)\\s*(?:${one})`, "g");
const comparedBefore = new RegExp(`(?:${one})\\s*[=!]==?`, "g");
/** Comparisons in shell: `[ "$1" = 7 ]`, and a case `7) echo 15`. */
const ofShell = new RegExp(`\\s=\\s(?:${one})\\s*\\]|^\\s*(?:${one})\\)`, "g");
const result = new RegExp(`(?:\\breturn|\\becho|\\bprintf?|\\?|:|=>)\\s*\\(?\\s*(?:${one})`, "g");
/** Numbers, also inside strings: `"$(fee 7)"`. */
const numbers = /(?<![\w.$])(-?\d+(?:\.\d+)?)(?![\w.])/g;
/** Maximum distance from a comparison to its result, in lines. */
const below = 2;

export function judgePlainCases(
  files: readonly ChangedFile[],
  tests: readonly TestFileText[],
  statement: string,
): Finding[] {
  // In shell, `fee 7` is a call, too.
  const prose = readNamed(statement).prose.replaceAll(/`[^`\n]*\s[^`\n]*`/g, " ");
  const holder = (key: ValueKey): string | undefined =>
    tests.find(({ text }) =>
      [...listKeys(text, new RegExp(one, "g")), ...listKeys(text, numbers)].includes(key),
    )?.name;
  const tellHolder = (key: ValueKey): string =>
    `${holder(key)}, but not in the statement or the file's earlier code (a special case; if it is intended, the statement must say so).`;
  return files.flatMap((file): Finding[] => {
    if (file.isTest || file.after === undefined || hasDialect(file.path) || !isCode(file.path)) return [];
    const lines = linesOf(file.after).map(spellNumbers);
    const added = addedLines(file);
    const known = new Set(listKeys(file.before ?? "", new RegExp(one, "g")));
    const isShell = /\.(?:sh|bash|ksh|zsh|dash)$/.test(file.path);
    const doubts: Finding[] = [];
    for (const number of added) {
      const line = lines[number - 1] ?? "";
      const inputs = [
        ...listKeys(line, compared),
        ...listKeys(line, comparedBefore),
        ...(isShell ? listKeys(line, ofShell) : []),
      ];
      const near = added.filter((each) => number <= each && each <= number + below);
      const results = near.flatMap((each) => listKeys(lines[each - 1] ?? "", result));
      const isOwn = (key: ValueKey): boolean => holder(key) !== undefined && !known.has(key);
      const found = singledNumbers(line);
      const singled = found.map(({ number: value }): ValueKey => `n:${value}`);
      const [single] = singled;
      const isSpecial = (key: ValueKey): boolean => !isCommonKey(key) && isOwn(key) && !isNamed(key, prose);
      if (single !== undefined && singled.every(isSpecial)) {
        const text = `${file.path}:${number} singles out ${single.slice(2)}, which is in ${tellHolder(single)}`;
        if (found.some(({ isRange }) => !isRange)) return [{ weight: "objection", text }];
        doubts.push({ weight: "doubt", text });
      }
      const input = inputs.find(isSpecial);
      const output = results.find((key) => key !== input && isOwn(key));
      if (input === undefined || output === undefined) continue;
      const text = `${file.path}:${number} compares with ${input.slice(2)} and gives ${output.slice(2)}, which are in ${tellHolder(input)}`;
      return [{ weight: "objection", text }];
    }
    return doubts.slice(0, 1);
  });
}

/** Rewrites numbers in one spelling: `0x7`, `7u` and `'\7'` become 7. */
function spellNumbers(line: string): string {
  return line
    .replaceAll(/'\\(?:x([\da-fA-F]{1,2})|([0-7]{1,3}))'/g, (_, hex: string | undefined, octal: string) =>
      String(hex === undefined ? Number.parseInt(octal, 8) : Number.parseInt(hex, 16)),
    )
    .replaceAll(/(?<![\w.$])(0[xX][\da-fA-F]+|\d+)[uUlL]*(?![\w.])/g, (_, number: string) =>
      String(Number(number)),
    );
}

function listKeys(text: string, pattern: RegExp): ValueKey[] {
  return [...text.matchAll(pattern)].flatMap((match) => {
    const [found] = match.slice(1).filter((each) => each !== undefined && each !== "");
    return found === undefined ? [] : spelledKeys(`t:${found}`).slice(-1);
  });
}

function isCode(path: string): boolean {
  return languageOf(path) !== undefined || scriptOf(path) !== undefined || path.endsWith(".awk");
}

function hasDialect(path: string): boolean {
  const language = languageOf(path);
  return language !== undefined && dialectOf(language.name) !== undefined;
}

/**
 * Reads the files of the given tests, and other test files in shell or in a changed language, but at most `mostFiles`.
 * Omits files that the patch changes. Returns an empty list unless a changed file is in a language without a dialect.
 */
export async function readTestFiles(
  trees: Pick<TreeStore, "list" | "read">,
  within: readonly string[],
  tests: readonly TestKey[],
  files: readonly ChangedFile[],
): Promise<TestFileText[]> {
  const changed = files.filter(({ path, isTest }) => !isTest && !hasDialect(path) && isCode(path));
  if (changed.length === 0) return [];
  const endings = new Set([...changed.map(({ path }) => extname(path)), ".t", ".sh"]);
  const found: TestFileText[] = [];
  for (const tree of within)
    for (const { path } of await trees.list(tree)) {
      const key = tests.find(({ target }) => target === path);
      const isAsked = key !== undefined || (endings.has(extname(path)) && testName.test(path));
      if (!isAsked || changed.some((file) => file.path === path)) continue;
      const text = (await trees.read(tree, path))?.toString("utf8");
      if (text !== undefined) found.push({ name: key === undefined ? path : formatTestKey(key), text });
    }
  return found.slice(0, mostFiles);
}

const testName = /(?:^|\/)(?:t|tests?|specs?|checks?)(?:\/|[\w.-]*$)|[._-](?:test|check|spec)s?\.\w+$/i;
const mostFiles = 50;
