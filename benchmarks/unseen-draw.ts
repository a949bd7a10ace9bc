/**
 * Draws small fixes of public repositories by a seed. The draw depends only on the histories and the seed, never on a
 * program's results.
 */
import { execFileSync } from "node:child_process";
import { basename } from "node:path";
import { diffLines } from "../src/edit/line-diff.ts";
import { isSourceFile, isTestFile, languageOf } from "../src/languages/source-files.ts";
import { isExtra } from "../src/mine/delivered.ts";

export interface Fix {
  /** The folder's name. */
  readonly repository: string;
  readonly folder: string;
  readonly language: string;
  readonly commit: string;
  readonly subject: string;
  /** The one source file whose code changes beside tests. */
  readonly file: string;
  /** That file without the fix, and with it; both with the tests of the fix. */
  readonly before: string;
  readonly after: string;
  /** The lines that the fix adds to tests. */
  readonly tests: string;
}

export interface Draw {
  readonly seed: number;
  readonly repositories: number;
  /** Fixes of one repository, in the order in which they are to be taken. */
  readonly each: number;
  /** The oldest year: toolchains build nothing older. */
  readonly since: number;
}

/** As `parseArgs` takes them. */
export const drawOptions = {
  seed: { type: "string", default: "18" },
  repositories: { type: "string", default: "20" },
  each: { type: "string", default: "6" },
  since: { type: "string", default: "2018" },
} as const;

export function readDraw(values: Readonly<Record<keyof Draw, string>>): Draw {
  const { seed, repositories, each, since } = values;
  return {
    seed: Number(seed),
    repositories: Number(repositories),
    each: Number(each),
    since: Number(since),
  };
}

/** A change of code in at most so many places and lines is small. */
const most = { hunks: 2, lines: 12 };
const subjectOfFix =
  /\b(?:fix(?:e[sd]|ing)?|bugs?|incorrect(?:ly)?|wrong(?:ly)?|crash(?:es)?|panics?|regression)\b/i;

/** Repositories of each language in turn, shuffled by the seed; their small fixes, shuffled too. */
export function drawFixes(folders: readonly string[], draw: Draw): Fix[] {
  const random = randomOf(draw.seed);
  const byLanguage = new Map<string, string[]>();
  for (const folder of [...folders].sort((a, b) => (basename(a) < basename(b) ? -1 : 1))) {
    const language = mainLanguage(folder);
    if (language !== undefined) byLanguage.set(language, [...(byLanguage.get(language) ?? []), folder]);
  }
  const queues = [...byLanguage].sort().map(([language, all]) => ({ language, all: shuffle(all, random) }));
  const drawn: Fix[] = [];
  let taken = 0;
  for (let round = 0; queues.some(({ all }) => round < all.length); round += 1) {
    for (const { language, all } of queues) {
      const folder = all[round];
      if (folder === undefined || taken >= draw.repositories) continue;
      taken += 1;
      drawn.push(...drawFrom(folder, language, draw, random));
    }
  }
  return drawn;
}

function drawFrom(folder: string, language: string, draw: Draw, random: () => number): Fix[] {
  const log = git(folder, "log", "--no-merges", `--since=${draw.since}-01-01`, "--format=%H %s");
  const commits = log.split("\n").filter((line) => subjectOfFix.test(line.slice(41)));
  const found: Fix[] = [];
  for (const line of shuffle(commits, random)) {
    if (found.length >= draw.each) break;
    const fix = readFix(folder, language, line.slice(0, 40), line.slice(41));
    if (fix !== undefined) found.push(fix);
  }
  return found;
}

function readFix(folder: string, language: string, commit: string, subject: string): Fix | undefined {
  const changes = git(folder, "diff-tree", "-r", "--no-renames", "--no-commit-id", "--name-status", commit)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ status: line.slice(0, 1), path: line.split("\t")[1] ?? "" }));
  const code = changes.filter(({ path }) => isSourceFile(path) && !isExtra(path));
  const [only] = code;
  if (code.length !== 1 || only?.status !== "M" || languageOf(only.path)?.name !== language) return undefined;
  const file = only.path;
  const [base, after] = [show(folder, `${commit}^`, file), show(folder, commit, file)];
  const split = splitChange(file, base, after);
  const paths = changes.filter(({ status, path }) => status !== "D" && isTest(path)).map(({ path }) => path);
  const { hunks, lines } = split;
  if ((split.tests === 0 && paths.length === 0) || hunks === 0 || hunks > most.hunks || lines > most.lines)
    return undefined;
  const name = basename(folder);
  const tests = [...(split.tests > 0 ? [file] : []), ...paths].map((path) =>
    addedLines(folder, commit, path),
  );
  return {
    repository: name,
    folder,
    language,
    commit,
    subject,
    file,
    before: split.before,
    after,
    tests: tests.join("\n"),
  };
}

/** For Rust's tests inside of a file, also the lines of the fix: they are not in the file as it was. */
function addedLines(folder: string, commit: string, path: string): string {
  const [old, now] = [
    git(folder, "ls-tree", `${commit}^`, path) === "" ? "" : show(folder, `${commit}^`, path),
    show(folder, commit, path),
  ];
  const lines = now.split("\n");
  const isTestLine = testLines(path, now);
  return diffLines(old.split("\n"), lines, (line) => line)
    .flatMap(({ toStart, toEnd }) =>
      lines
        .slice(toStart, toEnd)
        .filter((_, at) => !path.endsWith(".rs") || isTest(path) || isTestLine(toStart + at)),
    )
    .join("\n");
}

function isTest(path: string): boolean {
  return isTestFile(path) && languageOf(path) !== undefined;
}

/** Puts the lines of the code back as they were, and leaves the tests inside of the file as they are afterwards. */
export function splitChange(path: string, base: string, after: string) {
  const [old, now] = [base.split("\n"), after.split("\n")];
  const isTestLine = testLines(path, after);
  const result = [...now];
  let [hunks, lines, tests] = [0, 0, 0];
  for (const { fromStart, fromEnd, toStart, toEnd } of diffLines(old, now, (line) => line).toReversed()) {
    if (isTestLine(toStart)) {
      tests += 1;
      continue;
    }
    hunks += 1;
    lines += Math.max(fromEnd - fromStart, toEnd - toStart);
    result.splice(toStart, toEnd - toStart, ...old.slice(fromStart, fromEnd));
  }
  return { before: result.join("\n"), hunks, lines, tests };
}

/** Rust's tests stand in modules at the end of a file. */
function testLines(path: string, text: string): (line: number) => boolean {
  if (!path.endsWith(".rs")) return () => false;
  const first = text.split("\n").findIndex((line) => /^\s*#\[cfg\(test\)\]/.test(line));
  return (line) => first >= 0 && line >= first;
}

/** The language that most files of the newest commit have. */
function mainLanguage(folder: string): string | undefined {
  const counts = new Map<string, number>();
  for (const path of git(folder, "ls-tree", "-r", "--name-only", "HEAD").split("\n")) {
    const name = isSourceFile(path) ? languageOf(path)?.name : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}

export function show(folder: string, commit: string, path: string): string {
  return git(folder, "show", `${commit}:${path}`);
}

export function git(folder: string, ...parameters: string[]): string {
  return execFileSync("git", ["-C", folder, ...parameters], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"],
  });
}

function shuffle<T>(items: readonly T[], random: () => number): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [shuffled[at], shuffled[other]] = [shuffled[other] as T, shuffled[at] as T];
  }
  return shuffled;
}

/** Mulberry32, by Tommy Ettinger: the same numbers for the same seed, 0 ≤ x < 1. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
