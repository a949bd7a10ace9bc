/** The first step of mining: lists each change of the main branch with its base, numbers and statement. */
import type { Discussion } from "../bench/task.ts";
import { withoutRepeatedTitle } from "../domain/statement.ts";
import type { MergedRequest } from "../forge-hosts/contract.ts";
import { type Change, idPrefix } from "./contract.ts";
import { isDelivered } from "./delivered.ts";
import {
  type Commit,
  type MainLine,
  mainLanguage,
  readBranchMessages,
  readChangelogEntries,
  readMainLine,
} from "./history.ts";
import type { DatedIssue } from "./issue-before-fix.ts";
import type { Issue, Issues } from "./issues.ts";
import type { Landed } from "./landed-requests.ts";
import type { ForgeReading } from "./read-forge.ts";
import { findReferences, mergeNumber, squashNumber, withoutForeign } from "./references.ts";
import { statementOf, statementOfIssues } from "./statement.ts";

export interface CollectRequest extends MainLine {
  /** `owner/name`. */
  readonly repository: string;
  readonly issues: Issues;
}

/** The data that Millwright read from a repository's host for the commits of the main line. */
export interface ReadHost extends ForgeReading {
  /** `owner/name` on the host. */
  readonly path: string;
  readonly sharesNumbers: boolean;
}

/**
 * Collects changes, newest first. Each id is unique. `readHost` reads the repository's host; undefined without a host.
 * Throws MillwrightError if the repository or the host fails.
 */
export async function collectChanges(
  request: CollectRequest,
  readHost?: (mainLine: readonly Commit[]) => Promise<ReadHost>,
): Promise<Change[]> {
  const changes: Change[] = [];
  const ids = new Set<string>();
  const mainLine = await readMainLine(request);
  const host = await readHost?.(mainLine);
  const parts = new Set([...(host?.landed.values() ?? [])].flatMap(({ commits }) => commits.slice(1)));
  for (const commit of mainLine) {
    if (parts.has(commit)) continue;
    const change = await readChange(request, wholeOf(commit, host?.landed.get(commit.id)), host);
    const id = ids.has(change.id) ? `${change.id}-${commit.id.slice(0, 8)}` : change.id;
    ids.add(id);
    changes.push({ ...change, id });
  }
  return changes;
}

/** The commits of a change, joined into one. */
interface Whole extends Commit {
  readonly merged: MergedRequest | undefined;
  /** Messages of a rebased request's commits, oldest first. */
  readonly rebased: readonly string[];
}

function wholeOf(commit: Commit, landed: Landed | undefined): Whole {
  const commits = landed?.commits ?? [commit];
  const oldest = commits.at(-1) ?? commit;
  return {
    ...commit,
    ...(commits.length === 1 ? {} : { parents: oldest.parents.slice(0, 1) }),
    files: [...new Set(commits.flatMap(({ files }) => files))],
    merged: landed?.request,
    rebased: commits.length === 1 ? [] : commits.map(({ message }) => message).reverse(),
  };
}

