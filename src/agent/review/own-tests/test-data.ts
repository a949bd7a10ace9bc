/**
 * Finds changed data that only tests read, in any folder. Such data contains expected results, so its change can let
 * wrong code pass. Decides by names: tests mention the file's name, and no code, setting or document does.
 */
import { basename, posix } from "node:path";
import { literally } from "../../../base/literal-pattern.ts";
import { isOwnSource, languageOf } from "../../../languages/source-files.ts";
import type { ChangedFile } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import type { BaseFiles } from "../texts/base-files.ts";

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
const mostSearched = 3_000;

export async function judgeTestData({ files, base, isTest, statement }: TestDataInput): Promise<Finding[]> {
  const changed = files.filter(
    ({ path, before, isTest: own }) =>
      before !== undefined &&
      !own &&
      languageOf(path) === undefined &&
      data.test(path) &&
      !known.test(basename(path)),
  );
  if (changed.length === 0) return [];
  const findings: Finding[] = [];
  const listed = (await base.list()).slice(0, mostSearched * 4);
  for (const { path } of changed) {
    if (statement.includes(basename(path))) continue;
    const reader = await findOnlyTest(path, { listed, base, isTest });
    if (reader === undefined) continue;
    const text = `The patch changes ${path}, which contains expected results and which only tests read (${reader}).`;
    findings.push({ weight: "objection", text });
  }
  return findings;
}

interface Search extends Pick<TestDataInput, "base" | "isTest"> {
  readonly listed: readonly string[];
}

/** Finds the test that names the file, or else its folder. Undefined if something other than a test names it. */
async function findOnlyTest(path: string, { listed, base, isTest }: Search): Promise<string | undefined> {
  const folder = basename(posix.dirname(path));
  const names = [basename(path), ...(folder.length > 2 ? [folder] : [])];
  for (const name of names) {
    const pattern = new RegExp(`(?<![\\w.-])${literally(name)}(?![\\w-])`);
    let reader: string | undefined;
    for (const other of listed.filter((each) => each !== path && isReader(each)).slice(0, mostSearched)) {
      const text = await base.read(other);
      if (text === undefined || !pattern.test(text)) continue;
      if (!isTest(other)) return undefined;
      reader ??= other;
    }
    if (reader !== undefined) return reader;
  }
  return undefined;
}

function isReader(path: string): boolean {
  return isOwnSource(path) || settings.test(path);
}
