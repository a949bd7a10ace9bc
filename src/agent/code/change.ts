/** A candidate's change in the form that checks need: whole files before and after, and the differing lines. */
import { extname } from "node:path";
import { diffLines } from "../../edit/line-diff.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import { dialectOf } from "../../syntax/dialects/index.ts";
import { parseSyntax } from "../../syntax/node.ts";
import type { Source } from "../../syntax/reading.ts";
import type { TreeStore } from "../../workspace/contract.ts";

export interface Hunk {
  /** The hunk's lines in the old text, from 1; `beforeEnd` is exclusive. Empty if the hunk only adds lines. */
  readonly beforeStart: number;
  readonly beforeEnd: number;
  /** The hunk's lines in the new text, from 1; `afterEnd` is exclusive. Empty if the hunk only removes lines. */
  readonly afterStart: number;
  readonly afterEnd: number;
}

export interface ChangedFile {
  readonly path: string;
  /** The file's text before the change; undefined if the file is new. */
  readonly before: string | undefined;
  /** The file's text after the change; undefined if the file is deleted. */
  readonly after: string | undefined;
  readonly isTest: boolean;
  /** True for a link. The new text is then the path of its target. */
  readonly isLink?: true;
  readonly hunks: readonly Hunk[];
}

export interface Change {
  readonly files: readonly ChangedFile[];
}

export async function readChange(
  trees: TreeStore,
  regions: Pick<TestRegions, "isWhole">,
  from: string,
  to: string,
): Promise<Change> {
  const files: ChangedFile[] = [];
  const links = new Set(
    (await trees.list(to)).flatMap(({ path, mode }) => (mode === "120000" ? [path] : [])),
  );
  for (const { path } of await trees.stat(from, to)) {
    const before = (await trees.read(from, path))?.toString("utf8");
    const after = (await trees.read(to, path))?.toString("utf8");
    const compared = compareTexts(path, before, after, regions.isWhole(path));
    files.push(links.has(path) ? { ...compared, isLink: true } : compared);
  }
  return { files };
}

export function compareTexts(
  path: string,
  before: string | undefined,
  after: string | undefined,
  isTest = isTestFile(path),
): ChangedFile {
  const changes = diffLines(linesOf(before), linesOf(after), (line) => line);
  const hunks = changes.map(({ fromStart, fromEnd, toStart, toEnd }) => ({
    beforeStart: fromStart + 1,
    beforeEnd: fromEnd + 1,
    afterStart: toStart + 1,
    afterEnd: toEnd + 1,
  }));
  return { path, before, after, isTest, hunks };
}

export function linesOf(text: string | undefined): string[] {
  if (text === undefined || text === "") return [];
  return text.replace(/\n$/, "").split("\n");
}

/** Reverts these hunks in the new text. */
export function withoutHunks({ before, after }: ChangedFile, hunks: readonly Hunk[]): string {
  const [old, lines] = [linesOf(before), linesOf(after)];
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks.toSorted(
    (one, other) => other.afterStart - one.afterStart,
  ))
    lines.splice(afterStart - 1, afterEnd - afterStart, ...old.slice(beforeStart - 1, beforeEnd - 1));
  return lines.map((line) => `${line}\n`).join("");
}

/** Returns the numbers (from 1) of added or changed lines in the new text. */
export function addedLines({ hunks }: Pick<ChangedFile, "hunks">): number[] {
  return hunks.flatMap(({ afterStart, afterEnd }) => range(afterStart, afterEnd));
}

/** Returns the numbers (from 1) of removed or changed lines in the old text. */
export function removedLines({ hunks }: Pick<ChangedFile, "hunks">): number[] {
  return hunks.flatMap(({ beforeStart, beforeEnd }) => range(beforeStart, beforeEnd));
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, index) => start + index);
}

/**
 * Parses the text, and adds the dialect with the meaning of the grammar's node kinds. Undefined without a text or a
 * dialect.
 */
export async function readSource(path: string, text: string | undefined): Promise<Source | undefined> {
  const language = languageOf(path);
  const dialect = language === undefined ? undefined : dialectOf(language.name);
  if (language === undefined || dialect === undefined || text === undefined) return undefined;
  return { file: path, tree: await parseSyntax(language.grammar(extname(path)), text), dialect };
}
