/** Reads hunks of real commits: the intended change, the text before it, and the text after it. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { languageOf } from "../src/languages/source-files.ts";
import { type Random, randomFrom, shuffle } from "./edit-random.ts";

export interface HunkLine {
  /** " ": it stays, "-": it goes, "+": it is new. */
  readonly sign: " " | "-" | "+";
  readonly text: string;
}

export interface HunkCase {
  /** Of the repository, and the commit whose parent has `before`. */
  readonly folder: string;
  readonly commit: string;
  readonly id: string;
  readonly repository: string;
  readonly language: string;
  readonly path: string;
  readonly before: string;
  /** `before` with this hunk alone. */
  readonly expected: string;
  /** The hunk's first line in `before`, from 1. */
  readonly startLine: number;
  readonly lines: readonly HunkLine[];
}

export interface MiningOptions {
  readonly seed: number;
  /** Hunks for each repository. */
  readonly most: number;
}

const mostHunkLines = 80;
const mostFileLength = 400_000;
const mostPerCommit = 3;

export function mineHunks(folder: string, { seed, most }: MiningOptions): HunkCase[] {
  const repository = nameOf(folder);
  const random = randomFrom(`${seed} ${repository}`);
  const range = ["log", "--no-merges", "--first-parent", "--format=%H", "--diff-filter=M"];
  const commits = shuffle(runGit(folder, range).split("\n").filter(Boolean), random);
  const cases: HunkCase[] = [];
  for (const commit of commits) {
    if (cases.length >= most) break;
    const found = readCommit(folder, repository, commit);
    for (const hunk of shuffle(found, random).slice(0, mostPerCommit)) {
      const done = finishCase(hunk);
      if (done !== undefined && cases.length < most) cases.push(done);
    }
  }
  return cases;
}

function nameOf(folder: string): string {
  const name = basename(folder);
  return (name === "repo" || name === ".git" ? basename(dirname(folder)) : name).replace(/\.git$/, "");
}

function runGit(folder: string, command: readonly string[], input?: string): string {
  const isBare = !existsSync(join(folder, ".git"));
  const place = isBare ? ["--git-dir", folder] : ["-C", folder];
  return execFileSync("git", [...place, ...command], {
    input: input === undefined ? "" : Buffer.from(input, "latin1"),
    encoding: "latin1",
    maxBuffer: 2 ** 28,
  });
}

type OpenCase = Omit<HunkCase, "before" | "expected">;

function readCommit(folder: string, repository: string, commit: string): OpenCase[] {
  const options = ["-r", "-p", "-U3", "--no-renames", "--no-color", "--no-ext-diff", "--diff-filter=M"];
  const diff = runGit(folder, ["diff-tree", "--root", "--no-commit-id", ...options, commit]);
  const cases: OpenCase[] = [];
  let path: string | undefined;
  let lines: HunkLine[] | undefined;
  for (const line of diff.split("\n")) {
    if (line.startsWith("diff --git ")) {
      path = undefined;
      lines = undefined;
    } else if (lines === undefined && line.startsWith("+++ b/")) path = line.slice(6);
    else if (line.startsWith("@@ ")) {
      lines = [];
      const startLine = Number(/^@@ -(\d+)/.exec(line)?.[1]);
      const language = path === undefined ? undefined : languageOf(path)?.name;
      if (path === undefined || language === undefined) continue;
      const id = `${repository}:${commit.slice(0, 10)}:${path}:${startLine}`;
      cases.push({ folder, commit, id, repository, language, path, startLine, lines });
    } else if (lines !== undefined && /^[ +-]/.test(line)) {
      lines.push({ sign: line[0] as HunkLine["sign"], text: line.slice(1) });
    } else if (line.startsWith("\\")) lines?.push({ sign: " ", text: "\\" }); // no line break at the end: left out
  }
  return cases.filter(isUsable);
}

function isUsable({ lines, path }: OpenCase): boolean {
  const filled = lines.filter(({ text }) => text.trim() !== "");
  return (
    !path.startsWith('"') &&
    lines.length <= mostHunkLines &&
    lines.every(({ text }) => text !== "\\") &&
    // A reply cannot say which line break it means.
    new Set(lines.map(({ text }) => text.endsWith("\r"))).size === 1 &&
    filled.some(({ sign }) => sign !== "+") &&
    lines.some(({ sign }) => sign !== " ")
  );
}

