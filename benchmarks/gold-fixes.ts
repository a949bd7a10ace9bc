/**
 * Reads fixes with their statements: drawn from clones by a seed, with the commit's message, or tasks in SWE-bench's
 * fields with `gold_commit`.
 */
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { isSourceFile, languageOf } from "../src/languages/source-files.ts";
import { isExtra } from "../src/mine/delivered.ts";
import { type Draw, drawFixes, git, show, splitChange } from "./unseen-draw.ts";
import type { Texts } from "./unseen-project.ts";

export interface GoldFix {
  readonly name: string;
  /** The clone, and its folder's name. */
  readonly folder: string;
  readonly repository: string;
  readonly language: string;
  readonly base: string;
  readonly statement: string;
  /** The command of the tests that the fix changes; without it, the language's command for the whole suite. */
  readonly testCommand?: string;
  /** All that the fix changes, tests too. */
  readonly gold: Texts;
  /** Of the files with code that is delivered: as they were, with the tests that the fix adds inside of them. */
  readonly broken: Texts;
  /** Files of tests as they were. */
  readonly oldTests: Texts;
}

export function drawGold(folders: readonly string[], draw: Draw): GoldFix[] {
  return drawFixes(folders, draw).flatMap(({ repository, folder, language, commit }) => {
    const statement = statementOf(git(folder, "log", "-1", "--format=%B", commit));
    const name = `${repository} ${commit.slice(0, 8)}`;
    return readGold({ name, folder, repository, language, base: `${commit}^`, statement }, commit);
  });
}

/** The lines of a task file; clones are looked for as `OWNER__NAME`. */
export function readTasks(file: string, folders: readonly string[]): GoldFix[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .flatMap((line) => {
      const task = JSON.parse(line);
      const { instance_id, repo, language, base_commit, gold_commit, problem_statement, test_cmd } = task;
      const repository = String(repo).replace("/", "__");
      const folder = folders.find((each) => basename(each) === repository);
      if (folder === undefined || gold_commit === undefined) return [];
      const own = { name: instance_id, folder, repository, language, base: base_commit };
      const testCommand = typeof test_cmd === "string" ? { testCommand: test_cmd } : {};
      return readGold({ ...own, ...testCommand, statement: String(problem_statement) }, gold_commit);
    });
}

function readGold(known: Omit<GoldFix, "gold" | "broken" | "oldTests">, commit: string): GoldFix[] {
  const { folder, base } = known;
  const gold: Record<string, string | undefined> = {};
  const broken: Record<string, string | undefined> = {};
  const oldTests: Record<string, string | undefined> = {};
  for (const line of git(folder, "diff", "--no-renames", "--name-status", base, commit).split("\n")) {
    const [status, path] = line.split("\t");
    if (status === undefined || path === undefined) continue;
    const [before, after] = [
      status === "A" ? undefined : show(folder, base, path),
      status === "D" ? undefined : show(folder, commit, path),
    ];
    if (`${before}${after}`.includes("\0")) continue;
    gold[path] = after;
    if (isSourceFile(path) && !isExtra(path))
      broken[path] = after === undefined ? before : splitChange(path, before ?? "", after).before;
    else if (languageOf(path) !== undefined) oldTests[path] = before;
  }
  return Object.keys(broken).length === 0 ? [] : [{ ...known, gold, broken, oldTests }];
}

/** A commit's message without what names people and other pages. */
function statementOf(message: string): string {
  return message
    .split("\n")
    .filter((line) => !/^(?:[A-Z][a-z]+-)+[a-z]+:|^\(cherry picked/.test(line))
    .join("\n")
    .replaceAll(/ ?\(#\d+\)/g, "")
    .trim();
}
