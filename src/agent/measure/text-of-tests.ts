/** Reads the texts of a tree's tests, to compare their failures with a statement. */

import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import { isDocumentation, programLines, programOf, readRustExample } from "../../judging/rust-examples.ts";
import { linesOfSpans } from "../../judging/test-regions.ts";
import { isOwnSource } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import {
  bodiesOf,
  findTestFile,
  listTestBodies,
  type TestBody,
  textOfLines,
  typesAround,
} from "../code/test-bodies.ts";
import { firstStatement } from "../state/assertion-text.ts";
import { callersOf } from "./callers-of.ts";
import { isRustExample } from "./moved-examples.ts";
import { openHelpers, withoutComments } from "./shared-helpers.ts";
import type { TestText } from "./stated-reason.ts";

/** The part of `TestText` that describes the repository, and is equal for all tests. */
export type KnownOfBase = Pick<TestText, "product" | "parameters" | "tests" | "callers">;

/** By the session's view: sessions of one workspace close their own graphs. */
const knownOf = new WeakMap<object, KnownOfBase>();

/**
 * Reads the tests of a tree. The result also has the names that non-test code defines (from the code graph), and the
 * texts of the base's tests.
 */
export function testsOf(
  context: Pick<ActionContext, "regions" | "view" | "workspace">,
  tree: string,
): TestText {
  const { regions, view, workspace } = context;
  const known = knownOf.get(view) ?? {
    product: once(async () => {
      const graph = await view.context.graph();
      const files = graph.files().filter(({ path }) => !regions.isWhole(path));
      return new Set(files.flatMap(({ path }) => graph.outline(path).map(({ name }) => name)));
    }),
    parameters: once(async () => {
      const graph = await view.context.graph();
      const files = graph.files().filter(({ path }) => !regions.isWhole(path));
      return new Set(
        files.flatMap(({ path }) => graph.outline(path).flatMap(({ signature }) => parametersIn(signature))),
      );
    }),
    callers: async (name) => callersOf(await view.context.graph(), name),
    tests: once(async () => {
      const { trees, base } = workspace;
      const paths = (await trees.list(base)).map(({ path }) => path).filter((path) => isOwnSource(path));
      const texts: string[] = [];
      for (const path of paths.filter((each) => regions.isWhole(each)).slice(0, mostFiles))
        texts.push((await trees.read(base, path))?.toString("utf8") ?? "");
      return texts.flatMap(splitTests);
    }),
  };
  knownOf.set(view, known);
  return textOfTests(context, tree, known);
}

/** Returns the parameter names in a signature such as `def split(src, sep=None, *, maxsplit: int = 0)`. */
export function parametersIn(signature: string): string[] {
  return [...signature.matchAll(/[(,]\s*\*{0,2}([A-Za-z_]\w*)\s*(?=[:=,)])/g)].map(([, name = ""]) => name);
}

/** Maximum number of test files read to find common words. */
const mostFiles = 500;

/** Returns a function that computes its result only once. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

const testStart =
  /^(?=[ \t]*(?:(?:async )?def test|(?:it|test|specify)(?:\.\w+)*\s*\(|@Test\b|func Test|#\[(?:\w+::)*test\]|TEST(?:_\w+)?\())/m;

/**
 * Splits a file into the texts of its tests, in lower case. Recognises the start of a test in the supported languages.
 */
export function splitTests(text: string): string[] {
  return text
    .split(testStart)
    .slice(1)
    .map((test) => test.toLowerCase());
}

/**
 * Adds a block's other lines. If a block expects an error or a warning (`with pytest.raises(…):`), its first line fails
 * because of the other lines.
 */
function withBlock(lines: readonly string[]): string {
  const head = firstStatement(lines);
  if (!/^\s*(?:async\s+)?with\b[\s\S]*:\s*$/.test(head)) return head;
  const depth = head.search(/\S/);
  const rest = lines.slice(head.split("\n").length);
  const end = rest.findIndex((line) => line.trim() !== "" && line.search(/\S/) <= depth);
  return [head, ...rest.slice(0, end === -1 ? rest.length : end)].join("\n");
}

/** Maximum lines of the statement at a frame. */
const mostLines = 30;

/**
 * Returns the index of the first line of the statement that contains line `at`; both count from 0. Some frameworks
 * report the matcher's line, such as `).toEqual(…)`, instead of the first.
 */
export function startOfStatement(lines: readonly string[], at: number): number {
  let start = at;
  while (/^\s*[)\]}.?]/.test(lines[start] ?? "")) {
    let open = /^[\s)\]}]*/.exec(lines[start] ?? "")?.[0].replaceAll(/\s/g, "").length ?? 0;
    do {
      start -= 1;
      if (start < 0 || at - start > mostLines) return at;
      open += countOf(lines[start] ?? "", /[)\]}]/g) - countOf(lines[start] ?? "", /[([{]/g);
    } while (open > 0);
  }
  return start;
}

function countOf(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}

export function textOfTests(
  {
    workspace: { trees },
    regions,
  }: {
    readonly workspace: { readonly trees: Pick<ActionContext["workspace"]["trees"], "list" | "read"> };
    readonly regions: ActionContext["regions"];
  },
  tree: string,
  known: KnownOfBase,
): TestText {
  const helpers = openHelpers({ trees, regions, tests: known.tests }, tree);
  const linesInside = new Map<string, ReadonlySet<number>>();
  const linesOf = async (file: string): Promise<readonly string[]> =>
    ((await trees.read(tree, file))?.toString("utf8") ?? "").split("\n");
  const files = new Map<string, Promise<string | undefined>>();
  /** Returns the file of a test, because its target may be a class or a package. */
  const fileOf = async (key: TestKey): Promise<string> => {
    const id = formatTestKey(key);
    const found = files.get(id) ?? findTestFile(trees, tree, key);
    files.set(id, found);
    return (await found) ?? key.target;
  };
  const readExample = async ({ name }: TestKey): Promise<string> => {
    const textOf = async (path: string): Promise<string> => (await linesOf(path)).join("\n");
    return programOf((await readRustExample(name, textOf, regions))?.text ?? "");
  };
  return {
    async isTest(file, line) {
      if (regions.isWhole(file)) return true;
      const text = (await linesOf(file)).join("\n");
      const inside = linesInside.get(file) ?? linesOfSpans(text, await regions.spansIn(file, text));
      linesInside.set(file, inside);
      return inside.has(line);
    },
    async line(file, line) {
      const all = await linesOf(file);
      const lines = file.endsWith(".rs") && isDocumentation(all[line - 1] ?? "") ? programLines(all) : all;
      const start = startOfStatement(lines, line - 1);
      return withBlock(lines.slice(start, line - 1 + mostLines));
    },
    async within(file, line) {
      return typesAround(file, (await linesOf(file)).join("\n"), line);
    },
    ...known,
    async body(key) {
      if (isRustExample(key)) return readExample(key);
      const file = await fileOf(key);
      const lines = await linesOf(file);
      const bodies = bodiesOf(await listTestBodies(file, lines.join("\n")), key);
      return textOf(lines, bodies);
    },
    helpers: async (key, names) => helpers.behind(await fileOf(key), names),
    around: async (key, frame) => helpers.around(await fileOf(key), frame),
  };
}

/** The bodies' lines, without comments and without lines that contain a test's name. */
function textOf(lines: readonly string[], bodies: readonly TestBody[]): string {
  return withoutComments(
    bodies.flatMap((body) =>
      textOfLines(lines, body)
        .split("\n")
        .map((line) => (line.includes(body.name) ? "" : line)),
    ),
  );
}