function finishCase(hunk: OpenCase): HunkCase | undefined {
  const bytes = Buffer.from(runGit(hunk.folder, ["show", `${hunk.commit}^:${hunk.path}`]), "latin1");
  const before = bytes.toString("utf8");
  if (before.length > mostFileLength || before.includes("\0") || before.includes("\ufffd")) return undefined;
  const fileLines = before.split("\n");
  const decoded = hunk.lines.map(({ sign, text }) => ({
    sign,
    text: Buffer.from(text, "latin1").toString("utf8"),
  }));
  const old = decoded.filter(({ sign }) => sign !== "+").map(({ text }) => text);
  const fresh = decoded.filter(({ sign }) => sign !== "-").map(({ text }) => text);
  const start = hunk.startLine - 1;
  if (old.some((line, index) => fileLines[start + index] !== line)) return undefined;
  const expected = [...fileLines.slice(0, start), ...fresh, ...fileLines.slice(start + old.length)].join(
    "\n",
  );
  return {
    ...hunk,
    before,
    expected,
    lines: decoded.map(({ sign, text }) => ({ sign, text: text.replace(/\r$/, "") })),
  };
}

/** The hunk with as many lines of context as asked for, where the file has them. */
export function widen(hunk: HunkCase, context: number): readonly HunkLine[] {
  const fileLines = hunk.before.split("\n").map((line) => line.replace(/\r$/, ""));
  const oldCount = hunk.lines.filter(({ sign }) => sign !== "+").length;
  const start = hunk.startLine - 1;
  const isOpen = fileLines.at(-1) === "";
  const end = isOpen ? fileLines.length - 1 : fileLines.length;
  const above = fileLines.slice(Math.max(0, start - context), start);
  const below = fileLines.slice(start + oldCount, Math.min(end, start + oldCount + context));
  const kept = (text: string): HunkLine => ({ sign: " ", text });
  return [...above.map(kept), ...hunk.lines, ...below.map(kept)];
}

/**
 * The hunk with so much more context that the file has its text once, as authors are told to write it; as it is where even
 * that does not help.
 */
export function widenUntilUnique(hunk: HunkCase): HunkCase {
  for (let context = 0; context <= 20; context += 2) {
    const lines = widen(hunk, context);
    if (countPlaces(hunk.before, lines) === 1) {
      const above = Math.min(context, hunk.startLine - 1);
      return { ...hunk, lines, startLine: hunk.startLine - above };
    }
  }
  return hunk;
}

/** Spaces and blank lines not counted. */
function countPlaces(text: string, lines: readonly HunkLine[]): number {
  const squeeze = (list: readonly string[]): string[] =>
    list.map((line) => line.replace(/\s+/g, "")).filter((line) => line !== "");
  const own = `\n${squeeze(lines.filter(({ sign }) => sign !== "+").map((line) => line.text)).join("\n")}\n`;
  const all = `\n${squeeze(text.split("\n")).join("\n")}\n`;
  let count = 0;
  for (let at = all.indexOf(own); at !== -1; at = all.indexOf(own, at + 1)) count++;
  return count;
}

/** Up to 20 other files with the same ending, as they were beside it. */
export function readOthers(hunk: HunkCase, random: Random): Record<string, string> {
  const { folder, commit, path } = hunk;
  const ending = path.slice(path.lastIndexOf("."));
  const all = runGit(folder, ["ls-tree", "-r", "--name-only", `${commit}^`]).split("\n");
  const named = all.filter((each) => each.endsWith(ending) && each !== path && !each.startsWith('"'));
  const chosen = shuffle(named, random).slice(0, 20);
  const input = chosen.map((other) => `${commit}^:${other}\n`).join("");
  const output = Buffer.from(runGit(folder, ["cat-file", "--batch"], input), "latin1");
  const others: Record<string, string> = {};
  let at = 0;
  for (const other of chosen) {
    const end = output.indexOf("\n", at);
    const size = Number(output.toString("latin1", at, end).split(" ")[2]);
    if (size < mostFileLength) others[other] = output.toString("utf8", end + 1, end + 1 + size);
    at = end + size + 2;
  }
  return others;
}
