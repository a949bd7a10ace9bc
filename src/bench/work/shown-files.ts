/**
 * Removes the lines of a command's output that only list files, or show text of files that the fix changes. These lines
 * may differ after the fix independently of the program, so they say nothing about its behaviour.
 */

export interface ShownFiles {
  readonly paths: ReadonlySet<string>;
  /** The lines of the files, without outer white space. */
  readonly lines: ReadonlySet<string>;
}

/** Collects the lines of files. `texts`: the file's text in each tree that has it. */
export function collectLines(
  files: readonly { readonly path: string; readonly texts: readonly string[] }[],
): ShownFiles {
  const lines = files.flatMap(({ texts }) =>
    texts.flatMap((text) => text.split("\n").map((line) => line.trim())),
  );
  return {
    paths: new Set(files.map(({ path }) => path)),
    lines: new Set(lines.filter((line) => line !== "")),
  };
}

/** Returns the output without lines of these files, and without lists of files with sizes and dates. */
export function withoutFiles(output: string, files: ShownFiles): string {
  return output
    .split("\n")
    .filter((line) => !listed.test(line) && !isCount(line, files) && !isLine(line.trim(), files))
    .join("\n");
}

/** Matches lines of `ls -l`, and the heads of a diff. */
const listed = /^(?:total \d+$|[-dl][rwxsStT-]{9}[+.@]?\s|index [0-9a-f]+\.\.|@@ -\d)/;

/** True for a line of `wc` about one of the files. */
function isCount(line: string, { paths }: ShownFiles): boolean {
  const path = /^\s*(?:\d+\s+)+(?:\.\/)?(\S+)$/.exec(line)?.[1];
  return path !== undefined && paths.has(path);
}

/** Match the words before a line of a file: its number with or without the path, or the mark of a diff. */
const before = [/^/, /^(?:[\w@./-]+\.\w+[:-])?(?:\d+(?:[:-]|\s))?\s*/, /^[-+<>]\s*/];

function isLine(line: string, { lines }: ShownFiles): boolean {
  return before.some((form) => lines.has(line.replace(form, "").trim()));
}
