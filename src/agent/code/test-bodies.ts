/** Finds the tests of a file and their lines by the outline of its language. */
import { posix } from "node:path";
import { literally } from "../../base/literal-pattern.ts";
import { callableKinds, typeKinds, valueKinds } from "../../domain/code-symbols.ts";
import { formatTestKey, type TestFailure, type TestKey } from "../../domain/test-outcome.ts";
import { fileOfClass } from "../../judging/whole-files.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { symbolsOf } from "./symbols-of.ts";

export interface TestBody {
  /** The function's own name, or the test's title. */
  readonly name: string;
  /** The names of the test's groups or classes, outermost first, and then its own name. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Lines of a file, from 1, both ends included. */
export type LineSpan = Pick<TestBody, "startLine" | "endLine">;

export function isInLines({ startLine, endLine }: LineSpan, line: number): boolean {
  return startLine <= line && line <= endLine;
}

export function textOfLines(lines: readonly string[], { startLine, endLine }: LineSpan): string {
  return lines.slice(startLine - 1, endLine).join("\n");
}

/**
 * Returns the line of a test at which it failed: that of the last frame in the test's body. Prefers frames of the file
 * itself to those of a file whose path ends with the same folders. Undefined without such a frame.
 */
export function failedLine(
  failure: TestFailure | undefined,
  path: string,
  body: LineSpan,
): number | undefined {
  const frames = (failure?.frames ?? []).filter(({ line }) => isInLines(body, line));
  const own = frames.findLast(({ file }) => file === path);
  return (own ?? frames.findLast(({ file }) => file.endsWith(`/${path}`)))?.line;
}

/** Lists the tests of a file, but not the groups that contain them. Empty if the language has no outline. */
export async function listTestBodies(path: string, text: string | undefined): Promise<TestBody[]> {
  const symbols = text === undefined ? undefined : await symbolsOf(path, text);
  const definitions = symbols?.definitions ?? [];
  const pathOf = (at: number): string => {
    const definition = definitions[at];
    if (definition === undefined) return "";
    const around = pathOf(definition.container);
    return around === "" ? definition.name : `${around} ${definition.name}`;
  };
  const holds = (index: number): boolean =>
    definitions.some(({ container, isTest, kind }) => container === index && (isTest || kind === "test"));
  return definitions.flatMap(({ name, kind, isTest, startLine, endLine }, index) =>
    (isTest === true || kind === "test") && !holds(index)
      ? [{ name, path: pathOf(index), startLine, endLine }]
      : [],
  );
}

/** Selects the files with tests. A file with a test name may contain only helpers: `tests/test_utils.py`. */
export async function selectWithTests(
  trees: Pick<TreeStore, "read">,
  tree: string,
  paths: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const text = (await trees.read(tree, path))?.toString("utf8");
    if ((await listTestBodies(path, text)).length > 0) found.push(path);
  }
  return found;
}

/** Lists the helpers that a file's tests share: functions that are not tests, and constants outside of functions. */
export async function listHelpers(path: string, text: string): Promise<TestBody[]> {
  const { definitions = [] } = (await symbolsOf(path, text)) ?? {};
  const isCallable = new Set<string>(callableKinds);
  const isValue = new Set<string>(valueKinds);
  const isLocal = (at: number): boolean => {
    const around = definitions[at];
    return around !== undefined && (isCallable.has(around.kind) || isLocal(around.container));
  };
  return definitions.flatMap(({ name, kind, isTest, startLine, endLine, container }) => {
    const isShared = isCallable.has(kind) || (isValue.has(kind) && !isLocal(container));
    return isShared && isTest !== true ? [{ name, path: name, startLine, endLine }] : [];
  });
}

/**
 * Names the types that contain a line. Also names the type of a method around the line if the method is outside the
 * type, as in Go.
 */
export async function typesAround(path: string, text: string, line: number): Promise<string[]> {
  const { definitions = [] } = (await symbolsOf(path, text)) ?? {};
  const isType = new Set<string>(typeKinds);
  return definitions
    .filter(({ startLine, endLine }) => startLine <= line && line <= endLine)
    .flatMap(({ kind, name, owner }) => (isType.has(kind) ? [name] : owner === undefined ? [] : [owner]));
}

/**
 * Returns the bodies that may belong to the test: the body's name is the end or a component of the key's name.
 * Otherwise returns bodies whose title has placeholders, and fits the key: `costs of %i` fits `costs of 3`. Of several,
 * returns those whose groups fit the key best: not `TestCart::test_total` for `TestShop::test_total`.
 */
