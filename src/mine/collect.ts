/** The first step: lists each change of the main branch with its base, numbers and statement. */
import type { Discussion } from "../bench/task.ts";
import type { Change } from "./contract.ts";
import { isDelivered } from "./delivered.ts";
import {
  type Commit,
  type MainLine,
  mainLanguage,
  readBranchMessages,
  readChangelogEntries,
  readMainLine,
} from "./history.ts";
import type { Issue, Issues } from "./issues.ts";
import { findReferences, mergeNumber, squashNumber } from "./references.ts";
import { statementOf, statementOfIssues } from "./statement.ts";

export interface CollectRequest extends MainLine {
  /** `owner/name`. */
  readonly repository: string;
  readonly issues: Issues;
}

/**
 * Collects changes, newest first. Each id occurs once. Throws MillwrightError("repository") if git cannot read the
 * history.
 */
export async function collectChanges(request: CollectRequest): Promise<Change[]> {
  const changes: Change[] = [];
  const ids = new Set<string>();
  for (const commit of await readMainLine(request)) {
    const change = await readChange(request, commit);
    const id = ids.has(change.id) ? `${change.id}-${commit.id.slice(0, 8)}` : change.id;
    ids.add(id);
    changes.push({ ...change, id });
  }
  return changes;
}

async function readChange(request: CollectRequest, commit: Commit): Promise<Change> {
  const { gitDirectory, repository, issues } = request;
  const [subject = ""] = commit.message.split("\n");
  const branch = await readBranchMessages(gitDirectory, commit);
  const entries = await readChangelogEntries(gitDirectory, commit);
  const isMerge = commit.parents.length > 1;
  const number = isMerge ? mergeNumber(commit.message) : squashNumber(subject);
  const said = findReferences([commit.message, ...branch].join("\n"));
  const logged = findReferences(entries);
  const references = [...said.closed, ...logged.closed, ...said.named, ...logged.named];
  const own = [...new Set(references)].filter((each) => each !== number);
  const closed = said.closed.filter((each) => each !== number);
  const { statement, statementFrom, discussion } = chooseStatement(commit, branch, {
    issues,
    closed,
    others: own,
    number,
  });
  const isLogged = logged.closed.length + logged.named.length > 0;
  const [base = ""] = commit.parents;
  return {
    id: taskId(repository, number, commit.id),
    ...{ repository, base, commit: commit.id, date: commit.date },
    subject: isMerge ? (statement.split("\n")[0] ?? subject) : subject,
    foundBy: isMerge
      ? "merge"
      : number !== undefined
        ? "squash"
        : said.closed.length > 0
          ? "trailer"
          : isLogged
            ? "changelog"
            : "commit",
    ...(number === undefined ? {} : { number }),
    issues: own,
    ...{ statement, statementFrom },
    ...(discussion === undefined ? {} : { discussion }),
    language: mainLanguage(commit.files),
    code: commit.files.filter(isDelivered).length,
  };
}

interface Known {
  readonly issues: Issues;
  readonly closed: readonly number[];
  readonly others: readonly number[];
  readonly number: number | undefined;
}

function chooseStatement(
  commit: Commit,
  branch: readonly string[],
  { issues, closed, others, number }: Known,
): Pick<Change, "statement" | "statementFrom" | "discussion"> {
  const textsOf = (numbers: readonly number[]) => numbers.flatMap((each) => issues.get(each) ?? []);
  const found = [
    textsOf(closed),
    textsOf(others).slice(0, 1),
    textsOf(number === undefined ? [] : [number]),
  ].find((texts) => texts.length > 0);
  if (found !== undefined) {
    const discussion = discussionOf(found, commit.date);
    return { statement: statementOfIssues(found), statementFrom: "issue", discussion };
  }
  const own = statementOf(commit.message);
  const messages = commit.parents.length > 1 ? branch.map(statementOf) : [];
  const statement = [own, ...messages.filter((text) => text !== own)].filter((text) => text !== "");
  return { statement: statement.join("\n\n"), statementFrom: "message" };
}

/**
 * The discussion of the issues: the date of the first one, and the comments on all. Undefined if no text has a date.
 */
function discussionOf(issues: readonly Issue[], merged: string): Discussion | undefined {
  const dates = issues.flatMap((issue) => issue.created_at ?? []);
  const [opened] = dates
    .filter((date) => !Number.isNaN(Date.parse(date)))
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  if (opened === undefined) return undefined;
  const counts = issues.flatMap(({ comments }) => comments ?? []);
  const comments = counts.reduce((sum, count) => sum + count, 0);
  return { opened, merged, ...(counts.length === 0 ? {} : { comments }) };
}

/** The task's id in the form of benchmarks: `owner__name-12`. */
function taskId(repository: string, number: number | undefined, commit: string): string {
  const name = repository.replaceAll("/", "__").replaceAll(/[^\w.+@-]/g, "-");
  const start = /^[A-Za-z0-9]/.test(name) ? name : `r${name}`;
  return `${start}-${number ?? commit.slice(0, 10)}`;
}
