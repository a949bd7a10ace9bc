/** Gives equal literals of all languages equal keys. Pure. */
import { namedChildren, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { type Folded, fold, isComputed } from "./fold.ts";

/** The key of a number, a string or a list, such as `n:95`, `t:abc` or `l:5,6`. Equal keys mean equal values. */
export type ValueKey = string;

/** Returns the key of a literal or of a collection of literals; undefined for other nodes and for empty values. */
export function keyOf(source: Source, node: SyntaxNode): ValueKey | undefined {
  const inner = unwrap(source, node);
  const role = roleOf(source, inner);
  const text = codeOf(source, inner);
  if (role === "number") return numberKey(text);
  if (role === "unary" && /^-\s*[\d.]/.test(text)) return numberKey(text);
  const character = role === "string" || role === undefined ? escapedCharacter(text) : undefined;
  if (character !== undefined) return character;
  if (role === "string") return isPlain(inner) ? textKey(unquote(text)) : undefined;
  if (isComputed(source, inner)) return foldedKey(fold(source, inner));
  if (role !== "collection" && inner.kind !== "token_tree" && !isListMacro(source, inner)) return undefined;
  const parts = elementsOf(source, inner).map((each) => keyOf(source, each));
  return parts.length > 0 && parts.every((part) => part !== undefined) ? `l:${parts.join(",")}` : undefined;
}

/** Returns the key of a computed value: 7 for `3 + 4`. */
function foldedKey(value: Folded | undefined): ValueKey | undefined {
  if (typeof value === "number") return `n:${value}`;
  return typeof value === "string" ? textKey(value) : undefined;
}

/**
 * Returns the key. For a string, also returns the key of the number or list in it: `str(x) == "100"`, `list.join() ===
 * "3,7"`.
 */
export function spelledKeys(key: ValueKey): ValueKey[] {
  if (!key.startsWith("t:")) return [key];
  const text = key.slice(2).trim();
  const number = numberKey(text);
  const list = /^[[({](.*)[\])}]$/s.exec(text)?.[1] ?? /^-?\d+(?:,-?\d+)+$/.exec(text)?.[0];
  const parts = list?.split(",").map((part) => spelled(part.trim())) ?? [];
  return [key, ...(number === undefined ? [] : [number]), ...(list ? [`l:${parts.join(",")}`] : [])];
}

function spelled(text: string): ValueKey {
  return numberKey(text) ?? textKey(unquote(text)) ?? text;
}

/** Returns true for a common value: a number from -2 to 2, or a text without letters and digits. */
export function isCommonKey(key: ValueKey): boolean {
  const value = key.slice(2);
  if (key.startsWith("n:")) return Math.abs(Number(value)) <= 2;
  return key.startsWith("t:") && !/[\p{L}\p{N}]/u.test(value);
}

export function listShownKeys(source: Source, isShown: (line: number) => boolean): ValueKey[] {
  return [...walk(source.tree.root)].flatMap((node) => {
    const key = node.named && isShown(node.startLine) ? keyOf(source, node) : undefined;
    return key === undefined ? [] : spelledKeys(key);
  });
}

function numberKey(text: string): ValueKey | undefined {
  const plain = text
    .replaceAll(/[_\s]/g, "")
    .replace(/(?<=^-?[\d.]+)(?:[iuf](?:8|16|32|64|128|size)|[lLfFdDn])$/, "");
  const number = /^-?(?:\d|\.\d|0[xob])[\w.+-]*$/i.test(plain) ? Number(plain) : Number.NaN;
  return Number.isNaN(number) ? undefined : `n:${number}`;
}

/** Returns the key of a character that compares with numbers: `'\u0007'` in Java and Go, `b'\x07'` in Rust. */
function escapedCharacter(text: string): ValueKey | undefined {
  const [, hex, octal] = /^b?'\\(?:[xuU]\{?([\da-fA-F]{1,8})\}?|([0-7]{1,3}))'$/.exec(text) ?? [];
  if (hex !== undefined) return `n:${Number.parseInt(hex, 16)}`;
  return octal === undefined ? undefined : `n:${Number.parseInt(octal, 8)}`;
}

function textKey(text: string): ValueKey | undefined {
  return text === "" ? undefined : `t:${text}`;
}

function unquote(text: string): string {
  return /^\w*#*("""|'''|"|'|`)([\s\S]*)\1#*$/.exec(text)?.[2] ?? text;
}

function isPlain(node: SyntaxNode): boolean {
  return node.kind !== "regex" && !node.children.some(({ kind }) => /substitution|interpolation/.test(kind));
}

/** Removes parentheses, references and other wrappers. */
function unwrap(source: Source, node: SyntaxNode): SyntaxNode {
  const isHolder =
    roleOf(source, node) === "parentheses" || /^(?:literal_element|reference_expression)$/.test(node.kind);
  const [only, more] = isHolder ? namedChildren(node) : [];
  return only === undefined || more !== undefined ? node : unwrap(source, only);
}

export function isListMacro(source: Source, node: SyntaxNode): boolean {
  return node.kind === "macro_invocation" && /^vec\s*!/.test(codeOf(source, node));
}

function elementsOf(source: Source, node: SyntaxNode): SyntaxNode[] {
  const inner = namedChildren(node).filter((child) => {
    const role = roleOf(source, child);
    return role !== "type" && role !== "comment" && child.field !== "macro";
  });
  const [only] = inner;
  const isHeld =
    only !== undefined &&
    inner.length === 1 &&
    node.kind !== "token_tree" &&
    /^(?:literal_value|array_initializer|token_tree)$/.test(only.kind);
  return isHeld ? elementsOf(source, only) : inner;
}
