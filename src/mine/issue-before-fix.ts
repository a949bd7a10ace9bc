/** Restores issues of a repository's host to their state before a fix. */
import type { ForgeIssue } from "../forge-hosts/contract.ts";
import type { Issue } from "./issues.ts";

export interface DatedIssue extends Issue {
  /** Time at which somebody wrote or edited the text, if this was after the proposal of the fix. */
  readonly late?: string;
}

/**
 * Restores an issue's title from the time at which the fix was proposed. Keeps the current text, and sets `late` if
 * somebody wrote or edited the text after that time. Counts the comments up to the merge.
 */
export function issueBeforeFix(issue: ForgeIssue, proposed: string, merged: string): DatedIssue {
  const { number, title, body, opened, edited, renamed, comments } = issue;
  const isAfter = (moment: string, limit: string): boolean => Date.parse(moment) > Date.parse(limit);
  const rename = renamed
    .filter(({ at }) => isAfter(at, proposed))
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))[0];
  const late = [edited, opened].find((moment) => moment !== undefined && isAfter(moment, proposed));
  return {
    ...{ number, title: rename?.from ?? title, body: body.replaceAll("\r\n", "\n"), created_at: opened },
    comments: comments.filter(({ at }) => !isAfter(at, merged)).length,
    ...(late === undefined ? {} : { late }),
  };
}
