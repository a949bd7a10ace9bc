/** The tests that decide, as texts: those that the base has, and those that the run's own author wrote. */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { bodiesOf, findTestFiles, type TestFile } from "./test-bodies.ts";

export interface OwnTest {
  readonly name: string;
  readonly file: string;
  /** The base has a test of this name. */
  readonly isOfBase: boolean;
  /** What it does itself. */
  readonly body: string;
  /** What of its file it uses: helpers, constants, names that are imported as others. */
  readonly around: string;
}

type Trees = Pick<TreeStore, "list" | "read">;

/** Those whose text is found: a language without an outline has none. `within`: trees with written tests, beside the base. */
export async function readOwnTests(
  trees: Trees,
  base: string,
  within: readonly string[],
  tests: readonly TestKey[],
): Promise<OwnTest[]> {
  const known = await findTestFiles(trees, base, tests);
  const written: ReadonlyMap<string, TestFile>[] = [];
  for (const tree of within) written.push(await findTestFiles(trees, tree, tests));
  return tests.flatMap((key) => {
    const ofBase = find([known], key);
    const found = ofBase ?? find(written, key);
    return found === undefined
      ? []
      : [{ name: formatTestKey(key), isOfBase: ofBase !== undefined, ...found }];
  });
}

function find(
  within: readonly ReadonlyMap<string, TestFile>[],
  key: TestKey,
): Pick<OwnTest, "file" | "body" | "around"> | undefined {
  for (const files of within)
    for (const [file, { text, bodies }] of files) {
      const [own] = bodiesOf(bodies, key);
      if (own === undefined) continue;
      const lines = text.split("\n");
      const body = lines.slice(own.startLine - 1, own.endLine).join("\n");
      const rest = lines.filter((_, at) => !bodies.some((each) => isWithin(at + 1, each)));
      return { file, body, around: usedBy(body, rest) };
    }
  return undefined;
}

const isWithin = (line: number, { startLine, endLine }: { startLine: number; endLine: number }): boolean =>
  startLine <= line && line <= endLine;

const imports =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|#include\b|(?:const|let|var)\b.*\brequire\(|"[^"]*"$)/;

/** Paragraphs that have a word of the body, and so on; of imports only those that give a name of their own. */
function usedBy(body: string, rest: readonly string[]): string {
  const blocks = rest.join("\n").split(/\n\s*\n/);
  const taken = new Set<string>();
  let words = wordsOf(body);
  for (let step = 0; step < 3; step += 1) {
    const found = blocks
      .map((block) =>
        block
          .split("\n")
          .filter((line) => !imports.test(line) || /\bas\s+\w+/.test(line))
          .join("\n"),
      )
      .filter((block) => !taken.has(block) && [...wordsOf(block)].some((word) => words.has(word)));
    if (found.length === 0) break;
    for (const block of found) taken.add(block);
    words = wordsOf(found.join("\n"));
  }
  return [...taken].join("\n");
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []);
}
