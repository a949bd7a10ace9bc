/** Reads which modules a file needs whenever it is used, without those that it can do without. */
import type { Import } from "../../../domain/code-symbols.ts";
import { walk } from "../../../syntax/node.ts";
import { codeOf } from "../../../syntax/reading.ts";
import { extractSymbols } from "../../../syntax/symbols/extract-symbols.ts";
import { readSource } from "../../code/change.ts";

/** Conditions under which type checkers or starts of a script import. */
const aside = /\bTYPE_CHECKING\b|\b__name__\b|\brequire\.main\b/;

/** The file's imports, without those in a `try` and those for type checkers. */
export async function readUses(path: string, text: string): Promise<readonly Import[]> {
  const imports = (await extractSymbols(path, text))?.imports ?? [];
  if (imports.length === 0) return [];
  const source = await readSource(path, text);
  if (source === undefined) return [];
  const optional = [...walk(source.tree.root)].filter(
    (node) =>
      node.kind === "try_statement" ||
      (node.kind === "if_statement" && aside.test(codeOf(source, node).split("\n", 1)[0] ?? "")),
  );
  return imports.filter(
    ({ line }) => !optional.some(({ startLine, endLine }) => startLine <= line && line <= endLine),
  );
}
