/**
 * A process of `index.ts`. It parses the files whose paths standard input lists, one per line, and discards the trees.
 */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { languageOf } from "../src/languages/source-files.ts";
import { withTree } from "../src/syntax/parser.ts";

for (const path of readFileSync(0, "utf8").split("\n")) {
  const language = path === "" ? undefined : languageOf(path);
  if (language === undefined) continue;
  const text = readFileSync(path, "utf8");
  await withTree(language.grammar(extname(path)), text, (tree) => tree.rootNode.endIndex);
}
