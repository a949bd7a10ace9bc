/**
 * Removes the statement's first line if the following text repeats it. For example, commit messages repeat a request's
 * title.
 */
export function withoutRepeatedTitle(statement: string): string {
  const [, title = "", body = ""] = /^\s*([^\n]*\S)\s*\n\s*([\s\S]*)$/.exec(statement) ?? [];
  const [first = ""] = body.split("\n");
  return title !== "" && plainTitle(first) === plainTitle(title) ? withoutRepeatedTitle(body) : statement;
}

/**
 * Removes a heading's mark, a reference to a request, and a full stop or colon from a title. Converts it to lower case.
 */
function plainTitle(line: string): string {
  return line
    .trim()
    .replace(/^#+\s+/, "")
    .replace(/\s*\((?:#|!|gh-)\d+\)$/i, "")
    .replace(/[.:]$/, "")
    .toLowerCase();
}
