/**
 * Finds changed data that only tests read, in any folder. Such data contains expected results, so its change can let
 * wrong code pass. Decides by names: tests mention the file's name, and no code, setting or document does.
 */
import { basename, posix } from "node:path";
import { literally } from "../../../base/literal-pattern.ts";
import { isOwnSource, languageOf } from "../../../languages/source-files.ts";
import type { ChangedFile } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";

export interface TestDataInput {
  readonly files: readonly ChangedFile[];
  readonly base: BaseFiles;
  /** Returns true if only tests use a file of the base. */
  readonly isTest: (path: string) => boolean;
  readonly statement: string;
}

const data =
  /\.(?:json[5l]?|jsonc|ndjson|csv|tsv|txt|xml|ya?ml|toml|ini|properties|html?|sql|dat|data|out|in|bin|golden|gold|expected|approved|snap|golden\.\w+)$/i;
/** Files that tools and people find by these names. Code need not mention them. */
const known =
  /^(?:package(?:-lock)?\.json|composer\.json|manifest\.json|pyproject\.toml|Cargo\.toml|pom\.xml|setup\.cfg|tox\.ini|CMakeLists\.txt|robots\.txt|index\.html?)$|^(?:tsconfig|jsconfig|[\w.-]*requirements|LICEN[CS]E|README|AUTHORS|NOTICE|CHANGE\w*|HISTORY|VERSION)\b|^\.|\.lock$|rc\.json$|\.config\.\w+$/i;
/** Settings and scripts, which may name the data that code reads. */
const settings = /\.(?:json|toml|cfg|ini|ya?ml|in|xml|gradle|cmake|mk|sh)$|(?:^|\/)(?:Makefile|Dockerfile)$/i;

export async function judgeTestData({ files, base, isTest, statement }: TestDataInput): Promise<Finding[]> {
  const changed = files.filter(
    ({ path, before, isTest: own }) =>
      before !== undefined &&
      !own &&
      languageOf(path) === undefined &&
      data.test(path) &&
      !known.test(basename(path)),
  );
  const asked = changed.filter(({ path }) => !statement.includes(basename(path)));
  const named = asked.map(({ path }) => ({ path, names: namesOf(path) }));
  await findReaders(named, { base, isTest });
  return named.flatMap(({ path, names }) => {
    const reader = findOnlyTest(names);
    if (reader === undefined) return [];
    const text = `The patch changes ${path}, which contains expected results and which only tests read (${reader}).`;
    return [{ weight: "objection" as const, text }];
  });
}

/** A name by which others may read a file, with the readers that a search has found. */
interface Name {
  readonly name: string;
  readonly pattern: RegExp;
  /** The first test that contains the name. */
  test?: string;
  /** True if something other than a test contains the name. */
  isOther: boolean;
}

/** Lists the file's own name, and its folder's. */
function namesOf(path: string): Name[] {
  const folder = basename(posix.dirname(path));
  return [basename(path), ...(folder.length > 2 ? [folder] : [])].map((name) => ({
    ...{ name, isOther: false },
    pattern: new RegExp(`(?<![\\w.-])${literally(name)}(?![\\w-])`),
  }));
}

async function findReaders(
  named: readonly { readonly path: string; readonly names: readonly Name[] }[],
  { base, isTest }: Pick<TestDataInput, "base" | "isTest">,
): Promise<void> {
  const paths = named.length === 0 ? [] : (await base.list()).filter(isReader).slice(0, mostSearched);
  for (const other of paths) {
    const text = await base.read(other);
    if (text === undefined) continue;
    const isOwn = isTest(other);
    for (const own of named.flatMap(({ path, names }) => (path === other ? [] : names))) {
      if (own.isOther || !text.includes(own.name) || !own.pattern.test(text)) continue;
      if (isOwn) own.test ??= other;
      else own.isOther = true;
    }
  }
}

/** Returns the test that names the file, or else its folder. Undefined if something other than a test names it. */
function findOnlyTest(names: readonly Name[]): string | undefined {
  const first = names.find(({ test, isOther }) => isOther || test !== undefined);
  return first?.isOther === true ? undefined : first?.test;
}

function isReader(path: string): boolean {
  return isOwnSource(path) || settings.test(path);
}
