/** Finds the commits of the main branch that each merged request added. */
import type { MergedRequest, RequestCommit } from "../forge-hosts/contract.ts";
import type { Commit } from "./history.ts";
import { squashNumber } from "./references.ts";

export interface Landed {
  readonly request: MergedRequest;
  /** The request's commits, newest first. Several commits mean that the request was rebased or fast-forwarded. */
  readonly commits: readonly Commit[];
}

/**
 * Finds the commits of merged requests in the main line (newest commit first). Keys are the newest commits of the
 * requests. Recognises the other commits of a rebased request by subject and author's date, because a rebase keeps
 * them.
 */
export async function findLanded(
  mainLine: readonly Commit[],
  requests: readonly MergedRequest[],
  readCommits: (request: number) => Promise<readonly RequestCommit[]>,
): Promise<ReadonlyMap<string, Landed>> {
  const byCommit = new Map(requests.map((request) => [request.landed, request]));
  const found = new Map<string, Landed>();
  for (const [index, commit] of mainLine.entries()) {
    const request = byCommit.get(commit.id);
    if (request === undefined) continue;
    const isRebase =
      commit.parents.length === 1 && squashNumber(commit.message.split("\n")[0] ?? "") !== request.number;
    const own = isRebase ? await readCommits(request.number) : [];
    const end = own.length > 1 ? endOf(mainLine, index, own, byCommit) : index + 1;
    found.set(commit.id, { request, commits: mainLine.slice(index, end) });
  }
  return found;
}

/** Returns the index after the request's oldest commit. */
function endOf(
  mainLine: readonly Commit[],
  start: number,
  own: readonly RequestCommit[],
  landed: ReadonlyMap<string, MergedRequest>,
): number {
  const left = own.map(keyOf);
  for (let at = start; ; at += 1) {
    const commit = mainLine[at];
    if (commit === undefined || (at > start && landed.has(commit.id))) return Math.max(at, start + 1);
    const { message, authored } = commit;
    const known = left.indexOf(keyOf({ subject: message.split("\n")[0] ?? "", authored }));
    if (known < 0) return Math.max(at, start + 1);
    left.splice(known, 1);
  }
}

/** Returns a key of the commit's subject and date. Converts the date, because hosts write times in their own zone. */
function keyOf({ subject, authored }: RequestCommit): string {
  return `${Date.parse(authored)} ${subject.trim()}`;
}