export function bodiesOf(bodies: readonly TestBody[], key: TestKey): TestBody[] {
  const { name } = key;
  // Java's `fee(int, int)[2]` is the method's second row.
  const own = name.replace(/(?<=\w)\([^()]*\)\[\d+\]$/, "");
  const parts = new Set(own.split(/::|[.#>/ ]+|\[.*$/));
  const plain = bodies.filter((body) => parts.has(body.name) || name.endsWith(body.name));
  const found =
    plain.length > 0 ? plain : bodies.filter((body) => filledTitle(body.name)?.test(name) === true);
  if (found.length < 2) return found;
  const fitting = found.map((body) => ({ body, fit: fitOf(body.path, key) }));
  const [best] = fitting.map(({ fit }) => fit).sort(compareFits);
  return fitting.flatMap(({ body, fit }) =>
    best !== undefined && compareFits(fit, best) === 0 ? [body] : [],
  );
}

/** How well a text fits a test's key: how many of its words the key lacks, and how many it contains. */
export interface Fit {
  readonly lacks: number;
  readonly holds: number;
}

export function fitOf(text: string, { target, name }: TestKey): Fit {
  const wordsOf = (each: string): string[] => each.split(/[^\p{L}\p{N}_]+/u).filter((word) => word !== "");
  const known = new Set(wordsOf(`${target} ${name}`));
  const words = wordsOf(text);
  const holds = words.filter((word) => known.has(word)).length;
  return { lacks: words.length - holds, holds };
}

/** Compares two fits: below 0 if the first is better. */
export function compareFits(one: Fit, other: Fit): number {
  return one.lacks - other.lacks || other.holds - one.holds;
}

const placeholder = /\$\{[^}]*\}|#\{[^}]*\}|\$[A-Za-z_][\w.]*|%[#$\d.]*[a-zA-Z]/;

/**
 * Makes a pattern from a title with placeholders. Undefined for a title without placeholders, or without other words,
 * because this pattern would fit every test.
 */
function filledTitle(title: string): RegExp | undefined {
  const texts = title.split(new RegExp(placeholder, "g"));
  const isTold = texts.length > 1 && texts.some((text) => /\p{L}{2}/u.test(text));
  return isTold ? new RegExp(`(?:^|[> ])${texts.map(literally).join(".*")}$`, "s") : undefined;
}

export interface TestFile {
  readonly text: string;
  readonly bodies: readonly TestBody[];
}

/**
 * Finds the files of a tree that contain these tests. Maps each path to its tests' bodies. To skip a file, `isAsked`
 * returns false.
 */
export async function findTestFiles(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  tests: readonly TestKey[],
  isAsked?: (path: string, own: readonly TestKey[]) => boolean,
): Promise<Map<string, TestFile>> {
  const found = new Map<string, TestFile>();
  for await (const { path, text, all, own } of readMatching(trees, tree, tests, isAsked)) {
    const bodies = new Set(own.flatMap((key) => bodiesOf(all, key)));
    if (bodies.size > 0) found.set(path, { text, bodies: [...bodies] });
  }
  return found;
}

/** A file that contains a test, with the bodies of this test and of all its tests. */
export interface FileOfTest extends TestFile {
  readonly path: string;
  readonly all: readonly TestBody[];
}

/**
 * Maps each test's key, as text, to the files that may contain this test. Returns only the file that the key names, if
 * there is one. Parses each file once.
 */
export async function findFilesByTest(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  tests: readonly TestKey[],
): Promise<Map<string, FileOfTest[]>> {
  const found = new Map<string, FileOfTest[]>(tests.map((key) => [formatTestKey(key), []]));
  for await (const { path, text, all, own } of readMatching(trees, tree, tests))
    for (const key of own) {
      const bodies = mayName(key, text) ? bodiesOf(all, key) : [];
      if (bodies.length > 0) found.get(formatTestKey(key))?.push({ path, text, bodies, all });
    }
  const several = tests.filter((key) => (found.get(formatTestKey(key))?.length ?? 0) > 1);
  if (several.length === 0) return found;
  const paths = (await trees.list(tree)).map(({ path }) => path);
  for (const key of several) {
    const files = found.get(formatTestKey(key)) ?? [];
    // Other modules of a crate may have tests with this name, too.
    const own = filesOfTest(paths, key).findLast((path) => files.some((file) => file.path === path));
    const [only] = files.filter(({ path }) => path === own);
    if (only !== undefined) found.set(formatTestKey(key), [only]);
  }
  return found;
}

/**
 * Yields the files that may contain some of the tests. `own`: the keys of these tests. `all`: the bodies of all tests
 * of the file.
 */
async function* readMatching(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  tests: readonly TestKey[],
  isAsked: (path: string, own: readonly TestKey[]) => boolean = () => true,
): AsyncGenerator<{ path: string; text: string; all: readonly TestBody[]; own: readonly TestKey[] }> {
  for (const { path, mode } of await trees.list(tree)) {
    if (mode === "120000" || languageOf(path) === undefined) continue;
    const own = tests.filter((key) => mayStandIn(key, path));
    if (own.length === 0 || !isAsked(path, own)) continue;
    const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
    if (own.some((key) => mayName(key, text)))
      yield { path, text, all: await listTestBodies(path, text), own };
  }
}

/**
 * Finds the file that contains the test: the target, if this is a file, or else the body's file. If several files have
 * such a body, the test's key must contain the file's name. Undefined unless exactly one file remains. The target of a
 * Rust test is the crate's root, so a module's file that contains the body comes first.
 */
export async function findTestFile(
  trees: Pick<TreeStore, "list" | "read">,
  tree: string,
  key: TestKey,
): Promise<string | undefined> {
  const paths = (await trees.list(tree)).map(({ path }) => path);
  if (paths.includes(key.target)) {
    const [first, ...modules] = filesOfTest(paths, key);
    for (const path of modules.toReversed()) {
      const text = (await trees.read(tree, path))?.toString("utf8") ?? "";
      if (mayName(key, text) && bodiesOf(await listTestBodies(path, text), key).length > 0) return path;
    }
    return first;
  }
  const files = [...(await findTestFiles(trees, tree, [key])).keys()];
  const named = files.filter((path) => namesFile(key, path));
  const [only, ...others] = named.length > 0 ? named : files;
  return others.length === 0 ? only : undefined;
}

/**
 * Lists the files that may contain a test, the target's file first. For a Rust unit test, adds the files of the modules
 * in its name.
 */
export function filesOfTest(paths: readonly string[], { target, name }: TestKey): string[] {
  const present = new Set(paths);
  const own = target.replace(/^doc:/, "");
  if (present.has(own) && !own.endsWith(".rs")) return [own];
  if (!present.has(own)) {
    const path = fileOfClass(paths, own);
    return path === undefined ? [] : [path];
  }
  const modules = name.split("::").slice(0, -1);
  const folder = posix.dirname(own);
  const below = modules.flatMap((_, index) => {
    const path = posix.join(folder, ...modules.slice(0, index + 1));
    return [`${path}.rs`, posix.join(path, "mod.rs")];
  });
  return [own, ...below.filter((path) => present.has(path))];
}

/**
 * True if the file may contain the test, without parsing it. A file with none of the words of the test's name cannot. A
 * single word is enough, because code may compose a title from parts.
 */
function mayName({ name }: TestKey, text: string): boolean {
  const own = name.replace(/\[.*$/, "");
  const words = own.split(/[^\w]+/).filter((word) => word !== "");
  // The last word may name a row: `costs::case_2`.
  const needed = /\s/.test(own) ? words : words.slice(-2);
  return needed.length === 0 || needed.some((word) => text.includes(word));
}

/**
 * True if the test's key contains the file's name: `parse::tests::test_zone` for `parse.rs`, `org.example.CartTest` for
 * `CartTest.java`.
 */
function namesFile({ target, name }: TestKey, path: string): boolean {
  const stem = posix.basename(path, posix.extname(path));
  return `${target} ${name}`.split(/[^\w]+/).includes(stem);
}

/**
 * True if the file may contain tests of the target. A target is a file, a folder, a class, or the root of a crate.
 * False for examples in comments (`doc:`), which have no body.
 */
function mayStandIn({ target }: TestKey, path: string): boolean {
  if (target.startsWith("doc:")) return false;
  if (target === path || path.endsWith(".rs")) return true;
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : ".";
  if (target === folder || target === `./${folder}`) return true;
  const stem = path.replace(/\.\w+$/, "");
  const dotted = target.replace(/\$.*$/, "").replaceAll(".", "/");
  return stem.endsWith(dotted) || dotted.endsWith(stem) || dotted.startsWith(`${stem}/`);
}
