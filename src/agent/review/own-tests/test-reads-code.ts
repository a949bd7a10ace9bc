/**
 * Finds tests that inspect the code instead of running it. They read its text, syntax tree or byte code, or its state
 * in version control. Such tests pass with any patch of the expected form. Also finds tests that compare with a
 * recording that they create themselves. Reads the tests' lines.
 */
import { basename } from "node:path";
import { isSourceFile, isTestFile, languageOf } from "../../../languages/source-files.ts";
import { readsText } from "../guards/attack-sign-kinds.ts";
import type { Look } from "../guards/contract.ts";
import { guardsOf } from "../guards/find-guards.ts";
import { type BaseFiles, mostSearched } from "../texts/base-files.ts";
import type { OwnTest } from "../texts/own-tests.ts";
import { findListedSource, listsFiles } from "./listed-sources.ts";

const ofSources = readsText.excuse;
const versionControl: Look = {
  says: "reads version control",
  code: /["'`]git["'`]\s*,|["'`]git (?:diff|status|log|show|rev-parse|ls-files)\b/,
  excuse: /\bgit\b|\brepositor|\bcommit|\bbranch/i,
};
const reading =
  /\bopen\s*\(|\bread_(?:text|bytes)\b|\bread(?:File|_to_string|All\w*|String|Lines)?(?:Sync)?\s*\(|\bReadFile\b|\binclude_(?:str|bytes)!|\bgo:embed\b|\b(?:ast\.)?parse\s*\(|\bst_(?:size|mtime)|\bgetsize\s*\(|\b[lf]?stat(?:Sync)?\s*\(|\bL?Stat\s*\(|\bmetadata\s*\(|\bFiles\s*\.\s*(?:size|mismatch|lines)\s*\(|\bnew\s+File\s*\(|\bParseFile\s*\(/;
const running =
  /\b(?:run|spawn|exec\w*|Popen|call|check_(?:call|output)|system|Command|import_module|spec_from_file_location|run_path|fork|Worker)\s*(?:\(|!|::)/;
const recording =
  /(?:\bnot\b[^\n]*\b(?:exists|is_file|isfile)\s*\(|!\s*[\w.]*\b(?:exists(?:Sync)?|notExists)\s*\(|\bnotExists\s*\(|![\w.()]+\.exists\(\)|\bIsNotExist\s*\(|\bErrNotExist\b|\bFileNotFoundError\b|\bENOENT\b)[\s\S]{0,200}?(?:\bwrite_(?:text|bytes)\s*\(|\bopen\s*\([^)\n]*["'][wax]|\bwriteFile(?:Sync)?\s*\(|\bWriteFile\s*\(|\bfs::write\s*\(|\bFiles\s*\.\s*write\w*\s*\(|\bdump\s*\()/;
/** A temporary folder, which is new in each run. */
const fresh =
  /\btmp_path\b|\btmpdir\b(?!\s*\()|\bTemporaryDirectory\b|\bmkdtemp\w*|\bTempDir\s*\(|@TempDir|\btempdir\s*\(\)\s*\.|\btempfile::/;
const snapshot = /\.\s*toMatch(?:File)?Snapshot\s*\(|\.\s*toMatchInlineSnapshot\s*\(\s*\)/;

/**
 * Describes a test that reads the code instead of running it, or that compares with its own recording. Returns
 * undefined for other tests. A statement that asks for tests that read the code excuses them, but does not excuse a
 * test with its own recording.
 */
export async function findLook(
  test: OwnTest,
  { statement, base, recordings }: LookInput,
): Promise<string | undefined> {
  const text = bare(`${test.around}\n${test.body}`);
  const { looks = [], reading: own } = guardsOf(languageOf(test.file)?.name ?? "") ?? {};
  const reads = (line: string): boolean => reading.test(line) || own?.test(line) === true;
  const look = [...looks, versionControl].find(
    ({ code, excuse }) => code.test(text) && !excuse.test(statement),
  );
  if (look !== undefined) return look.says;
  if (recording.test(text) && !fresh.test(text)) return "records its own expected value";
  if (snapshot.test(text) && !recordings(test)) return "compares with a snapshot that does not exist";
  const asked = await findFunction(listAskedForText(test.file, text), base);
  if (asked !== undefined && !ofSources.test(statement)) return `reads the text of ${asked}`;
  if (ofSources.test(statement) || !(reads(text) || listsFiles(text))) return undefined;
  const lines = text.split("\n").filter((line) => !running.test(line));
  const files = await base.list();
  const sources = files.filter(isSourceFile);
  const read = lines.filter((line) => isRead(line, text, reads));
  const source = read
    .flatMap((line) => listLiterals(line))
    .find((each) => namesSource(each, files) && !isFreshOnly(basename(each), lines));
  const stems = new Map(sources.map((path) => [basename(path).replace(/\.\w+$/, ""), basename(path)]));
  // `require.resolve("../fee")` completes the name.
  const resolved = read
    .filter((line) => /\bresolve\s*\(/.test(line))
    .flatMap((line) => listLiterals(line).flatMap((each) => stems.get(basename(each)) ?? []));
  const named = source === undefined ? resolved[0] : basename(source);
  if (named !== undefined) return `reads the text of ${named}`;
  const listed = findListedSource(
    lines.map((line) => ({ line, literals: listLiterals(line) })),
    sources.filter((path) => !isTestFile(path)),
  );
  if (listed !== undefined) return `reads the text of ${listed}`;
  const isOwnFile = lines.some((line) => /\w\.__file__\b/.test(line) && !/\bimport\b/.test(line));
  return isOwnFile &&
    /\.__file__\b[^\n]*\bread|\bopen\s*\(\s*\w+\.__file__|\bparse\s*\([^\n]*__file__/.test(text)
    ? "reads the text of the code"
    : undefined;
}

/**
 * True if the literal may name a source: it has a source's name. The end of another file's path is that file:
 * `fixtures/fee.py`.
 */
function namesSource(literal: string, files: readonly string[]): boolean {
  const name = basename(literal);
  const path = literal.replace(/^(?:\.{0,2}\/)+/, "");
  const found = files.filter((each) => basename(each) === name);
  const exact = path.includes("/") ? found.filter((each) => `/${each}`.endsWith(`/${path}`)) : [];
  return (exact.length > 0 ? exact : found).some(isSourceFile);
}

/** True if all lines with the name are about a new temporary folder: `tmp_path / "fee.py"`. */
function isFreshOnly(name: string, lines: readonly string[]): boolean {
  if (lines.some((line) => /\b(?:tmp_path|tmpdir)\s*(?::[^=]*)?=(?!=)/.test(line))) return false;
  return lines.every((line) => {
    const own = listLiterals(line).filter((each) => basename(each) === name);
    return own.length === 0 || (own.length === 1 && own[0] === name && fresh.test(line));
  });
}

export interface LookInput {
  readonly statement: string;
  readonly base: BaseFiles;
  /** True if the patch or the base has a recording for the test. */
  readonly recordings: (test: OwnTest) => boolean;
}

/** Removes comment lines. */
function bare(text: string): string {
  return text
    .split("\n")
    .filter((line) => !/^\s*(?:#(?!\[)|\/\/(?!go:)|\*)/.test(line))
    .join("\n");
}

/** Lists the line's literals. `"fee" + ".py"` counts as one. */
function listLiterals(line: string): string[] {
  const joined = line.replaceAll(/(?<=[\w/.*-])(["'`])\s*[+.]\s*\1(?=[\w/.*-])/g, "");
  return [...joined.matchAll(/["'`]([^"'`\n]+)["'`]/g)].map(([, one = ""]) => one);
}

/** True if the line reads the named file, or assigns it to a variable through which another line reads it. */
function isRead(line: string, text: string, reads: (line: string) => boolean): boolean {
  if (reads(line)) return true;
  const [, name] = /^\s*(?:(?:const|let|var)\s+)?([\p{L}_$][\p{L}\p{N}_$]*)\s*:?=(?!=)/u.exec(line) ?? [];
  if (name === undefined) return false;
  const word = new RegExp(`(?<![\\w$])${name.replaceAll("$", String.raw`\$`)}(?![\\w$])`);
  return text.split("\n").some((other) => other !== line && word.test(other) && reads(other));
}

/** Names whose source a JavaScript test asks for: `fee.toString()`, `String(fee)`. */
function listAskedForText(file: string, text: string): string[] {
  if (!/\.[cm]?[jt]sx?$/.test(file)) return [];
  const found = [
    ...text.matchAll(/(?<![\w$])([\w$]+)\s*\.\s*toString\s*\(\s*\)/g),
    ...text.matchAll(/`\$\{([\w$]+)\}`|(?<![\w$.])([\w$]+)\s*\+\s*(?:""|''|``)/g),
    ...text.matchAll(/(?:\bString\s*\(\s*|\btoString\s*\.\s*call\s*\(\s*)(?:[\w$]+\.)*([\w$]+)\s*\)/g),
  ];
  return found.map(([, name, other]) => name ?? other ?? "");
}

/** Finds the first name that the base defines as a function. */
async function findFunction(names: readonly string[], base: BaseFiles): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  for (const path of (await base.list()).filter(isSourceFile).slice(0, mostSearched)) {
    const text = (await base.read(path)) ?? "";
    const found = names.find((name) => {
      const escaped = name.replaceAll("$", String.raw`\$`);
      return new RegExp(
        `\\bfunction\\*?\\s+${escaped}\\b|(?<![\\w$])${escaped}\\s*=\\s*(?:async\\s*)?(?:function\\b|\\()`,
      ).test(text);
    });
    if (found !== undefined) return found;
  }
  return undefined;
}
