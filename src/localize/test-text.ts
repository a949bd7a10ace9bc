/** The failing tests' own text: their bodies, found by name or by stack frames. */
import { formatTestKey, type TestOutcome } from "../domain/test-outcome.ts";
import { nodeAt, parentsOf, type SyntaxNode, walk } from "../syntax/node.ts";
import { type LanguageOf, readSource } from "../syntax/read-source.ts";
import { callOf, codeOf, partOf, roleOf, type Source } from "../syntax/reading.ts";
import { isFunction } from "../syntax/statements.ts";

export interface TestText {
  /** The test's function or call with its content; several texts if several places fit. */
  readonly body: string;
  /** The lines of the test's file in the failure's stack. */
  readonly failingLines: string;
}

/** Finds the text of each failing test, keyed by formatTestKey. Leaves out tests whose text is not found. */
export async function readTestTexts(
  failing: readonly TestOutcome[],
  testTexts: ReadonlyMap<string, string>,
  languageOf: LanguageOf,
): Promise<ReadonlyMap<string, TestText>> {
  const found = new Map<string, TestText>();
  for (const [file, text] of testTexts) {
    const source = await readSource(file, text, languageOf);
    if (source === undefined) continue;
    const places = listPlaces(source);
    for (const outcome of failing) {
      const read = readOne(source, places, outcome);
      const id = formatTestKey(outcome.key);
      if (read !== undefined && (found.get(id)?.body ?? "").length < read.body.length) found.set(id, read);
    }
  }
  return found;
}

interface Places {
  /** Name → functions with that name. */
  readonly functions: ReadonlyMap<string, readonly SyntaxNode[]>;
  /** Title → calls with that text as first argument: `it("title", …)`. */
  readonly titled: ReadonlyMap<string, readonly SyntaxNode[]>;
  readonly lines: readonly string[];
  /** The start of each line. */
  readonly starts: readonly number[];
}

function listPlaces(source: Source): Places {
  const functions = new Map<string, SyntaxNode[]>();
  const titled = new Map<string, SyntaxNode[]>();
  const add = (map: Map<string, SyntaxNode[]>, key: string, node: SyntaxNode): void => {
    map.set(key, [...(map.get(key) ?? []), node]);
  };
  for (const node of walk(source.tree.root)) {
    if (isFunction(source, node)) {
      const name = partOf(source, node, "name");
      if (name !== undefined) add(functions, codeOf(source, name), node);
    }
    const title = callOf(source, node)?.arguments[0];
    if (title !== undefined && roleOf(source, title) === "string") {
      add(titled, codeOf(source, title).replace(/^["'`]+|["'`]+$/g, ""), node);
    }
  }
  const lines = source.tree.text.split("\n");
  let start = 0;
  const starts = lines.map((line) => {
    const own = start;
    start += line.length + 1;
    return own;
  });
  return { functions, titled, lines, starts };
}

function readOne(source: Source, places: Places, outcome: TestOutcome): TestText | undefined {
  const lines = (outcome.failure?.frames ?? [])
    .filter((frame) => frame.file === source.file)
    .map((frame) => frame.line);
  const byFrame = lines.flatMap((line) => outermostFunction(source, places, line) ?? []);
  const nodes = [...findByName(places, outcome.key.name), ...byFrame];
  if (nodes.length === 0) return undefined;
  const [widest] = [...nodes].sort((a, b) => b.end - b.start - (a.end - a.start));
  const texts = new Set(nodes.map((node) => codeOf(source, node)));
  return {
    body: texts.size > 3 && widest !== undefined ? codeOf(source, widest) : [...texts].join("\n"),
    failingLines: lines.map((line) => places.lines[line - 1] ?? "").join("\n"),
  };
}

/** A test function by its own name, without parameters; else the innermost title at the end of the name. */
function findByName({ functions, titled }: Places, name: string): readonly SyntaxNode[] {
  const plain = name.replace(/\[.*$/s, "").split(/::|[.#/\s]/);
  const byName = functions.get(plain.at(-1) ?? "");
  if (byName !== undefined) return byName;
  const titles = [...titled.keys()].filter((title) => title !== "" && name.endsWith(title));
  const longest = titles.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? [] : (titled.get(longest) ?? []);
}

/** The outermost function around a line with at most `largestTest` lines: the test, not `describe`. */
function outermostFunction(source: Source, { lines, starts }: Places, line: number): SyntaxNode | undefined {
  const { root } = source.tree;
  // A frame may name a line that the file does not have: then the first line is used.
  const start = starts[line - 1] ?? 0;
  const indent = /^[ \t]*/.exec(lines[line - 1] ?? "")?.[0].length ?? 0;
  const node = nodeAt(root, start + indent);
  const around = [node, ...parentsOf(node)].filter((each) => isFunction(source, each));
  const small = around.filter((each) => each.endLine - each.startLine <= largestTest);
  return small.at(-1) ?? around[0];
}

/** Maximum number of lines of a test. A longer function around a failing line counts as a group of tests. */
const largestTest = 80;
