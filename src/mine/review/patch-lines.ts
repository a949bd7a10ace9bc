/** The lines that a unified diff adds and removes in some files, without their indentation. */
export interface PatchLines {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Lists the changed lines of these files. Ignores blank lines. */
export function changedLines(patch: string, files: readonly string[]): PatchLines {
  const wanted = new Set(files);
  const [added, removed]: [string[], string[]] = [[], []];
  let isWanted = false;
  for (const line of patch.split("\n")) {
    const path = /^diff --git "?a\/.* "?b\/(.*?)"?$/.exec(line)?.[1];
    if (path !== undefined) isWanted = wanted.has(path);
    if (!isWanted || /^(?:\+\+\+|---) /.test(line)) continue;
    const text = line.slice(1).trim();
    if (text === "") continue;
    if (line.startsWith("+")) added.push(text);
    else if (line.startsWith("-")) removed.push(text);
  }
  return { added, removed };
}
