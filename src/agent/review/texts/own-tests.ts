/** Reads the texts of the deciding tests: those of the base, and those that the run wrote. */
import { formatTestKey, type TestKey } from "../../../domain/test-outcome.ts";
import { isTestFile, languageOf } from "../../../languages/source-files.ts";
import type { TreeStore } from "../../../workspace/contract.ts";
import {
  bodiesOf,
  compareFits,
  type Fit,
  findTestFiles,
  fitOf,
  isInLines,
  listHelpers,
  listTestBodies,
  type TestBody,
  type TestFile,
  textOfLines,
} from "../../code/test-bodies.ts";

export interface OwnTest {
  readonly name: string;
  readonly file: string;
  /** True if the base has the test, with the same text. */
  readonly isOfBase: boolean;
  /** The test's own body. */
  readonly body: string;
  /** The parts of the file that the test uses: helpers, constants, renamed imports. */
  readonly around: string;
}

type Trees = Pick<TreeStore, "list" | "read">;

/**
 * Reads the texts of tests. Omits tests without a known text, for example in languages without an outline. `within`:
 * trees with the run's own tests, read in addition to the base.
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
  const blocks: KnownBlocks = new Map();
  for (const key of tests) {
    const name = formatTestKey(key);
    const ofBase = findBody(known, key);
    const own = await findWritten(written, key, { ofBase, known, blocks });
    const body = own ?? ofBase;
    if (body !== undefined)
      found.push({ name, isOfBase: own === undefined, ...(await readBody(body, blocks)) });
  }
  return found;
}

interface FoundBody {
  readonly path: string;
  readonly file: TestFile;
  readonly body: TestBody;
  readonly fit: Fit;
}

/** Finds the body whose groups, and then whose file, fit the test's key best. */
function findBody(files: ReadonlyMap<string, TestFile>, key: TestKey): FoundBody | undefined {
  let best: FoundBody | undefined;
  for (const [path, file] of files) {
    const [body] = bodiesOf(file.bodies, key);
    if (body === undefined) continue;
    const found = { path, file, body, fit: fitOf(body.path, key) };
    if (best === undefined || compareBodies(found, best, key) < 0) best = found;
  }
  return best;
}

function compareBodies(one: FoundBody, other: FoundBody, key: TestKey): number {
  const inFile = ({ path }: FoundBody): number => (path === key.target ? Infinity : fitOf(path, key).holds);
  const files = one.path === other.path ? 0 : inFile(other) - inFile(one);
  return compareFits(one.fit, other.fit) || files;
}

interface Beside {
  readonly ofBase: FoundBody | undefined;
  /** The base's files with tests. */
  readonly known: ReadonlyMap<string, TestFile>;
  readonly blocks: KnownBlocks;
}

/** Finds the test as the run wrote it; undefined if the base has the test with the same text. */
async function findWritten(
  written: readonly ReadonlyMap<string, TestFile>[],
  key: TestKey,
  { ofBase, known, blocks }: Beside,
): Promise<FoundBody | undefined> {
  let best: FoundBody | undefined;
  for (const files of written) {
    const found = findBody(files, key);
    if (found === undefined || known.get(found.path)?.text === found.file.text) continue;
    const order = ofBase === undefined ? -1 : compareBodies(found, ofBase, key);
    const isNew = order < 0 || (order === 0 && !(await isSame(found, ofBase, blocks)));
    if (isNew && (best === undefined || compareBodies(found, best, key) < 0)) best = found;
  }
  return best;
}

/** Compares the texts. The code around tests inside a source is the patch's own. */
async function isSame(one: FoundBody, other: FoundBody | undefined, blocks: KnownBlocks): Promise<boolean> {
  if (other === undefined || one.path !== other.path) return false;
  const [own, before] = [await readBody(one, blocks), await readBody(other, blocks)];
  return own.body === before.body && (!isTestFile(one.path) || own.around === before.around);
}

async function readBody(
  { path, file, body: lines }: FoundBody,
  known: KnownBlocks,
): Promise<Pick<OwnTest, "file" | "body" | "around">> {
  const body = textOfLines(file.text.split("\n"), lines);
  const blocks = known.get(file) ?? (await readBlocks(path, file.text));
  known.set(file, blocks);
  return { file: path, body, around: usedBy(body, blocks) };
}

