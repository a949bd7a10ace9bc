/** Finds texts that the statement tells to write ("should read `the accounts`"), and checks that a patch writes them. Pure. */

/** A quoted text of 2 to 200 characters, without the quotation marks. */
const quoted =
  /(?:"([^"\n]{2,200})"|“([^”\n]{2,200})”|‘([^’\n]{2,200})’|(?<!\w)'([^'\n]{2,200})'(?!\w)|(?<!`)`([^`\n]{2,200})`)/
    .source;
const obliges = /\b(?:should|must|shall|ought to|has to|have to|needs? to)(?: now| instead| rather)?/.source;
const writes = /(?:read|say|be (?:spelled|spelt|written|worded|titled|renamed to)(?: as)?)/.source;
const patterns = [
  new RegExp(`${obliges} ${writes}:?\\s+${quoted}`, "giu"),
  new RegExp(
    `(?<!not |n't |that )\\b(?:change|replace|correct|rename) ${quoted} (?:to|with|by|into) ${quoted}`,
    "giu",
  ),
];

/** Lists the texts that the statement tells to write. Ignores code blocks. */
export function listStatedTexts(statement: string): string[] {
  const prose = statement.replaceAll(/^ {0,3}(`{3,}|~{3,})[\s\S]*?^ {0,3}\1/gm, "");
  const found = patterns.flatMap((pattern) => [...prose.matchAll(pattern)]);
  return [...new Set(found.map((match) => match.slice(1).findLast((each) => each !== undefined) ?? ""))];
}

interface Texts {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/**
 * Lists the stated texts if the patch writes none of them: neither in its new lines, also across line breaks, nor in a
 * changed file's path.
 */
export function findUnwritten(stated: readonly string[], files: readonly Texts[]): readonly string[] {
  const written = files.flatMap(({ path, before, after }) => {
    const known = new Set((before ?? "").split("\n"));
    const added = (after ?? "").split("\n").filter((line) => !known.has(line));
    return [path, plain(added.map((line) => line.replace(/^\s*(?:>|\/\/|#|\*)\s?/, "")).join(" "))];
  });
  return stated.some((text) => written.some((each) => each.includes(plain(text)))) ? [] : stated;
}

/** The text without the differences that a line break or an editor's quotation marks make. */
function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll(/[“”]/g, '"').replaceAll(/[‘’]/g, "'").trim();
}
