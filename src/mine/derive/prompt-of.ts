/** Splits a Python function into REPOCOD's prompt, which is the signature with the docstring, and the rest. */
import { languageOf } from "../../languages/source-files.ts";
import { namedChildren, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import { roleOf } from "../../syntax/reading.ts";

/** Minimum number of words in a docstring. A shorter docstring does not describe the function. */
const leastWords = 10;

/**
 * Returns the first lines of a function's text: from `def`, indented as in its file, to the end of the docstring.
 * Returns undefined without a docstring of at least 10 words, or without a statement after the docstring.
 */
export async function promptOf(text: string): Promise<string | undefined> {
  const lines = text.split("\n");
  const indent = /^\s*/.exec(lines[0] ?? "")?.[0].length ?? 0;
  const plain = lines.map((line) => line.slice(Math.min(indent, /^\s*/.exec(line)?.[0].length ?? 0)));
  const source = await readSource("function.py", plain.join("\n"), languageOf);
  if (source === undefined) return undefined;
  const node = [...walk(source.tree.root)].find((each) => roleOf(source, each) === "function");
  const block = node?.children.find((child) => roleOf(source, child) === "block");
  const [first, ...rest] = block === undefined ? [] : namedChildren(block);
  const [doc] = first === undefined ? [] : [first, ...namedChildren(first)].slice(-1);
  if (first === undefined || doc === undefined || roleOf(source, doc) !== "string") return undefined;
  const words =
    plain
      .slice(first.startLine - 1, first.endLine)
      .join(" ")
      .match(/[A-Za-z]{2,}/g) ?? [];
  if (words.length < leastWords || rest.length === 0) return undefined;
  return `${lines.slice(0, first.endLine).join("\n")}\n`;
}
