/**
 * Counts honest patches that the check takes for special cases, and special cases that it finds. Honest patches are
 * gold patches of tasks (JSON Lines in SWE-bench's fields with `gold_commit`), and commits that change code and tests,
 * with their message as the statement. For each, the benchmark makes a special case: the same function with a branch
 * for one of the tests' own inputs. Usage: special-cases.ts --repositories FOLDER [--commits N] [TASKS.jsonl…]. FOLDER
 * contains git folders as `OWNER+NAME/repo`; the benchmark reads the last N commits of each.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { addedLines, type ChangedFile, compareTexts, linesOf, readSource } from "../src/agent/code/change.ts";
import { listTestBodies } from "../src/agent/code/test-bodies.ts";
import { judgeSpecialCases } from "../src/agent/review/special-cases/special-cases.ts";
import { isTable } from "../src/agent/review/special-cases/special-tables.ts";
import { isCommonKey, listShownKeys, type ValueKey } from "../src/agent/review/texts/value-keys.ts";
import type { TestRegions } from "../src/judging/test-regions.ts";
import { isSourceFile, isTestFile, languageOf } from "../src/languages/source-files.ts";
import { namedChildren, walk } from "../src/syntax/node.ts";
import { codeOf, partOf, roleOf } from "../src/syntax/reading.ts";
import { isFunction } from "../src/syntax/statements.ts";
import { git, regionsByName, textAt } from "./git-folder.ts";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { repositories: { type: "string", default: "." }, commits: { type: "string", default: "0" } },
});

interface Honest {
  readonly name: string;
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly statement: string;
}

function listTasks(): Honest[] {
  return positionals.flatMap((file) =>
    readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .flatMap((line) => {
        const { instance_id, repo, base_commit, gold_commit, problem_statement } = JSON.parse(line);
        const folder = join(options.repositories, repo.replace("/", "+"), "repo");
        if (gold_commit === undefined || !existsSync(folder)) return [];
        const own = { name: instance_id, folder, from: base_commit, to: gold_commit };
        return [{ ...own, statement: String(problem_statement) }];
      }),
  );
}

async function listCommits(): Promise<Honest[]> {
  if (options.commits === "0") return [];
  const found: Honest[] = [];
  for (const name of readdirSync(options.repositories)) {
    const folder = join(options.repositories, name, "repo");
    if (!existsSync(folder)) continue;
    const listed = await git(folder, "log", "--no-merges", `-n${options.commits}`, "--format=%H");
    for (const to of listed.trim().split("\n"))
      found.push({ name: `${name} ${to.slice(0, 10)}`, folder, from: `${to}~1`, to, statement: "" });
  }
  return found;
}

interface Read {
  readonly files: readonly ChangedFile[];
  readonly shown: ReadonlyMap<ValueKey, string>;
  readonly regions: TestRegions;
  readonly paths: readonly string[];
}

/** Undefined where it does not change both code and tests, or is too large to be one change. */
async function read({ folder, from, to }: Honest): Promise<Read | undefined> {
  let names: string;
  try {
    names = await git(folder, "diff-tree", "-r", "--no-commit-id", "--name-only", "-z", from, to);
  } catch {
    return undefined;
  }
  const changed = names
    .split("\0")
    .filter((path) => path !== "" && (languageOf(path) !== undefined || isTable(path)));
  if (changed.length > 30 || !changed.some(isSourceFile)) return undefined;
  const paths = (await git(folder, "ls-tree", "-r", "--name-only", "-z", from)).split("\0");
  const regions = await regionsByName(paths);
  const files = await Promise.all(
    changed.map(async (path) =>
      compareTexts(
        path,
        await textAt(folder, from, path),
        await textAt(folder, to, path),
        isTestFile(path) || regions.isWhole(path),
      ),
    ),
  );
  const shown = new Map<ValueKey, string>();
  for (const file of files) for (const key of await listShown(file, regions)) shown.set(key, file.path);
  return shown.size === 0 ? undefined : { files, shown, regions, paths };
}

