/** Finds the texts of tests by their keys in every language. A key names a file, a class, or a module of a crate. */
import type { TestKey } from "../../../domain/test-outcome.ts";
import type { Source } from "../../../syntax/reading.ts";
import type { TreeStore } from "../../../workspace/contract.ts";
import { readSource } from "../../code/change.ts";
import { bodiesOf, filesOfTest, isInLines, listTestBodies, type TestBody } from "../../code/test-bodies.ts";

export interface TestSource {
  readonly source: Source;
  /** True for lines that the test uses: its body, and lines outside all tests (tables, constants). */
  readonly isRead: (line: number) => boolean;
}

interface TestFile {
  readonly source: Source;
  readonly bodies: readonly TestBody[];
}

export type TestSourceReader = (tree: string, key: TestKey) => Promise<TestSource[]>;

/**
 * Returns a function for the texts of one test in a tree. It returns several texts if the test's key does not determine
 * the file. It parses each text once, because many tests may share a file.
 */
export function openTestSources(trees: Pick<TreeStore, "list" | "read">): TestSourceReader {
  const files = new Map<string, Promise<TestFile | undefined>>();
  return async (tree, key) => {
    const paths = (await trees.list(tree)).map(({ path }) => path);
    const sources: TestSource[] = [];
    for (const path of filesOfTest(paths, key)) {
      const text = (await trees.read(tree, path))?.toString("utf8");
      if (text === undefined) continue;
      const known = `${path}\0${text}`;
      const reading = files.get(known) ?? readTestFile(path, text);
      files.set(known, reading);
      const source = selectOwn(await reading, path, key);
      if (source !== undefined) sources.push(source);
    }
    return sources;
  };
}

async function readTestFile(path: string, text: string): Promise<TestFile | undefined> {
  const source = await readSource(path, text);
  return source && { source, bodies: await listTestBodies(path, text) };
}

/** Matches the root of a crate in Cargo's folder `tests`: `tests/fee.rs`, `shop/tests/fee/main.rs`. */
const testCrate = /^(?!(?:.*\/)?src\/)(?:.*\/)?tests\/[^/]+(?:\/main)?\.rs$/;

function selectOwn(file: TestFile | undefined, path: string, key: TestKey): TestSource | undefined {
  if (file === undefined) return undefined;
  const { source, bodies } = file;
  const own = bodiesOf(bodies, key);
  if (own.length === 0 && path !== key.target && bodies.length > 0) return undefined;
  const others = own.length === 0 ? [] : bodies.filter((body) => !own.includes(body));
  const isOther = (line: number): boolean => others.some((body) => isInLines(body, line));
  // In a file with code, only the test's own lines belong to it. A crate of Cargo's folder `tests` contains no code.
  const isOwn = (line: number): boolean => own.some((body) => isInLines(body, line));
  const isInside = path.endsWith(".rs") && own.length > 0 && !testCrate.test(key.target);
  return { source, isRead: isInside ? isOwn : (line) => !isOther(line) };
}