async function readChange(
  request: CollectRequest,
  commit: Whole,
  host: ReadHost | undefined,
): Promise<Change> {
  const { gitDirectory, repository } = request;
  const { merged, rebased } = commit;
  const title = rebased.length > 0 && merged !== undefined ? merged.title : commit.message;
  const [subject = ""] = title.split("\n");
  const branch = [...rebased, ...(await readBranchMessages(gitDirectory, commit))];
  const entries = await readChangelogEntries(gitDirectory, commit);
  const isMerge = commit.parents.length > 1;
  const number = merged?.number ?? (isMerge ? mergeNumber(commit.message) : squashNumber(subject));
  const code = commit.files.filter(isDelivered).length;
  const texts = [commit.message, ...branch, merged?.title ?? "", merged?.body ?? ""].join("\n");
  const said = findReferences(host === undefined ? texts : withoutForeign(texts, host.path));
  const logged = findReferences(entries);
  // The filter drops changes without code, so the host is not asked about them.
  const links = merged === undefined || code === 0 ? [] : ((await host?.readLinks(merged.number)) ?? []);
  const isOwn = (each: number): boolean => each !== number || host?.sharesNumbers === false;
  const closed = [...new Set([...links, ...said.closed])].filter(isOwn);
  const own = [...new Set([...closed, ...logged.closed, ...said.named, ...logged.named])].filter(isOwn);
  const known = { request, closed, others: own, number, title, branch };
  const chosen = await chooseStatement(commit, known, code === 0 ? undefined : host);
  const { statement, statementFrom, discussion, lateText } = chosen;
  const isLogged = logged.closed.length + logged.named.length > 0;
  const [base = ""] = commit.parents;
  return {
    id: taskId(repository, number, commit.id),
    ...{ repository, base, commit: commit.id, date: commit.date },
    subject: isMerge ? (statement.split("\n")[0] ?? subject) : subject,
    foundBy:
      merged !== undefined
        ? "request"
        : isMerge
          ? "merge"
          : number !== undefined
            ? "squash"
            : said.closed.length > 0
              ? "trailer"
              : isLogged
                ? "changelog"
                : "commit",
    ...(number === undefined ? {} : { number }),
    ...(merged === undefined ? {} : { request: factsOf(merged) }),
    issues: own,
    ...{ statement, statementFrom },
    ...(lateText === undefined ? {} : { lateText }),
    ...(discussion === undefined ? {} : { discussion }),
    language: mainLanguage(commit.files),
    code,
  };
}

function factsOf({ opened, merged, base, head, labels }: MergedRequest): Change["request"] {
  return { opened, merged, ...(base === undefined ? {} : { base }), head, labels: [...labels] };
}

interface Known {
  readonly request: CollectRequest;
  readonly closed: readonly number[];
  readonly others: readonly number[];
  readonly number: number | undefined;
  readonly title: string;
  readonly branch: readonly string[];
}

/** Maximum number of issues that a change names without closing them. A change is rarely about more. */
const mostNamed = 3;

async function chooseStatement(
  commit: Whole,
  { request: { issues }, closed, others, number, title, branch }: Known,
  host: ReadHost | undefined,
): Promise<Pick<Change, "statement" | "statementFrom" | "discussion" | "lateText">> {
  const { merged, authored, date } = commit;
  const read = async (each: number): Promise<DatedIssue[]> => {
    const issue =
      issues.get(each) ?? (await host?.readIssue(each, merged?.opened ?? authored, merged?.merged ?? date));
    return issue === undefined ? [] : [issue];
  };
  const readAll = async (numbers: readonly number[]) => (await Promise.all(numbers.map(read))).flat();
  const all = await readAll(closed);
  const timely = all.filter(({ late }) => late === undefined);
  const chosen = timely.length > 0 ? timely : all;
  const named =
    chosen.length > 0 ? [] : await readAll(host === undefined ? others : others.slice(0, mostNamed));
  const own: DatedIssue[] = [number === undefined ? [] : (issues.get(number) ?? [])].flat();
  const found = [chosen, named.filter(({ late }) => late === undefined).slice(0, 1), own].find(
    (texts) => texts.length > 0,
  );
  if (found !== undefined) {
    const lateText = found.find(({ late }) => late !== undefined)?.late;
    return {
      ...{ statement: statementOfIssues(found), statementFrom: "issue" },
      discussion: discussionOf(found, date),
      ...(lateText === undefined ? {} : { lateText }),
    };
  }
  const first = statementOf(title);
  const messages = branch.map(statementOf);
  const statement = [first, ...messages.filter((text) => text !== first)].filter((text) => text !== "");
  return { statement: withoutRepeatedTitle(statement.join("\n\n")), statementFrom: "message" };
}

/**
 * Returns the discussion of the issues: the first issue's date, and the number of comments on all. Undefined if no text
 * has a date.
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

/** Returns the task's id in the form of benchmarks: `owner__name-12`. */
function taskId(repository: string, number: number | undefined, commit: string): string {
  return `${idPrefix(repository)}-${number ?? commit.slice(0, 10)}`;
}
