/** Reads values from a statement and from documentation, in words and in examples. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { isCommonKey, spelledKeys, type ValueKey } from "../texts/value-keys.ts";
import { isMeant } from "./meant-numbers.ts";

export interface Named {
  /** The text without code blocks and without the contents of calls and lists. */
  readonly prose: string;
  readonly all: string;
}

export function readNamed(statement: string): Named {
  const prose = statement
    .replaceAll(/```[\s\S]*?(?:```|$)/g, " ")
    .replaceAll(/^(?: {4}|\t|>>> ).*$/gm, " ")
    .replaceAll(/`[^`\n]*[([{=][^`\n]*`/g, " ")
    .replaceAll(/[\w.]+\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\]\n]*\]/g, " ");
  return { prose, all: statement };
}

/** Lists comments, and strings that are statements by themselves, such as Python docstrings. */
export function listDocumentation(source: Source): string[] {
  const isText = (node: SyntaxNode): boolean =>
    roleOf(source, node) === "string" &&
    node.parent !== undefined &&
    roleOf(source, node.parent) === "expression-statement";
  return [...walk(source.tree.root)]
    .filter((node) => roleOf(source, node) === "comment" || isText(node))
    .map((node) => codeOf(source, node).replaceAll(/^[ \t]*(?:\/\/[/!]?|\/?\*+\/?|#+|"""|''')/gm, ""));
}

/** True if the text contains the value, or a word that means it: "seven", "leap years". */
export function isNamed(key: ValueKey, text: string): boolean {
  const value = key.slice(2);
  if (key.startsWith("l:")) {
    const parts = value.split(/,(?=[ntl]:)/).map((part) => part.replace(/^(?:l:)+/, ""));
    return parts.some((part) => !isCommonKey(part)) && parts.every((part) => isNamed(part, text));
  }
  if (key.startsWith("t:")) {
    const escaped = literally(value.trim());
    return new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, "iu").test(text);
  }
  const numbers = text.match(/(?<![\w.])-?\d[\d_,]*(?:\.\d+)?/g) ?? [];
  const spelled = numbers.flatMap((number) => spelledKeys(`t:${number.replaceAll(/[,_]/g, "")}`));
  if (isMeant(Math.abs(Number(value)), text)) return true;
  return spelled.includes(key) || (value.startsWith("-") && spelled.includes(`n:${value.slice(1)}`));
}
