/** Finds the numbers of issues and merge requests in commit messages. */

const closing =
  /\b(?:clos(?:e|es|ed|ing)|fix(?:es|ed|ing)?|resolv(?:e|es|ed|ing))\b(?:\s+(?:issue|bug))?:?\s+((?:(?:[\w.-]+\/[\w.-]+)?#|gh-|https?:\/\/\S+?\/issues\/)\d+(?:\s*(?:,|and|&|,\s*and)\s*(?:(?:[\w.-]+\/[\w.-]+)?#|gh-)\d+)*)/gi;
const number = /(?:#|gh-|\/issues\/)(\d+)/gi;
const named = /(?:^|[\s([,:])(?:#|gh-)(\d+)\b|\/issues\/(\d+)\b/gi;

const foreign = /(?:https?:\/\/[^\s/]+\/([\w./-]+?)\/(?:-\/)?issues\/|([\w.-]+(?:\/[\w.-]+)+)#)\d+/g;

/** Removes references to issues of other repositories from the text. */
export function withoutForeign(text: string, repository: string): string {
  const own = repository.toLowerCase();
  return text.replaceAll(foreign, (reference, page?: string, named?: string) =>
    (page ?? named ?? "").toLowerCase() === own ? reference : "",
  );
}

export interface References {
  /** The issue numbers after closing keywords, in text order. */
  readonly closed: readonly number[];
  /** The other issue numbers in the text. */
  readonly named: readonly number[];
}

export function findReferences(text: string): References {
  const closed = [...text.matchAll(closing)].flatMap(([, list = ""]) =>
    [...list.matchAll(number)].map(([, digits]) => Number(digits)),
  );
  const others = [...text.matchAll(named)].map(([, plain, linked]) => Number(plain ?? linked));
  const known = new Set(closed);
  return { closed: [...known], named: [...new Set(others)].filter((each) => !known.has(each)) };
}

/**
 * Returns the number in `Add a cache (#12)` or `Add a cache (!12)`. Repository hosts give such a subject to a squashed
 * merge. Undefined for other subjects.
 */
export function squashNumber(subject: string): number | undefined {
  const digits = /\(#(\d+)\)\s*$/.exec(subject)?.[1] ?? /\(!(\d+)\)\s*$/.exec(subject)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/**
 * Returns the number in a merge's message, such as `Merge pull request #12 from …`, `See merge request
 * group/project!12` or `Auto merge of #12`; undefined for other messages.
 */
export function mergeNumber(message: string): number | undefined {
  const digits =
    /^Merge (?:pull request|PR) #(\d+)\b/i.exec(message)?.[1] ??
    /^See merge request \S*!(\d+)\s*$/m.exec(message)?.[1] ??
    /^Auto merge of #(\d+)\b/.exec(message)?.[1] ??
    /^Merge #(\d+)\b/.exec(message)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
