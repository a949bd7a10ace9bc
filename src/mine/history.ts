/** Reads the main branch of a repository's history as changes: merges, squashes and single commits, newest first. */
import { isSourceFile, languageOf } from "../languages/source-files.ts";
import { runForeignGit } from "../workspace/foreign-git.ts";

export interface Commit {
  readonly id: string;
  readonly parents: readonly string[];
  /** Time of the commit. A rebase changes this time. */
  readonly date: string;
  /** Time at which the author wrote the commit. A rebase keeps this time. */
  readonly authored: string;
  readonly message: string;
  /** Files that differ from the first parent. */
  readonly files: readonly string[];
}

const record = "\u001e";
const unit = "\u001f";

export interface MainLine {
  readonly gitDirectory: string;
  /** ISO 8601. A day without a time begins at midnight (UTC). */
  readonly since: string | undefined;
  /** The commit after which Millwright reads commits. */
  readonly after?: string | undefined;
}

/** Reads the main branch's commits, newest first. Skips commits without a parent. */
export async function readMainLine({ gitDirectory, since, after }: MainLine): Promise<Commit[]> {
  const format = `${record}%H${unit}%P${unit}%cI${unit}%aI${unit}%B${unit}`;
  const { stdout } = await runForeignGit({
    gitDirectory,
    arguments: [
      ...["-c", "core.quotePath=false", "log", "--first-parent", "-m", "--no-renames", "--name-only"],
      ...[
        `--format=${format}`,
        ...(since === undefined ? [] : [`--since=${beginningOf(since)}`]),
        after === undefined ? "HEAD" : `${after}..HEAD`,
      ],
    ],
  });
  return stdout.toString("utf8").split(record).slice(1).flatMap(readCommit);
}

/** Adds midnight to a day. Git otherwise adds the current time of day, and the result depends on it. */
function beginningOf(since: string): string {
  return since.includes("T") ? since : `${since}T00:00:00Z`;
}

function readCommit(text: string): Commit[] {
  const [id = "", parents = "", date = "", authored = "", message = "", files = ""] = text.split(unit);
  if (parents === "") return [];
  return [
    {
      ...{ id, date, authored, message: message.trim(), parents: parents.split(" ") },
      files: files.split("\n").filter((line) => line !== ""),
    },
  ];
}

/** Returns the messages of the merged commits, oldest first; empty if the commit is not a merge. */
export async function readBranchMessages(gitDirectory: string, { parents }: Commit): Promise<string[]> {
  const [main, branch] = parents;
  if (main === undefined || branch === undefined) return [];
  const { stdout } = await runForeignGit({
    gitDirectory,
    arguments: ["log", "--no-merges", "--reverse", `--format=%B${record}`, `${main}..${branch}`],
  });
  const messages = stdout.toString("utf8").split(record);
  return messages.map((message) => message.trim()).filter((message) => message !== "");
}

const changelogs = /(?:^|\/)(?:change(?:s|log)|history|news|releases?)(?:\.\w+)?$/i;

/** Returns the lines that a commit adds to changelogs; "" if none. */
export async function readChangelogEntries(gitDirectory: string, commit: Commit): Promise<string> {
  const files = commit.files.filter((path) => changelogs.test(path));
  const [parent = ""] = commit.parents;
  if (files.length === 0) return "";
  const { stdout } = await runForeignGit({
    gitDirectory,
    arguments: ["diff", "--no-color", "--no-ext-diff", "-U0", parent, commit.id, "--", ...files],
  });
  const lines = stdout.toString("utf8").split("\n");
  return lines
    .filter((line) => line.startsWith("+") && !line.startsWith("+++"))
    .map((line) => line.slice(1))
    .join("\n");
}

/** Returns the most frequent language of source files; "" without source files. */
export function mainLanguage(files: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const path of files) {
    const name = isSourceFile(path) ? languageOf(path)?.name : undefined;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? "";
}
