export interface PatchFile {
  readonly path: string;
  readonly hunks: number;
  readonly added: number;
  readonly removed: number;
}

/** Lists the files that a unified diff changes, in git's format or with only the lines `---` and `+++`. */
export function filesOf(patch: string): PatchFile[] {
  return patch
    .split(/^diff --git (?=a\/)/m)
    .flatMap((part) => (/^a\/.* b\//.test(part) ? [part] : part.split(/^(?=--- .*\n\+\+\+ )/m)))
    .filter((part) => /^a\/.* b\/|^--- /.test(part))
    .map((part) => {
      const lines = part.slice(part.search(/^@@/m)).split("\n");
      const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      return {
        path: /^a\/.* b\/(.*)$/m.exec(part)?.[1] ?? pathIn(part),
        hunks: part.match(/^@@ /gm)?.length ?? 0,
        added: count("+"),
        removed: count("-"),
      };
    });
}

/** Returns the new path, or the old path of a deleted file. Tools write a date after a tab. */
function pathIn(part: string): string {
  const paths = ["+++", "---"].map((sign) => part.split("\n").find((line) => line.startsWith(`${sign} `)));
  const named = paths.map((line) => (line ?? "").slice(4).split("\t")[0] ?? "");
  return (named.find((path) => path !== "/dev/null") ?? "").replace(/^[ab]\//, "");
}