/** A part of a file outside its tests. `gives`: the names that the block defines for other code, if known. */
interface Block {
  /** The block as text. Omits imports, except those with an alias (`as`) or inside a `try`. */
  readonly text: string;
  readonly gives?: readonly string[];
}
type KnownBlocks = Map<TestFile, readonly Block[]>;

/** Reads the blocks: paragraphs, and in Python also whole helper functions, whose assignments are local. */
async function readBlocks(path: string, text: string): Promise<Block[]> {
  const lines = text.split("\n");
  const tests = await listTestBodies(path, text);
  const helpers = languageOf(path)?.name === "python" ? await listFunctions(path, text) : [];
  const rest = lines.filter((_, at) => ![...tests, ...helpers].some((each) => isInLines(each, at + 1)));
  const paragraphs = rest.join("\n").split(/\n\s*\n/);
  const shown = (block: string): string => (guarded.test(block) ? block : withoutImports(block));
  return [
    ...helpers.map((each) => ({ text: shown(textOfLines(lines, each)), gives: [each.name] })),
    ...paragraphs.map((each) => ({ text: shown(each) })),
  ];
}

/** Lists the outermost helper functions that tests call by name. Omits those that the framework calls. */
async function listFunctions(path: string, text: string): Promise<TestBody[]> {
  const lines = text.split("\n");
  const found: TestBody[] = [];
  for (const each of await listHelpers(path, text)) {
    const own = textOfLines(lines, { ...each, startLine: Math.max(1, each.startLine - 1) });
    if (found.some((other) => isInLines(other, each.startLine))) continue;
    if (/^\s*(?:async\s+)?def\s/m.test(own) && !unnamed.test(own)) found.push(each);
  }
  return found;
}

/** Functions that the framework calls without a name, or that assign names of the module. */
const unnamed = /\bautouse\b|\bdef\s+(?:set_?up|tear_?down)|^\s*(?:global|nonlocal)\s/im;

const imports =
  /^\s*(?:import\b|from\s+\S+\s+import\b|use\s|#include\b|(?:const|let|var)\b.*\brequire\(|"[^"]*"$)/;

/** Ways to assign a name. */
const giving =
  /(?:\b(?:def|class|func|function|fn|struct|type|as|const|let|var|static|void|int|auto)\s+(?:\([^)]*\)\s*)?|^\s*|[,{]\s*)([\p{L}_$][\p{L}\p{N}_$]{2,})(?=\s*(?:[(:<{,}]|:?=(?!=)|$))/gmu;

/** Returns the blocks that define the names in the body, and the blocks that these need, in at most three steps. */
function usedBy(body: string, blocks: readonly Block[]): string {
  const taken = new Set<string>();
  let words = wordsOf(body);
  for (let step = 0; step < 3; step += 1) {
    const found = blocks.filter((block) => !taken.has(block.text) && givesOneOf(block, words));
    if (found.length === 0) break;
    for (const { text } of found) taken.add(text);
    words = wordsOf(found.map(({ text }) => text).join("\n"));
  }
  return [...taken].join("\n");
}

/** An import inside a `try`, which may fail. */
const guarded = /\btry\b[\s\S]*\bimport\b[\s\S]*\b(?:except|catch)\b/;

function withoutImports(block: string): string {
  return block
    .split("\n")
    .filter((line) => !imports.test(line) || /\bas\s+\w+/.test(line))
    .join("\n");
}

function givesOneOf({ text, gives }: Block, words: ReadonlySet<string>): boolean {
  if (gives !== undefined) return gives.some((name) => words.has(name));
  const given = [...text.matchAll(giving)].map(([, name = ""]) => name);
  const imported = [...text.matchAll(/\bimport\b(.*)/g)].flatMap(([, names = ""]) => [...wordsOf(names)]);
  return [...given, ...imported].some((name) => words.has(name));
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\p{L}_$][\p{L}\p{N}_$]{2,}/gu) ?? []);
}
