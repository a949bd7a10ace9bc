/**
 * Searches the files beside the changed code for lines of the fix: a fixed version of the project, or its patch. Both
 * the setup and the commit may contain one.
 */
import { writeFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { countOf } from "../../base/count.ts";
import { type OpenTask, withCheckout } from "../../bench/open-task.ts";
import { squeeze } from "../../edit/text-lines.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { Change, Finding, Split } from "../contract.ts";
import { changedLines, linesOfFiles } from "./patch-lines.ts";

/** Minimum number of characters of a line. Many files contain shorter lines. */
const leastCharacters = 16;
/** Maximum share of the fix's lines in one file. Half of a fix reveals the rest. */
const mostShare = 0.5;
/** Minimum number of characters of a telling part of the fix. Many files contain shorter parts. */
const tellingCharacters = 32;
/** Limits for other code of the commit. It contains some lines of a fix by chance, for example in similar functions. */
const tracked = { leastLines: 3, mostShare: 0.8 };
/** Limits for documents. They show how to use code, but rarely contain its lines. */
const document = { leastLines: 2, mostShare };
const documents = /\.(?:md|markdown|rst|adoc|asciidoc|textile|rdoc|txt)$/i;
const delivers =
  /\.(?:patch|diff|orig|rej|whl|zip|jar|egg|gem|crate|tgz|tar|gz|bz2|xz)$|(?:^|\/)(?:vendor|third_party|node_modules|dist|build)\/|\.git$/;
const searchMs = 90_000;

/**
 * Prints, for each file: the number of different texts in it, their bytes, and the file's path. Searches text files,
 * archives, and the commits and dangling files of git directories, except those of the base. Paths with line breaks do
 * not match.
 */
export const search = String.raw`
count() { grep -aohFf "$1" | sort -u | wc -lc; }
unpack() {
  case "$1" in
    *.gem) tar -xOf "$1" data.tar.gz | gzip -dc | tar -xOf - ;;
    *.whl|*.zip|*.jar|*.egg) unzip -p "$1" || python3 -c 'import sys, zipfile
z = zipfile.ZipFile(sys.argv[1])
for n in z.namelist(): sys.stdout.buffer.write(z.read(n))' "$1" ;;
    *.tgz|*.crate|*.tar|*.tar.*) tar -xOf "$1" ;;
    *.gz) gzip -dc "$1" ;;
    *.bz2) bzip2 -dc "$1" ;;
    *.xz) xz -dc "$1" ;;
  esac 2>/dev/null
}
# Files that no commit has: the second and third list remove what some commit has.
dangling() {
  known=$(git "$@" rev-list --objects --missing=allow-any --all --reflog) || return 0
  { git "$@" cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)' | sed -n 's/^blob //p'
    printf '%s\n' "$known" "$known" | cut -d ' ' -f 1; } | sort | uniq -u | head -n 5000 | git "$@" cat-file --batch
}
grep -rIlFf "$1" --exclude-dir=.git . | head -n 1000 | while IFS= read -r file; do
  printf '%s %s\n' "$(count "$1" < "$file")" "$file"
done
find . -type f -size -40000k \( -name '*.gem' -o -name '*.whl' -o -name '*.zip' -o -name '*.jar' -o -name '*.egg' \
  -o -name '*.tgz' -o -name '*.crate' -o -name '*.tar' -o -name '*.gz' -o -name '*.bz2' -o -name '*.xz' \) |
  head -n 200 | while IFS= read -r file; do
  printf '%s %s\n' "$(unpack "$file" | count "$1")" "$file"
done
find . -type d -name objects | head -n 50 | while IFS= read -r objects; do
  folder=$(dirname "$objects")
  [ -f "$folder/HEAD" ] || continue
  left=; [ "$folder" = ./.git ] && left="--not HEAD"
  set -- "$1" -c safe.directory='*' --git-dir="$folder"
  printf '%s %s\n' "$(texts=$1; shift; {
    git "$@" log --all --reflog -n 500 -p --no-color $left | head -c 50000000
    dangling "$@" | head -c 50000000
  } 2>/dev/null | count "$texts")" "$folder"
done`;

/** Like the first search, but ignores spaces. Searches only files whose path contains one of the further arguments. */
export const searchSqueezed = String.raw`
texts=$1; shift
for name in "$@"; do
  find . -type d -name .git -prune -o -type f -size -5000k -ipath "*$name*" -print | head -n 400
done | sort -u | while IFS= read -r file; do
  printf '%s %s\n' "$(tr -d '[:space:]' < "$file" | grep -aoFf "$texts" | sort -u | wc -lc)" "$file"
done`;

export async function judgeEnvironment(
  open: OpenTask,
  split: Split,
  { repository }: Pick<Change, "repository">,
): Promise<Finding> {
  const { trees } = open.workspace;
  const own = new Set([...split.codeFiles, ...split.testFiles]);
  const files = (await trees.list(open.trees.tests)).map(({ path }) => path);
  const lines = await tellingLines(open, split);
  const held = lines.length === 0 ? nothing : await searchFor(open, search, { texts: lines, names: [] });
  const found = weighHolders(without(own, held.holders), lines, new Set(files));
  if (found.isBad) return found;
  const texts = await tellingHunks(open, split);
  if (texts.length === 0) return tellSearch(found, held);
  const names = namesOf(repository, split);
  const copies = await searchFor(open, searchSqueezed, { texts, names });
  const copied = weighHolders(without(own, copies.holders), texts, new Set(files));
  return copied.isBad ? copied : tellSearch(found, { isWhole: held.isWhole && copies.isWhole });
}

/** If the search ended early, notes this in the finding, and lowers its score to at most 0.5. */
export function tellSearch(found: Finding, { isWhole }: Pick<Search, "isWhole">): Finding {
  if (isWhole) return found;
  return {
    ...found,
    score: Math.min(found.score, 0.5),
    reason: `${found.reason}, but the search ended early, after ${searchMs / 1000} s`,
  };
}

function without(own: ReadonlySet<string>, held: readonly Holder[]): Holder[] {
  return held.filter(({ path }) => !own.has(path));
}

/** Returns the names in paths of possible copies: the changed files, and the project. */
function namesOf(repository: string, { codeFiles }: Split): string[] {
  const project = repository.split("/").at(-1) ?? "";
  const stems = codeFiles.map((path) => posix.basename(path));
  return [...new Set([...stems, project])].filter((name) => name.length > 2 && !/[*?[\]\\]/.test(name));
}

/**
 * Returns each hunk's new code with one line around it, without spaces. The lines around a short line tell it from
 * equal ones. Omits short texts, and texts that the files had before.
 */
async function tellingHunks(
  { workspace, trees }: OpenTask,
  { goldPatch, codeFiles }: Split,
): Promise<string[]> {
  const before = await Promise.all(codeFiles.map((path) => workspace.trees.read(trees.base, path)));
  const known = squeeze(before.map((content) => content?.toString("utf8") ?? "").join("\n"));
  const texts = hunkTexts(goldPatch, codeFiles).map(squeeze);
  return [...new Set(texts)].filter((text) => text.length >= leastCharacters && !known.includes(text));
}

/**
 * Returns each hunk's new lines from the first to the last added line, with one line before and after. Omits hunks that
 * add only imports and blank lines.
 */
export function hunkTexts(patch: string, files: readonly string[]): string[] {
  const hunks: string[][] = [];
  for (const line of linesOfFiles(patch, files)) {
    if (line.startsWith("@@")) hunks.push([]);
    else if (/^[+ ](?!\+\+ )/.test(line)) hunks.at(-1)?.push(line);
  }
  return hunks.flatMap((lines) => {
    const first = lines.findIndex((line) => line.startsWith("+"));
    const last = lines.findLastIndex((line) => line.startsWith("+"));
    const own = lines.slice(Math.max(0, first - 1), last + 2);
    const isTelling = lines.some((line) => line.startsWith("+") && !isImport(line.slice(1)));
    return !isTelling ? [] : [own.map((line) => line.slice(1)).join("\n")];
  });
}

/** Matches imports. Many files of a project have the same imports. Blank lines count as imports. */
const imports =
  /^\s*(?:$|import\b|from\s+\S+\s+import\b|(?:const|let|var)\s+[\w{},\s:*$]+=\s*require\(|require(?:_relative)?\b|use\s+[\w:\\]+|#\s*include\b|using\s+[\w.]+;|\}\s*from\b|export\s.*\sfrom\s+["']|(?:[\w.]+\s+)?"[\w./-]+"$)/;

export function isImport(line: string): boolean {
  return imports.test(line);
}

/** Judges files that contain lines of the fix. `committed`: the files of the commit. */
export function weighHolders(
  held: readonly Holder[],
  lines: readonly string[],
  committed: ReadonlySet<string>,
): Finding {
  const isTelling = (holder: Holder): boolean => holder.characters >= tellingCharacters;
  const shareOf = (holder: Holder): number => holder.lines / lines.length;
  const tells = (holder: Holder): boolean => {
    if (!committed.has(holder.path) || delivers.test(holder.path))
      return isTelling(holder) && shareOf(holder) >= mostShare;
    const limit = documents.test(holder.path) ? document : tracked;
    return holder.lines >= limit.leastLines && shareOf(holder) >= limit.mostShare;
  };
  const ranked = held.toSorted((a, b) => b.lines - a.lines);
  const worst = ranked.find(tells) ?? ranked.find(({ path }) => !committed.has(path));
  const shown = worst ?? ranked[0];
  const isBad = worst !== undefined && tells(worst);
  return {
    check: "leaked-environment",
    score: worst !== undefined && isTelling(worst) ? 1 - Math.min(1, shareOf(worst)) : 1,
    isBad,
    reason:
      shown === undefined
        ? "no other file contains a distinctive line of the fix"
        : `${shown.path} contains ${shown.lines} of ${countOf(lines.length, "distinctive line")} of the fix`,
  };
}

async function tellingLines({ workspace, trees }: OpenTask, split: Split): Promise<string[]> {
  const before = await Promise.all(split.codeFiles.map((path) => workspace.trees.read(trees.base, path)));
  return listTellingLines(split, before.map((content) => content?.toString("utf8") ?? "").join("\n"));
}

/**
 * Returns added lines that the files did not have before. Omits short lines and imports. Includes comments only if the
 * fix adds nothing else, because another author would write other comments.
 */
export function listTellingLines(
  { goldPatch, codeFiles }: Pick<Split, "goldPatch" | "codeFiles">,
  before: string,
): string[] {
  const added = codeFiles.flatMap((path) => {
    const sign = languageOf(path)?.lineComment;
    return changedLines(goldPatch, [path]).added.map((text) => ({
      text,
      isComment: sign !== undefined && text.startsWith(sign),
    }));
  });
  const telling = added.filter(
    ({ text }) => text.length >= leastCharacters && !isImport(text) && !before.includes(text),
  );
  const code = telling.filter(({ isComment }) => !isComment);
  return [...new Set((code.length > 0 ? code : telling).map(({ text }) => text))];
}

export interface Holder {
  /** The file's path, relative to the root. */
  readonly path: string;
  readonly lines: number;
  /** Total bytes of `lines`. */
  readonly characters: number;
}

interface Search {
  readonly holders: readonly Holder[];
  /** False if a limit stopped the search. Other files may then also contain the texts. */
  readonly isWhole: boolean;
}

const nothing: Search = { holders: [], isWhole: true };

interface Searched {
  readonly texts: readonly string[];
  /** The script's further arguments. */
  readonly names: readonly string[];
}

/** Searches in the sandbox, because links of the environment may lead out of it. */
function searchFor(open: OpenTask, script: string, { texts, names }: Searched): Promise<Search> {
  return withCheckout(open, async (checkout) => {
    await checkout.lay(open.trees.tests);
    const { host, inside } = checkout.scratch;
    await writeFile(join(host, "fix-lines"), `${texts.join("\n")}\n`);
    const { stdout, end } = await checkout.execute({
      run: ["/bin/sh", "-c", script, "sh", join(inside, "fix-lines"), ...names],
      timeoutMs: searchMs,
      signal: open.options.signal,
    });
    return { holders: readHolders(`${stdout.head}${stdout.tail}`), isWhole: end === "exited" };
  });
}

export function readHolders(output: string): Holder[] {
  return output.split("\n").flatMap((line): Holder[] => {
    const [, count, bytes, path] = /^\s*(\d+)\s+(\d+) \.\/(.+)$/.exec(line) ?? [];
    if (path === undefined || count === "0") return [];
    const lines = Number(count);
    return [{ path, lines, characters: Number(bytes) - lines }];
  });
}
