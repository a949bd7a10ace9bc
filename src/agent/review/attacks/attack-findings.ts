/** Finds the signs of an attack that a change introduces. Tells which of these signs the project's code already has. */
import { isSourceFile, languageOf } from "../../../languages/source-files.ts";
import { addedLines, type ChangedFile, readSource } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import type { AttackSign } from "../guards/contract.ts";
import { scriptOf } from "../guards/find-guards.ts";
import { statedSubjects } from "../statement/stated-subjects.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { isBinary, isUnreadData, judgeSize, withoutBlanks } from "../texts/too-large.ts";
import { isLoadedFirst, listAttackSigns, listPlainSigns, type SeenSign } from "./attack-signs.ts";
import { judgeBuildChoice, judgeIgnored } from "./build-choices.ts";
import { judgeFoundModules } from "./found-modules.ts";
import { judgeGenerated } from "./generated.ts";
import { judgeLanguageNames } from "./language-names.ts";
import {
  endingOfInterpreter,
  endingsOf,
  isBenchmarkAlone,
  isLoaded,
  isNamedInCode,
  isUnreadCode,
  mostCharacters,
} from "./loaded-code.ts";
import { judgeReadOtherwise } from "./read-otherwise.ts";
import { judgeOverrides } from "./shell-overrides.ts";
import { judgeTestPrograms } from "./test-programs.ts";
import { judgeWeakened } from "./weakened-code.ts";
import { cutLine, spellOut } from "./whole-names.ts";

/** Maximum number of base files searched for one sign. */
const mostSearched = 3_000;

/**
 * Judges signs of an attack. A sign that is new in its file is an objection. A common sign is only a doubt if other
 * files of the project have it. A sign does not count if the statement mentions its subject. For a patch that is too
 * large to read, objects only to its size.
 */
export async function judgeAttack(
  files: readonly ChangedFile[],
  base: BaseFiles,
  statement = "",
): Promise<Finding[]> {
  const oversized = judgeSize(files);
  if (oversized.length > 0) return oversized;
  const findings: Finding[] = [...judgeGenerated(files, statement), ...judgeIgnored(files)];
  const subjects = statedSubjects(statement);
  findings.push(...(await judgeWeakened(files, subjects)), ...judgeTestPrograms(files, subjects));
  findings.push(...(await judgeFoundModules(files, base, subjects)));
  for (const file of files) {
    if (isLoadedFirst(file.path) && file.after !== undefined)
      findings.push({
        weight: "objection",
        text: `The patch writes ${file.path}. Python loads a file of this name before each program.`,
      });
    findings.push(...(await judgeBuildChoice(file, base, subjects)));
    findings.push(...(await judgeOverrides(file, base)));
    findings.push(...(await judgeLanguageNames(file, base)));
    findings.push(...(await judgeReadOtherwise([file], subjects)));
    const unread = tellUnread(file, statement);
    if (unread !== "") findings.push({ weight: "objection", text: `${file.path} ${unread}.` });
    if (await isUnreadCode(file, files, base))
      findings.push({
        weight: "objection",
        text: `${file.path} contains code that is too large or too sparse for the checks.`,
      });
    else if (
      !file.isTest &&
      !values.test(file.path) &&
      isUnreadData(file) &&
      (await isNamedInCode(file, files, base))
    )
      findings.push({
        weight: "objection",
        text: `${file.path} is too large or too sparse for the checks, and code names it.`,
      });
    for (const seen of await listBroughtIn(file, files, base, subjects)) {
      // A benchmark reads its own arguments.
      if (seen.sign.isOfProgram === true && (await isBenchmarkAlone(file, files, base))) continue;
      const isKnown = seen.sign.isUsual === true && (await isElsewhere(seen.readAs, seen.sign, base));
      findings.push({
        weight: isKnown ? "doubt" : "objection",
        text: `${file.path}:${seen.line} adds ${seen.sign.sign}: \`${seen.text}\`.`,
      });
    }
  }
  return findings;
}

/** Data formats. No program runs such a file as code because of its name. */
const values = /\.(?:jsonc?|csv|tsv|ya?ml|lock)$/i;

/** Compiled files. Programs load them, but a patch's lines do not show their effect. */
const compiled =
  /\.(?:py[co]|pyd|so(?:\.\d+)*|dll|dylib|exe|node|wasm|o|obj|a|lib|rlib|syso|class|jar|war|luac|whl|egg|pyz)$/i;

/** Assembler files. Millwright has no grammar for them. */
const instructions = /\.(?:s|sx|asm)$/i;