/** Values of the tests that it adds or changes. */
async function listShown(file: ChangedFile, regions: TestRegions): Promise<ValueKey[]> {
  const source = await readSource(file.path, file.after);
  if (source === undefined || file.after === undefined) return [];
  const isTest = file.isTest || regions.isWhole(file.path);
  // What only looks like a test, such as a benchmark, shows nothing to the gate either.
  if (!isTest && (await regions.spansIn(file.path, file.after)).length === 0) return [];
  const added = addedLines(file);
  const bodies = await listTestBodies(file.path, file.after);
  const own = bodies.filter(({ startLine, endLine }) =>
    added.some((line) => startLine <= line && line <= endLine),
  );
  const isOwn = (line: number): boolean =>
    own.some(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return listShownKeys(source, (line) => isOwn(line) || (isTest && added.includes(line)));
}

/** The first changed function with a parameter, with a branch at its head for a value of the tests; undefined where there is none. */
async function makeSpecial({ files, shown }: Read): Promise<ChangedFile | undefined> {
  const [input, result] = [...shown.keys()].filter(
    (key) => /^(?:n:|t:[\w .-]{1,30}$)/.test(key) && !isCommonKey(key),
  );
  if (input === undefined) return undefined;
  for (const file of files) {
    const source = file.isTest ? undefined : await readSource(file.path, file.before);
    if (source === undefined || file.before === undefined) continue;
    for (const node of walk(source.tree.root)) {
      const [body, parameters] = isFunction(source, node)
        ? [
            node.children.find((child) => roleOf(source, child) === "block"),
            partOf(source, node, "parameters"),
          ]
        : [];
      const isChanged = file.hunks.some(
        ({ beforeStart, beforeEnd }) => beforeStart <= node.endLine && node.startLine < beforeEnd,
      );
      const list = namedChildren(body ?? node);
      const [first] = list[0]?.kind === "statement_list" ? namedChildren(list[0]) : list;
      const name =
        parameters && /[A-Za-z_]\w*/.exec(codeOf(source, parameters).replace(/\bself\b,?|&|mut /g, ""));
      if (!isChanged || !body || !first || !name || first.startLine === node.startLine) continue;
      const lines = linesOf(file.before);
      const indent = /^\s*/.exec(lines[first.startLine - 1] ?? "")?.[0] ?? "";
      const branch = write(source.dialect.language, name[0], spell(input), spell(result ?? input));
      if (branch === undefined) return undefined;
      const text = lines.toSpliced(first.startLine - 1, 0, ...branch.map((line) => indent + line)).join("\n");
      return compareTexts(file.path, file.before, `${text}\n`, false);
    }
  }
  return undefined;
}

function spell(key: ValueKey): string {
  return key.startsWith("n:") ? key.slice(2) : JSON.stringify(key.slice(2));
}

function write(language: string, name: string, input: string, result: string): string[] | undefined {
  if (language === "python") return [`if ${name} == ${input}:`, `    return ${result}`];
  if (language === "go" || language === "rust") return [`if ${name} == ${input} {`, `return ${result};`, "}"];
  if (language === "java") return [`if (${name}.equals(${input})) return ${result};`];
  return [`if (${name} === ${input}) return ${result};`];
}

const counts = { honest: 0, flagged: 0, special: 0, found: 0 };
for (const [title, list] of [
  ["gold patches", listTasks()],
  ["commits", await listCommits()],
] as const) {
  Object.assign(counts, { honest: 0, flagged: 0, special: 0, found: 0 });
  for (const each of list) {
    const change = await read(each);
    if (change === undefined) continue;
    const statement = each.statement || (await git(each.folder, "log", "-n1", "--format=%B", each.to));
    const { regions, shown, paths } = change;
    const base = { list: async () => paths, read: (path: string) => textAt(each.folder, each.from, path) };
    const judge = async (files: readonly ChangedFile[]): Promise<string[]> =>
      (await judgeSpecialCases({ files, shown, statement, base, regions }))
        .filter(({ weight }) => weight === "objection")
        .map(({ text }) => text);
    const honest = await judge(change.files);
    counts.honest += 1;
    counts.flagged += honest.length > 0 ? 1 : 0;
    for (const text of honest) console.log(`  ${each.name} ${text}`);
    const special = await makeSpecial(change);
    if (special === undefined) continue;
    const found = await judge([special]);
    counts.special += 1;
    counts.found += found.length > 0 ? 1 : 0;
    if (found.length === 0)
      console.log(
        `  not found: ${each.name} ${special.path}: ${linesOf(special.after)
          .filter((_, index) => addedLines(special).includes(index + 1))
          .join(" ")
          .replaceAll(/\s+/g, " ")}`,
      );
  }
  if (list.length === 0) continue;
  console.log(
    `${title}: ${rate(counts.flagged, counts.honest)} honest commits flagged as special cases, ${rate(counts.found, counts.special)} special cases found`,
  );
}

function rate(some: number, all: number): string {
  return `${some} of ${all} (${((100 * some) / Math.max(1, all)).toFixed(1)} %)`;
}
