/** The added and removed lines of a unified diff, without their indentation. */
export interface PatchLines {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Lists the changed lines of these files. Ignores blank lines. */
export function changedLines(patch: string, files: readonly string[]): PatchLines {
  const [added, removed]: [string[], string[]] = [[], []];
  for (const line of linesOfFiles(patch, files)) {
    if (/^(?:\+\+\+|---) /.test(line)) continue;
    const text = line.slice(1).trim();
    if (text === "") continue;
    if (line.startsWith("+")) added.push(text);
    else if (line.startsWith("-")) removed.push(text);
  }
  return { added, removed };
}

/** Returns the lines of a unified diff that concern these files, without the `diff --git` lines. */
export function linesOfFiles(patch: string, files: readonly string[]): string[] {
  const wanted = new Set(files);
  let isWanted = false;
  return patch.split("\n").filter((line) => {
    const path = /^diff --git "?a\/.* "?b\/(.*?)"?$/.exec(line)?.[1];
    if (path !== undefined) isWanted = wanted.has(path);
    return path === undefined && isWanted;
  });
}

/** True for a comment. `line`: without the spaces around it. */
export function isComment(line: string): boolean {
  return /^(?:#(?!\[)|\/\/|\*|\/\*|"""|''')/.test(line);
}

/** Returns the line numbers, before the patch, at which the patch changes code. Ignores empty lines and comments. */
export function changedPlaces(patch: string, file: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (const line of linesOfFiles(patch, [file])) {
    const start = /^@@ -(\d+)/.exec(line)?.[1];
    if (start !== undefined) at = Number(start);
    if (start !== undefined || /^(?:\+\+\+|---) /.test(line)) continue;
    const text = line.slice(1).trim();
    if (/^[+-]/.test(line) && text !== "" && !isComment(text)) places.push(at);
    if (/^[ -]/.test(line)) at += 1;
  }
  return places;
}
