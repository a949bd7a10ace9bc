/** Reads merged requests and issues from a repository's host. */
import type { Forge, MergedRequest } from "../forge-hosts/contract.ts";
import type { Commit } from "./history.ts";
import { type DatedIssue, issueBeforeFix } from "./issue-before-fix.ts";
import { findLanded, type Landed } from "./landed-requests.ts";

export interface ForgeReading {
  readonly landed: ReadonlyMap<string, Landed>;
  readLinks(request: number): Promise<readonly number[]>;
  /** Reads an issue as it was before a fix; undefined if it does not exist. `proposed`, `merged`: times of the fix. */
  readIssue(number: number, proposed: string, merged: string): Promise<DatedIssue | undefined>;
}

/** Number of requests to read for each wanted change if `--limit` is given, because filters drop most requests. */
const requestsPerChange = 20;
const leastRequests = 200;

/**
 * Finds the merged requests of the main line. Stops once it has enough for `limit` changes. The result reads links and
 * issues on demand.
 */
export async function readForge(
  forge: Forge,
  mainLine: readonly Commit[],
  limit: number | undefined,
): Promise<ForgeReading> {
  const ids = new Set(mainLine.map(({ id }) => id));
  const most =
    limit === undefined ? Number.POSITIVE_INFINITY : Math.max(leastRequests, limit * requestsPerChange);
  const requests = new Map<number, MergedRequest>();
  const oldest = mainLine.reduce((least, { date }) => Math.min(least, Date.parse(date)), Date.now());
  for await (const page of mainLine.length === 0 ? [] : forge.listMerged(new Date(oldest).toISOString())) {
    for (const request of page) if (ids.has(request.landed)) requests.set(request.number, request);
    if (requests.size >= most) break;
  }
  const landed = await findLanded(mainLine, [...requests.values()], (number) => forge.readCommits(number));
  const issues = new Map<number, ReturnType<Forge["readIssue"]>>();
  return {
    landed,
    readLinks: (number) => forge.readLinks(number),
    async readIssue(number, proposed, merged) {
      const asked = issues.get(number) ?? forge.readIssue(number);
      issues.set(number, asked);
      const issue = await asked;
      return issue === undefined ? undefined : issueBeforeFix(issue, proposed, merged);
    },
  };
}
