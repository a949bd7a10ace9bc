/** Judges a candidate without tests: if no test can run, or if no test can show the change. */
import { nameFirst } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { checkSyntax } from "../../edit/check-syntax.ts";
import type { ActionContext } from "../action.ts";
import { addedLines, type ChangedFile, linesOf, readChange, removedLines } from "../code/change.ts";
import { literalsOf } from "../code/stated-literals.ts";
import { findBrokenLinks, isMarkdown } from "./broken-links.ts";
import { describeResults, listChecks, mostChecks } from "./project-checks.ts";
import { type CheckContext, runChecks } from "./run-checks.ts";
import { findUnwritten, listStatedTexts } from "./stated-text.ts";

export const testsCanBeRun = "tests-can-be-run";

type StaticContext = CheckContext & Pick<ActionContext, "regions" | "task">;

/** Judges a patch if no test can run. `lacks`: the reason. */
export async function judgeStatically(
  context: StaticContext,
  candidate: Pick<Candidate, "tree">,
  lacks: string,
): Promise<Predicate[]> {
  return [
    { predicate: testsCanBeRun, holds: false, evidence: lacks },
    ...(await judgeTexts(context, candidate, await readFiles(context, candidate))),
  ];
}

/**
 * Judges a change that no test can show, such as documentation: its syntax, its links, the stated and quoted texts, and
 * the compilers' results.
 */
export async function judgeUnverifiable(
  context: StaticContext,
  candidate: Pick<Candidate, "tree">,
): Promise<Predicate[]> {
  const files = await readFiles(context, candidate);
  return [...(await judgeTexts(context, candidate, files)), ...judgeQuoted(context.task.statement, files)];
}

async function readFiles(
  { workspace: { trees, base }, regions }: StaticContext,
  { tree }: Pick<Candidate, "tree">,
): Promise<readonly ChangedFile[]> {
  return (await readChange(trees, regions, base, tree)).files;
}

async function judgeTexts(
  context: StaticContext,
  { tree }: Pick<Candidate, "tree">,
  files: readonly ChangedFile[],
): Promise<Predicate[]> {
  const {
    workspace: { trees, base },
    task,
  } = context;
  const texts = files.filter(({ isLink }) => isLink !== true);
  const problems = await checkSyntax(texts.map(({ path, before, after }) => ({ path, before, after })));
  const broken = problems.map(({ path }) => path);
  return [
    {
      predicate: "syntax-no-worse",
      holds: broken.length === 0,
      evidence:
        broken.length === 0
          ? "every changed file parses as well as before"
          : `there are new syntax errors in ${broken.join(", ")}`,
    },
    ...(await judgeLinks({ trees, base }, tree, texts)),
    ...judgeStatedTexts(task.statement, texts),
    ...(await judgeCompilers(context, files, tree)),
  ];
}

/** Maximum number of unchanged Markdown files to read, if the patch removes a file. */
const mostRead = 300;
const mostNamed = 5;

/** Empty if the patch changes no Markdown file and removes no file. */
async function judgeLinks(
  { trees, base }: Pick<ActionContext["workspace"], "trees" | "base">,
  tree: string,
  changed: readonly ChangedFile[],
): Promise<Predicate[]> {
  const isRemoving = changed.some(({ after }) => after === undefined);
  const pages = changed.filter(({ path }) => isMarkdown(path));
  if (pages.length === 0 && !isRemoving) return [];
  const pathsOf = async (of: string) => new Set((await trees.list(of)).map(({ path }) => path));
  const [before, after] = [await pathsOf(base), await pathsOf(tree)];
  const others = isRemoving ? [...after].filter(isMarkdown).slice(0, mostRead) : [];
  const unchanged: Pick<ChangedFile, "path" | "before" | "after">[] = [];
  for (const path of others) {
    if (pages.some((page) => page.path === path)) continue;
    const text = (await trees.read(tree, path))?.toString("utf8");
    unchanged.push({ path, before: text, after: text });
  }
  const files = [...pages, ...unchanged];
  if (files.length === 0) return [];
  const broken = findBrokenLinks({ before, after, files });
  return [
    {
      predicate: "links-resolve",
      holds: broken.length === 0,
      evidence:
        broken.length === 0
          ? "the patch breaks no link between files"
          : `the patch leaves links without a target: ${nameFirst(broken, mostNamed)}`,
    },
  ];
}

/** Empty if the statement quotes no text. */
function judgeQuoted(statement: string, files: readonly ChangedFile[]): Predicate[] {
  const quoted = literalsOf(statement);
  if (quoted.length === 0) return [];
  const pick = (text: string | undefined, numbers: readonly number[]): string => {
    const lines = linesOf(text);
    return numbers.map((number) => lines[number - 1] ?? "").join("\n");
  };
  const changed = files.map((file) =>
    [file.path, pick(file.after, addedLines(file)), pick(file.before, removedLines(file))].join("\n"),
  );
  const folded = changed.map(foldText);
  const found = quoted.filter((text) => folded.some((each) => each.includes(foldText(text))));
  return [
    {
      predicate: "quoted-text-changes",
      holds: found.length > 0,
      evidence:
        found.length > 0
          ? `the changed lines contain texts that the statement quotes: ${nameFirst(found, mostNamed)}`
          : `the changed lines contain none of the texts that the statement quotes: ${nameFirst(quoted, mostNamed)}`,
    },
  ];
}

/** Ignores letter case, and differences in white space such as line breaks. */
function foldText(text: string): string {
  return text.toLowerCase().replaceAll(/\s+/g, " ");
}

/** Empty if the statement tells to write no text. */
function judgeStatedTexts(statement: string, texts: readonly ChangedFile[]): Predicate[] {
  const stated = listStatedTexts(statement);
  if (stated.length === 0) return [];
  const missing = findUnwritten(stated, texts);
  const named = (each: readonly string[]): string =>
    nameFirst(
      each.map((text) => `"${text}"`),
      mostNamed,
    );
  return [
    {
      predicate: "stated-text-present",
      holds: missing.length === 0,
      evidence:
        missing.length === 0
          ? `the patch writes the statement's text ${named(stated)}`
          : `the patch does not write the statement's text ${named(missing)}`,
    },
  ];
}

/** Empty if no known tool judges the changed files. */
async function judgeCompilers(
  context: CheckContext,
  files: readonly ChangedFile[],
  tree: string,
): Promise<Predicate[]> {
  const { trees, base } = context.workspace;
  const paths = new Set((await trees.list(base)).map(({ path }) => path));
  const checks = listChecks(
    files.map(({ path }) => path),
    paths,
  );
  if (checks.length === 0) return [];
  const results = await runChecks(context, checks.slice(0, mostChecks), tree);
  return [{ predicate: "compiles-no-worse", ...describeResults(checks, results) }];
}
