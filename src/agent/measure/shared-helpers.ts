/**
 * Follows a test into the helpers of its own file and of shared test files. A shared helper that many tests call links
 * the test to its calls, but the helper's own text is no evidence for one of these tests.
 */
import { posix } from "node:path";
import { literally } from "../../base/literal-pattern.ts";
import type { StackFrame, TestKey } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { isInLines, listHelpers, listTestBodies, type TestBody, textOfLines } from "../code/test-bodies.ts";
import { linesBehind, namesOf, readCode, splitStatements } from "../state/assertion-text.ts";
import { isCommon } from "../state/statement-signature.ts";

export interface HelperText {
  /** The helpers that count as a part of the test. */
  readonly text: string;
  /** The same, with the shared helpers that many tests call. */
  readonly all: string;
}

/** A helper that contains a failing line. */
export interface FailingHelper {
  /** Its text, unless many tests call this shared helper. */
  readonly text: string;
  /** The names of the helper and of the helpers that call it, directly or through others. */
  readonly names: readonly string[];
}

interface Helper extends TestBody {
  readonly file: string;
  /** Its lines without comments and without its name. */
  readonly text: string;
}

interface Sources {
  readonly trees: Pick<ActionContext["workspace"]["trees"], "list" | "read">;
  readonly regions: Pick<ActionContext["regions"], "isWhole">;
  /** The text of each test of the base, in lower case. */
  readonly tests: () => Promise<readonly string[]>;
}

/** Maximum number of steps from a test through helpers that call helpers. */
const mostSteps = 3;

/** Reads a tree's files, their helpers, and the other test files that their tests load. Reads each only once. */
function openFiles({ trees, regions }: Sources, tree: string) {
  const read = memo(async (file) => (await trees.read(tree, file))?.toString("utf8") ?? "");
  const paths = memo(async () => (await trees.list(tree)).map(({ path }) => path));
  const list = memo(async (file) => {
    const text = await read(file);
    const lines = text.split("\n");
    return (await listHelpers(file, text)).map((body): Helper => {
      const own = textOfLines(lines, body).replaceAll(body.name, " ");
      return { ...body, file, text: withoutComments(own.split("\n")) };
    });
  });
  const linked = memo(async (file) => {
    const text = await read(file);
    const isOther = (path: string): boolean =>
      path !== file && regions.isWhole(path) && languageOf(path)?.name === languageOf(file)?.name;
    return (await paths("")).filter((path) => isOther(path) && loads(file, text, path));
  });
  return { read, list, linked };
}

interface Helpers {
  /** Returns the helpers with these names that the file's tests can use, and the helpers that these use. */
  behind(file: string, names: readonly string[]): Promise<HelperText>;
  /** Returns the helper around a line that failed in a test of the file. */
  around(file: string, frame: StackFrame): Promise<FailingHelper | undefined>;
}

export function openHelpers(sources: Sources, tree: string): Helpers {
  const { read, list, linked } = openFiles(sources, tree);
  const isShared = async (file: string, helper: Helper): Promise<boolean> =>
    helper.file !== file && isCommon([helper.name.toLowerCase()], await sources.tests(), hasWord);
  const follow = async (file: string, names: readonly string[], withShared: boolean): Promise<string> => {
    const files = new Set([file, ...(await linked(file))]);
    const taken = new Set<Helper>();
    let asked = names;
    for (let step = 0; step < mostSteps && asked.length > 0; step += 1) {
      const named = (await Promise.all([...files].map(list)))
        .flat()
        .filter((helper) => asked.includes(helper.name) && !taken.has(helper));
      const found: Helper[] = [];
      for (const helper of named.filter((each) => isNearest(file, each, named)))
        if (withShared || !(await isShared(file, helper))) found.push(helper);
      for (const helper of found) taken.add(helper);
      for (const other of found.filter((each) => each.file !== file))
        for (const path of await linked(other.file)) files.add(path);
      asked = namesOf(found.map(({ text }) => text).join("\n"));
    }
    return [...taken].map(({ text }) => text).join("\n");
  };
  return {
    async behind(file, names) {
      return { text: await follow(file, names, false), all: await follow(file, names, true) };
    },
    async around(file, frame) {
      const bodies = await listTestBodies(frame.file, await read(frame.file));
      if (bodies.some((body) => isInLines(body, frame.line))) return undefined;
      const own = await list(frame.file);
      const helper = own.findLast((each) => isInLines(each, frame.line));
      if (helper === undefined) return undefined;
      const others = frame.file === file ? own : [...own, ...(await list(file))];
      const text = (await isShared(file, helper)) ? "" : helper.text;
      return { text, names: namesThrough(helper, others) };
    },
  };
}

/** The helper's name, and the names of helpers that call it. */
function namesThrough({ name }: Helper, helpers: readonly Helper[]): string[] {
  const names = new Set([name]);
  for (let step = 0; step < mostSteps; step += 1)
    for (const helper of helpers) if (callsAny(helper.text, [...names])) names.add(helper.name);
  return [...names];
}

function callsAny(text: string, names: readonly string[]): boolean {
  return names.some((name) =>
    new RegExp(`(?<![\\w$])${literally(name)}(?:::<[^>()]*>)?!?\\s*\\(`).test(text),
  );
}

/** False for another file's helper if the test's own file has a helper of this name. */
function isNearest(file: string, helper: Helper, all: readonly Helper[]): boolean {
  return helper.file === file || !all.some((other) => other.file === file && other.name === helper.name);
}

/** True if the tests of a file load the other file: by its name, or without an import. */
function loads(file: string, text: string, other: string): boolean {
  if (languageOf(file)?.sharesWithout?.(file, other) === true) return true;
  const stem = posix.basename(other).replace(/\.[^.]+$/, "");
  const isFolder = /^(?:mod|index|__init__|init)$/.test(stem);
  const name = isFolder ? posix.basename(posix.dirname(other)) : stem;
  return hasWord(text, name);
}

function hasWord(text: string, word: string): boolean {
  return new RegExp(`(?<![\\w$])${literally(word)}(?![\\w$])`).test(text);
}

/**
 * Returns the lines that make the compared values. If the failing line is in a helper, the values come from the
 * helper's lines and from the test's call of the helper. Without a frame for that call, all calls of the helper count.
 */
export async function readMade(
  key: TestKey,
  frames: readonly StackFrame[],
  { statements, body }: { readonly statements: readonly string[]; readonly body: string },
  read: { around?(key: TestKey, frame: StackFrame): Promise<FailingHelper | undefined> },
): Promise<string> {
  const line = statements.at(-1) ?? "";
  const around = await Promise.all(frames.map((frame) => read.around?.(key, frame)));
  const helper = around.at(-1);
  if (helper === undefined) return linesBehind(line, body);
  const known = statements.filter((_, at) => around[at] === undefined);
  const calls =
    known.length > 0 ? known : splitStatements(body).filter((each) => callsAny(each, helper.names));
  const parts = [
    linesBehind(line, helper.text),
    ...calls.flatMap((call) => [call, linesBehind(call, body)]),
    readCode(line).isPlainFailure ? body : "",
  ];
  return [...new Set(parts)].filter((each) => each !== "").join("\n");
}

export function withoutComments(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/^\s*(?:#(?!\[)|\/\/).*$/, ""))
    .filter((line) => line.trim() !== "")
    .join("\n");
}

/** Returns a function that computes each result only once. */
function memo<T>(make: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (key) => {
    const found = made.get(key) ?? make(key);
    made.set(key, found);
    return found;
  };
}
