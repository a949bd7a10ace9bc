/** Literals of a text by its syntax tree: which stand where a decision is made. Pure. */
import { namedChildren, parentsOf, type SyntaxNode, walk } from "../../syntax/node.ts";
import { binaryOf, codeOf, conditionOf, roleOf, type Source } from "../../syntax/reading.ts";
import { isFunction } from "../../syntax/statements.ts";

export interface Literal {
  /** A string without its quotes, a number as it is written. */
  readonly value: string;
  readonly isNumber: boolean;
  readonly line: number;
}

/** All strings and numbers on the lines; all of the text without `lines`. */
export function listLiterals(source: Source, lines?: ReadonlySet<number>): Literal[] {
  return literalNodes(source)
    .filter(({ startLine }) => lines?.has(startLine) ?? true)
    .map((node) => readLiteral(source, node));
}

/** Of them, those in a condition, a comparison, the label of a case, or the key of a table. */
export function listDeciding(source: Source, lines: ReadonlySet<number>): Literal[] {
  return literalNodes(source)
    .filter((node) => lines.has(node.startLine) && decides(source, node))
    .map((node) => readLiteral(source, node));
}

function literalNodes(source: Source): SyntaxNode[] {
  const isLiteral = (node: SyntaxNode): boolean => {
    const role = roleOf(source, node);
    return role === "string" || role === "number";
  };
  return [...walk(source.tree.root, (node) => !isLiteral(node))].filter(isLiteral);
}

function readLiteral(source: Source, node: SyntaxNode): Literal {
  const text = codeOf(source, node);
  const isNumber = roleOf(source, node) === "number";
  return { value: isNumber ? text : unquote(text), isNumber, line: node.startLine };
}

function unquote(text: string): string {
  return /^\w*(?:#*)("""|'''|"|'|`)([\s\S]*)\1#*$/.exec(text)?.[2] ?? text;
}

/** What the grammars call the label of a case, whatever the language. */
const label = /case|switch_label|match_pattern/;

function decides(source: Source, node: SyntaxNode): boolean {
  let inner = node;
  for (const parent of parentsOf(node)) {
    if (isFunction(source, parent)) return false;
    const condition = conditionOf(source, parent);
    if (condition !== undefined && condition.start <= node.start && node.end <= condition.end) return true;
    const sign = binaryOf(source, parent)?.sign;
    const { comparison, equalities } = source.dialect.operators;
    if (sign !== undefined && (comparison.includes(sign) || equalities.includes(sign) || /\bin$/.test(sign)))
      return true;
    const [key] = namedChildren(parent);
    if (roleOf(source, parent) === "pair" && key === inner) return true;
    if (label.test(parent.kind) && (label.test(inner.kind) || key === inner)) return true;
    inner = parent;
  }
  return false;
}

/** Such values are in every program. */
export function isCommon({ value, isNumber }: Literal): boolean {
  return isNumber ? Math.abs(Number(value)) <= 2 : value.trim().length < 2;
}