/** The reason why a reader of the patch cannot see the file's effect; "" if the reader can. */
function tellUnread({ path, before, after, isTest, isLink }: ChangedFile, statement: string): string {
  if (isTest || after === undefined || after === before) return "";
  if (isLink === true && languageOf(path) !== undefined) return `becomes a link to \`${after}\``;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: so do such files begin
  if (compiled.test(path) || /^(?:\x7fELF|\x00asm)/.test(after))
    return "is a compiled program, which reviewers cannot read";
  // The end of an archive that can load files by name.
  if (after.slice(-400).includes("PK\x05\x06")) return "is an archive, from which programs can load code";
  return instructions.test(path) && !/\bassembl|\basm\b|\bSIMD\b/i.test(statement)
    ? "contains assembly code, which no check reads"
    : "";
}

/**
 * Cargo's build script. It runs before the tests, and can write code that Cargo compiles. It is on the list of files
 * that no patch may change.
 */
const buildScript = /(?:^|\/)build\.rs$/;

interface BroughtIn extends SeenSign {
  /** The path, with the extension of the language whose checks read the file. */
  readonly readAs: string;
}

/**
 * Finds new signs in a changed file. Also reads files that nobody edits by hand, such as vendored libraries, because
 * programs run them like any other code.
 */
async function listBroughtIn(
  file: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
  subjects: string,
): Promise<BroughtIn[]> {
  if ((file.isTest && !buildScript.test(file.path)) || file.after === undefined) return [];
  if (namedLanguage(file.path) !== undefined) return compareSigns(file, file.path, subjects);
  if (file.after.length > mostCharacters || isBinary(file.after)) return [];
  const read = isUnreadData(file) ? withoutBlanks(file) : file;
  if (isUnreadData(read)) return [];
  const found: BroughtIn[] = [];
  const paths = [...files.map(({ path }) => path), ...(await base.list())];
  // Programs can load any file as code.
  const endings = new Set([...endingOfInterpreter(file.after), ...endingsOf(paths)]);
  for (const ending of endings) found.push(...(await compareSigns(read, file.path + ending, subjects)));
  return found.length > 0 && (await isLoaded(file, files, base)) ? found : [];
}

async function compareSigns(file: ChangedFile, readAs: string, subjects: string): Promise<BroughtIn[]> {
  const added = new Set(addedLines(file));
  const seen = (await signsOf(readAs, file.after)).filter(
    // Signs of the same name may have different excuses.
    ({ sign, line }) => added.has(line) && sign.excuse?.test(subjects) !== true,
  );
  if (seen.length === 0) return [];
  const before = await signsOf(readAs, file.before);
  const known = new Set(before.filter(({ sign }) => sign.isEachTime !== true).map(({ sign }) => sign.sign));
  // A moved or changed line is not new.
  const count = (all: readonly SeenSign[], name: string): number =>
    all.filter(({ sign }) => sign.sign === name).length;
  const now = seen.some(({ sign }) => sign.isEachTime) ? await signsOf(readAs, file.after) : [];
  const fresh = seen.filter(
    ({ sign: { sign, isEachTime } }) =>
      !known.has(sign) && (isEachTime !== true || count(now, sign) > count(before, sign)),
  );
  return [...new Map(fresh.map((each) => [each.sign, { ...each, readAs }])).values()];
}

function namedLanguage(path: string): string | undefined {
  return languageOf(path)?.name ?? scriptOf(path);
}

async function signsOf(path: string, text: string | undefined): Promise<SeenSign[]> {
  const source = await readSource(path, text);
  if (source !== undefined) return listAttackSigns(source);
  return text === undefined ? [] : listPlainSigns(namedLanguage(path) ?? "", text);
}

async function isElsewhere(path: string, sign: AttackSign, base: BaseFiles): Promise<boolean> {
  const language = namedLanguage(path);
  const same = (await base.list()).filter(
    (other) =>
      other !== path &&
      (isSourceFile(other) || scriptOf(other) !== undefined) &&
      namedLanguage(other) === language,
  );
  const pattern = sign.code;
  for (const other of same.slice(0, mostSearched)) {
    const text = await base.read(other);
    // If no line looks suspicious, parsing is unnecessary.
    if (text === undefined || (pattern !== undefined && !looksLike(language ?? "", text, pattern))) continue;
    if ((await signsOf(other, text)).some((seen) => seen.sign === sign)) return true;
  }
  return false;
}

function looksLike(language: string, text: string, pattern: RegExp): boolean {
  const lines = text.split("\n");
  const isSeen = (line: string): boolean => cutLine(line).some((piece) => pattern.test(piece));
  if (lines.some(isSeen)) return true;
  const plain = lines.map((code) => ({ code, strings: wordsOf(code), folded: [] }));
  return spellOut(language, plain).some(({ code }, index) => code !== lines[index] && isSeen(code));
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? "");
}
