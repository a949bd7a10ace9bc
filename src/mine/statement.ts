/** Makes a task's statement: the text of its issue, or the commit message if there is no issue. */
import type { Issue } from "./issues.ts";

const trailer = /^[A-Z][a-z]+(?:-[a-z]+)*-(?:by|to|id):|^\(cherry picked|^See merge request \S*!\d+$/i;
const mergeLine =
  /^Merge (?:pull request|PR|branch|remote-tracking branch|tag)\b.*$|^Auto merge of #\d+.*$|^Merge (?:#\d+\s*)+$|^Merge branch .* into .*$/;
/** Matches a line such as `Fixes #12.`, which is useless without the issue. */
const closingLine =
  /^[-*]?\s*(?:clos|fix|resolv)(?:e|es|ed|ing)?:?\s+(?:[\w.-]+\/[\w.-]+)?(?:#|gh-|https?:\/\/\S+\/issues\/)\d+[.,;]?\s*$/i;

/** The line that GitHub writes between a squash's messages and its trailers. */
const squashRule = /\n+-{9}$/;

/**
 * Removes lines that name people, merges or issues to close, and references such as `(#12)`, from a commit's message.
 */
export function statementOf(message: string): string {
  return message
    .split("\n")
    .filter((line) => !trailer.test(line) && !mergeLine.test(line) && !closingLine.test(line))
    .join("\n")
    .replaceAll(/ ?\((?:#|!|gh-)\d+\)/gi, "")
    .trim()
    .replace(squashRule, "");
}

/** Makes a statement from several issues: title and text of each issue, in order. */
export function statementOfIssues(issues: readonly Issue[]): string {
  return issues.map(({ title, body }) => `${title.trim()}\n\n${body.trim()}`.trim()).join("\n\n");
}
