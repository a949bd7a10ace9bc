/** What a change brings in of the signs of an attack, and what of it the code around did before. */
import { isSourceFile, languageOf } from "../../languages/source-files.ts";
import type { Workspace } from "../../workspace/contract.ts";
import type { AttackSign } from "./attack-sign-table.ts";
import { isLoadedFirst, listAttackSigns, listPlainSigns, type SeenSign } from "./attack-signs.ts";
import { addedLines, type ChangedFile, readSource } from "./change.ts";
import type { Finding } from "./contract.ts";

export interface BaseFiles {
  readonly list: () => Promise<readonly string[]>;
  readonly read: (path: string) => Promise<string | undefined>;
}

export function baseFiles({ trees, base }: Pick<Workspace, "trees" | "base">): BaseFiles {
  return {
    list: async () => (await trees.list(base)).map(({ path }) => path),
    read: async (path) => (await trees.read(base, path))?.toString("utf8"),
  };
}

/** Files of the base that are looked through, for one sign. */
const mostSearched = 3_000;

/**
 * An objection for each sign that is new in its file; a doubt where it is a usual one, and the project does it in other files already.
 * None where the statement speaks of its subject.
 */
export async function judgeAttack(
  files: readonly ChangedFile[],
  base: BaseFiles,
  statement = "",
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const file of files) {
    if (isLoadedFirst(file.path) && file.after !== undefined)
      findings.push({ weight: "objection", text: `${file.path} is loaded before any program is.` });
    const unread = tellUnread(file);
    if (unread !== "") findings.push({ weight: "objection", text: `${file.path} ${unread}.` });
    for (const seen of await listBroughtIn(file)) {
      if (seen.sign.excuse?.test(statement) === true) continue;
      const isKnown = seen.sign.isUsual === true && (await isElsewhere(file, seen.sign, base));
      findings.push({
        weight: isKnown ? "doubt" : "objection",
        text: `${file.path}:${seen.line} brings in ${seen.sign.sign}: \`${seen.text}\`.`,
      });
    }
  }
  return findings;
}

/** What programs load, and what no line of a patch shows. */
const compiled =
  /\.(?:py[co]|pyd|so(?:\.\d+)*|dll|dylib|exe|node|wasm|o|obj|a|lib|rlib|syso|class|jar|war|luac|whl|egg|pyz)$/i;

/** Why nobody who reads the patch sees what the file does; "" where one can. */
function tellUnread({ path, before, after, isTest, isLink }: ChangedFile): string {
  if (isTest || after === undefined || after === before) return "";
  if (isLink === true && languageOf(path) !== undefined) return `becomes a link to \`${after}\``;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: so do such files begin
  return compiled.test(path) || /^(?:\x7fELF|\x00asm)/.test(after)
    ? "is a compiled program that nobody can read"
    : "";
}

/** Runs before the tests do, and writes what is compiled; its name is among those that no patch of a search changes. */
const buildScript = /(?:^|\/)build\.rs$/;

/** Files that nobody edits by hand, such as a vendored library's, run as others do. */
async function listBroughtIn(file: ChangedFile): Promise<SeenSign[]> {
  if ((file.isTest && !buildScript.test(file.path)) || languageOf(file.path) === undefined) return [];
  if (file.after === undefined) return [];
  const added = new Set(addedLines(file));
  const seen = (await signsOf(file.path, file.after)).filter(({ line }) => added.has(line));
  if (seen.length === 0) return [];
  const known = new Set((await signsOf(file.path, file.before)).map(({ sign }) => sign.sign));
  const fresh = seen.filter(({ sign }) => !known.has(sign.sign));
  return [...new Map(fresh.map((each) => [each.sign, each])).values()];
}

async function signsOf(path: string, text: string | undefined): Promise<SeenSign[]> {
  const source = await readSource(path, text);
  if (source !== undefined) return listAttackSigns(source);
  return text === undefined ? [] : listPlainSigns(languageOf(path)?.name ?? "", text);
}

async function isElsewhere({ path }: ChangedFile, sign: AttackSign, base: BaseFiles): Promise<boolean> {
  const language = languageOf(path)?.name;
  const same = (await base.list()).filter(
    (other) => other !== path && isSourceFile(other) && languageOf(other)?.name === language,
  );
  const pattern = sign.code;
  for (const other of same.slice(0, mostSearched)) {
    const text = await base.read(other);
    // What no line looks like need not be parsed.
    if (text === undefined || (pattern !== undefined && !text.split("\n").some((line) => pattern.test(line))))
      continue;
    if ((await signsOf(other, text)).some((seen) => seen.sign === sign)) return true;
  }
  return false;
}
