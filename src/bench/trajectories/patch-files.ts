export interface PatchFile {
  readonly path: string;
  readonly hunks: number;
  readonly added: number;
  readonly removed: number;
}

/** Lists the files that a unified diff in git's format changes. */
export function filesOf(patch: string): PatchFile[] {
  return patch
    .split(/^(?=diff --git )/m)
    .filter((part) => part.startsWith("diff --git "))
    .map((part) => {
      const lines = part.slice(part.search(/^@@/m)).split("\n");
      const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
      return {
        path: /^diff --git a\/.* b\/(.*)$/m.exec(part)?.[1] ?? "",
        hunks: part.match(/^@@ /gm)?.length ?? 0,
        added: count("+"),
        removed: count("-"),
      };
    });
}
