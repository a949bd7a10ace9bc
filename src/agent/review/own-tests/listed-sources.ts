/** Finds source files that a test reaches without their names: by a folder, a pattern or the loaded files. Pure. */
import { basename, dirname } from "node:path";

const listing =
  /\b(?:readdir(?:Sync)?|opendir(?:Sync)?|globSync|read_dir|ReadDir|WalkDir|Walk|Glob|glob|rglob|iterdir|listdir|scandir|walk|listFiles|newDirectoryStream|entries|children)\s*\(|\bDir\s*\[|\bFiles\s*\.\s*(?:walk|list|find)\s*\(|\bgo:embed\b|\bimport\.meta\.glob\b/;
const loaded =
  /\$LOADED_FEATURES\b|\$"(?=\s*[.[])|\bget_(?:included|required)_files\s*\(|\bimport\s[^\n]*["'][^"'\n]*\?raw["']/;

export function listsFiles(text: string): boolean {
  return listing.test(text) || loaded.test(text);
}

/**
 * Names the source files that a line of a test reaches without their names: `the files in src`, or `the loaded code`.
 * Takes the first such line. Returns undefined if no line reaches source files. `sources`: paths of the code, without
 * tests.
 */
export function findListedSource(
  lines: readonly { readonly line: string; readonly literals: readonly string[] }[],
  sources: readonly string[],
): string | undefined {
  for (const { line, literals } of lines) {
    if (loaded.test(line)) return "the loaded code";
    if (!listing.test(line)) continue;
    const embedded = /go:embed\s+(.+)$/.exec(line)?.[1]?.split(/\s+/) ?? [];
    const found = [...literals, ...embedded].find((each) => reaches(each, sources));
    if (found !== undefined) return `the files in ${found}`;
  }
  return undefined;
}

/** True if the literal is a folder or a pattern that reaches a source: `src`, `../src`, `lib/*`, `s*.go`, `.`. */
function reaches(literal: string, sources: readonly string[]): boolean {
  const path = literal.replace(/^(?:\.{1,2}\/|\/)+/, "").replace(/\/+$/, "");
  if (/^\.{0,2}$/.test(path)) return sources.some((each) => !each.includes("/"));
  if (!/[*?[]/.test(path))
    return sources.some(
      (each) => `/${dirname(each)}`.endsWith(`/${path}`) || dirname(each).startsWith(`${path}/`),
    );
  const pattern = new RegExp(
    `(?:^|/)${path
      .replaceAll(/[.+^$()|{}\\]/g, String.raw`\$&`)
      .replaceAll(/\*\*\/?|\*|\?/g, (star) => (star === "?" ? "[^/]" : star === "*" ? "[^/]*" : ".*"))}$`,
  );
  return sources.some((each) => pattern.test(path.includes("/") ? each : basename(each)));
}
