/** Removes imports that only removed code used, because Go refuses a file with an unused import. */
import { languageOf } from "../../languages/source-files.ts";
import { namedChildren, type SyntaxNode, textOf, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";

/**
 * Removes from a Go file the imports that only the removed code used. Leaves other files unchanged. `text`: the file
 * without the removed code.
 */
export async function withoutLeftImports(path: string, text: string, removed: string): Promise<string> {
  const source = path.endsWith(".go") ? await readSource(path, text, languageOf) : undefined;
  if (source === undefined) return text;
  const specs = [...walk(source.tree.root)].filter(({ kind }) => kind === "import_spec");
  const left = text.slice(Math.max(0, ...specs.map(({ end }) => end)));
  const isUnused = (spec: SyntaxNode): boolean => {
    const name = packageName(namedChildren(spec).map((part) => textOf(source.tree, part)));
    return name !== undefined && uses(removed, name) && !uses(left, name);
  };
  const gone = new Set(specs.filter(isUnused).map(({ startLine }) => startLine));
  return text
    .split("\n")
    .filter((_, index) => !gone.has(index + 1))
    .join("\n");
}

/**
 * Returns a package's name: the alias, or the last part of the path without its version, as in `semver` for
 * `github.com/acme/semver/v3`.
 */
function packageName(parts: readonly string[]): string | undefined {
  const path = parts
    .at(-1)
    ?.replaceAll(/["`]/g, "")
    .replace(/(?:\/|\.)v\d+$/, "");
  const name = parts.length > 1 ? parts[0] : path?.split("/").at(-1);
  return name === undefined || !/^[A-Za-z]\w*$/.test(name) ? undefined : name;
}

function uses(code: string, name: string): boolean {
  return new RegExp(`(?<![\\w.])${name}\\.`).test(code);
}
