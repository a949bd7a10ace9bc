/** Reads the texts of the deciding tests: those of the base, and those that the run wrote. */
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import type { TreeStore } from "../../../workspace/contract.ts";
import { bodiesOf, findTestFiles, listTestBodies, type TestFile } from "../../code/test-bodies.ts";

export interface OwnTest {
  readonly name: string;
  readonly file: string;
  /** The base has a test with this name. */
  readonly isOfBase: boolean;
  /** The test's own body. */
  readonly body: string;
  /** The parts of its file that it uses: helpers, constants, renamed imports. */
  readonly around: string;
}

type Trees = Pick<TreeStore, "list" | "read">;

/**
 * Reads the texts of tests. Omits tests whose text is not found, for example in languages without an outline. `within`:
 * trees with written tests, which are read in addition to the base.
 */
export async function readOwnTests(
  trees: Trees,
  base: string,
  within: readonly string[],
  tests: readonly TestKey[],
): Promise<OwnTest[]> {
  const known = await findTestFiles(trees, base, tests);
  const written: ReadonlyMap<string, TestFile>[] = [];
  for (const tree of within) written.push(await findTestFiles(trees, tree, tests));
  const found: OwnTest[] = [];
  for (const key of tests) {
    const ofBase = await find([known], key);
    const own = ofBase ?? (await find(written, key));
    if (own !== undefined) found.push({ name: formatTestKey(key), isOfBase: ofBase !== undefined, ...own });
  }
  return found;
}

async function find(
  within: readonly ReadonlyMap<string, TestFile>[],
  key: TestKey,
): Promise<Pick<OwnTest, "file" | "body" | "around"> | undefined> {
  for (const files of within) {
    // Other files have tests with that name, too.
    const first = files.get(key.target);
    const ordered = first === undefined ? [...files] : [[key.target, first] as const, ...files];
    for (const [file, { text, bodies }] of ordered) {
      const [own] = bodiesOf(bodies, key);
      if (own === undefined) continue;
      const lines = text.split("\n");
      const body = lines.slice(own.startLine - 1, own.endLine).join("\n");
      const all = await listTestBodies(file, text);
      const rest = lines.filter((_, at) => !all.some((each) => isWithin(at + 1, each)));
      return { file, body, around: usedBy(body, rest) };
    }
  }
  return undefined;
}

const isWithin = (line: number, { startLine, endLine }: { startLine: number; endLine: number }): boolean =>
  startLine <= line && line <= endLine;

const imports =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|#include\b|(?:const|let|var)\b.*\brequire\(|"[^"]*"$)/;

/** Ways to assign a name. */
const giving =
  /(?:\b(?:def|class|func|function|fn|struct|type|as|const|let|var|static|void|int|auto)\s+(?:\([^)]*\)\s*)?|^\s*|[,{]\s*)([\p{L}_$][\p{L}\p{N}_$]{2,})(?=\s*(?:[(:<{,}]|:?=(?!=)|$))/gmu;

/** Paragraphs that define what the body names, transitively. Of imports only those that introduce a new name. */
function usedBy(body: string, rest: readonly string[]): string {
  const blocks = rest.join("\n").split(/\n\s*\n/);
  const taken = new Set<string>();
  let words = wordsOf(body);
  for (let step = 0; step < 3; step += 1) {
    const found = blocks
      .map((block) => (guarded.test(block) ? block : withoutImports(block)))
      .filter((block) => !taken.has(block) && givesOneOf(block, words));
    if (found.length === 0) break;
    for (const block of found) taken.add(block);
    words = wordsOf(found.join("\n"));
  }
  return [...taken].join("\n");
}

/** Imported only if it exists. */
const guarded = /\btry\b[\s\S]*\bimport\b[\s\S]*\b(?:except|catch)\b/;

function withoutImports(block: string): string {
  return block
    .split("\n")
    .filter((line) => !imports.test(line) || /\bas\s+\w+/.test(line))
    .join("\n");
}

function givesOneOf(block: string, words: ReadonlySet<string>): boolean {
  const given = [...block.matchAll(giving)].map(([, name = ""]) => name);
  const imported = [...block.matchAll(/\bimport\b(.*)/g)].flatMap(([, names = ""]) => [...wordsOf(names)]);
  return [...given, ...imported].some((name) => words.has(name));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []);
}
