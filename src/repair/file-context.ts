/** Reads the material for repairs from a file, once per file: names, conditions, calls and fields. */
import { childOf, namedChildren, nodeAt, type SyntaxNode, walk } from "../syntax/node.ts";
import {
  type Binary,
  binaryOf,
  callOf,
  codeOf,
  conditionOf,
  isVariable,
  partOf,
  roleOf,
  type Source,
} from "../syntax/reading.ts";
import { readScopes, type ScopeName, type Scopes } from "../syntax/scope.ts";
import { functionAbove, type Statement, statementsOf } from "../syntax/statements.ts";
import { noWords, type TestWords } from "./test-words.ts";

export interface SeenCondition {
  readonly text: string;
  /** The condition's variables, without fields of the method's own object and imported names. */
  readonly names: readonly string[];
  readonly function: SyntaxNode | undefined;
}

export interface SeenCall {
  /** `append` in `queue.append(x)`. */
  readonly name: string;
  readonly receiver: string | undefined;
  readonly arity: number;
  readonly function: SyntaxNode | undefined;
}

/** A function that the file defines. */
export interface DefinedFunction {
  readonly name: string;
  /** The node in which the function can be called. */
  readonly within: SyntaxNode;
  /** The numbers of arguments that it takes. */
  readonly least: number;
  readonly most: number;
  /** The declared type of its result. */
  readonly result: string | undefined;
}

/** The kind of value that a name's uses show. Names with a common shape can replace each other. */
export type Shape = "number" | "sequence" | "object" | "function" | "boolean" | "text";

export interface FileContext {
  readonly source: Source;
  readonly scopes: Scopes;
  readonly statements: readonly Statement[];
  /** The frequency of each identifier or field name in the file. */
  readonly frequency: ReadonlyMap<string, number>;
  readonly conditions: readonly SeenCondition[];
  readonly calls: readonly SeenCall[];
  readonly functions: readonly DefinedFunction[];
  /** Fields read or written, by object text: `node` → next, value; all fields under "". */
  readonly members: ReadonlyMap<string, ReadonlySet<string>>;
  readonly shapes: ReadonlyMap<string, ReadonlySet<Shape>>;
  /** Short string literals as written, each once. */
  readonly strings: readonly string[];
  /** Words of the failing tests. */
  readonly words: TestWords;
  readonly indentUnit: string;
  readonly lineEnd: string;
}

interface Collected {
  readonly frequency: Map<string, number>;
  readonly conditions: SeenCondition[];
  readonly calls: SeenCall[];
  readonly members: Map<string, Set<string>>;
  readonly shapes: Map<string, Set<Shape>>;
  readonly strings: Set<string>;
}

export function readFileContext(source: Source, words: TestWords = noWords): FileContext {
  const collected: Collected = {
    frequency: new Map(),
    conditions: [],
    calls: [],
    members: new Map(),
    shapes: new Map(),
    strings: new Set(),
  };
  const scopes = readScopes(source);
  const variables = new Set(scopes.bound.filter(({ kind }) => isValue(kind)).map(({ name }) => name));
  const enter = (node: SyntaxNode): boolean =>
    !["type", "import", "comment"].includes(roleOf(source, node) ?? "");
  for (const node of walk(source.tree.root, enter)) {
    if (!enter(node)) continue;
    collectNames(source, node, collected);
    collectCondition(source, node, variables, collected);
    collectCall(source, node, collected);
    collectShapes(source, node, collected);
  }
  return {
    source,
    scopes,
    functions: definedFunctions(source, scopes),
    statements: statementsOf(source),
    ...collected,
    strings: [...collected.strings],
    words,
    indentUnit: /\n([ \t]+)\S/.exec(source.tree.text)?.[1] ?? "    ",
    lineEnd: source.tree.text.includes("\r\n") ? "\r\n" : "\n",
  };
}

/** True for a name that holds a value of its scope; functions, types and modules can be used in the whole file. */
function isValue(kind: ScopeName["kind"]): boolean {
  return kind !== "function" && kind !== "class" && kind !== "import";
}

function definedFunctions(source: Source, scopes: Scopes): DefinedFunction[] {
  return scopes.bound.flatMap(({ name, kind, boundAt, within }) => {
    if (kind !== "function") return [];
    const holder = functionAbove(source, nodeAt(source.tree.root, boundAt, boundAt + 1));
    const list = holder && partOf(source, holder, "parameters");
    if (holder === undefined || list === undefined) return [];
    const parameters = namedChildren(list).filter(
      (one) => roleOf(source, one) !== "comment" && !source.dialect.selves.includes(codeOf(source, one)),
    );
    const isFree = parameters.some(({ kind: form }) => /splat|spread|rest|variadic/.test(form));
    const optional = parameters.filter(
      (one) => /default|optional|assignment/.test(one.kind) || partOf(source, one, "value") !== undefined,
    );
    const type = childOf(holder, "type") ?? childOf(holder, "return_type");
    return {
      name,
      within,
      least: isFree ? 0 : parameters.length - optional.length,
      most: isFree ? Number.POSITIVE_INFINITY : parameters.length,
      result: type && codeOf(source, type),
    };
  });
}

function collectNames(source: Source, node: SyntaxNode, into: Collected): void {
  if (!node.named) return;
  const role = roleOf(source, node);
  if (role === "identifier" || (node.children.length === 0 && /identifier/.test(node.kind))) {
    const name = codeOf(source, node);
    into.frequency.set(name, (into.frequency.get(name) ?? 0) + 1);
  }
  if (role === "string" && node.startLine === node.endLine && node.end - node.start < 40) {
    if (node.parent === undefined || roleOf(source, node.parent) !== "expression-statement") {
      into.strings.add(codeOf(source, node));
    }
  }
  if (role !== "attribute" || (node.parent !== undefined && partOf(source, node.parent, "callee") === node))
    return;
  const object = partOf(source, node, "object");
  const member = partOf(source, node, "member");
  if (object === undefined || member === undefined) return;
  for (const key of ["", codeOf(source, object)]) addTo(into.members, key, codeOf(source, member));
}

function collectCondition(
  source: Source,
  node: SyntaxNode,
  variables: ReadonlySet<string>,
  into: Collected,
): void {
  const condition = conditionOf(source, node);
  if (condition === undefined || condition.startLine !== condition.endLine) return;
  const parts = splitLogical(source, condition);
  for (const part of parts.length > 1 ? [condition, ...parts] : parts) {
    const text = codeOf(source, part);
    if (text.length > 60 || ["boolean", "number"].includes(roleOf(source, part) ?? "")) continue;
    const names = namesIn(source, part).filter((name) => variables.has(name));
    into.conditions.push({ text, names, function: functionAbove(source, part) });
  }
}

/** The operands of a chain of `and` and `or`, or the condition itself. */
function splitLogical(source: Source, node: SyntaxNode): SyntaxNode[] {
  const binary = binaryOf(source, node);
  const { and, or } = source.dialect.operators;
  if (binary === undefined || (binary.sign !== and && binary.sign !== or)) return [node];
  return [...splitLogical(source, binary.left), ...splitLogical(source, binary.right)];
}

function collectCall(source: Source, node: SyntaxNode, into: Collected): void {
  const call = callOf(source, node);
  if (call === undefined || /[\s(]/.test(call.name)) return;
  into.calls.push({
    name: call.name,
    receiver: call.receiver && codeOf(source, call.receiver),
    arity: call.arguments.length,
    function: functionAbove(source, node),
  });
}

function collectShapes(source: Source, node: SyntaxNode, into: Collected): void {
  const note = (child: SyntaxNode | undefined, shape: Shape): void => {
    const role = child && roleOf(source, child);
    if (child !== undefined && (role === "identifier" || role === "attribute")) {
      addTo(into.shapes, codeOf(source, child), shape);
    }
  };
  const binary = binaryOf(source, node);
  if (binary !== undefined && isOverNumbers(source, binary)) {
    note(binary.left, "number");
    note(binary.right, "number");
  }
  const role = roleOf(source, node);
  if (role === "subscript") note(partOf(source, node, "object"), "sequence");
  for (const bound of boundsOf(source, node)) note(bound, "number");
  if (role === "for-each") note(partOf(source, node, "iterable"), "sequence");
  if (role === "attribute") note(partOf(source, node, "object"), "object");
  const call = callOf(source, node);
  if (call !== undefined) {
    note(call.callee, "function");
    if (/^len$|^sorted$|^sum$/.test(call.name)) note(call.arguments[0], "sequence");
    if (/^(?:length|size|charAt|substring|slice|subList)$/.test(call.name)) note(call.receiver, "sequence");
    if (/^(?:slice|substring|subList)$/.test(call.name))
      for (const bound of call.arguments) note(bound, "number");
  }
  const isDefault = node.parent !== undefined && roleOf(source, node.parent) === "parameters";
  if (role === "assignment" || role === "declarator" || role === "declaration" || isDefault) {
    const value = partOf(source, node, "value");
    const shape = value && shapeOfValue[roleOf(source, value) ?? ""];
    if (shape !== undefined) note(partOf(source, node, "target") ?? partOf(source, node, "name"), shape);
  }
}

/** The bounds of a slice or a range: `j` and `k` in `items[j:k]`. */
function boundsOf(source: Source, node: SyntaxNode): readonly SyntaxNode[] {
  const role = roleOf(source, node);
  if (role === "slice") return node.children;
  const colon = role === "subscript" ? node.children.findIndex(({ kind }) => kind === ":") : -1;
  return colon === -1 ? [] : node.children.slice(1);
}

/**
 * True for arithmetic and ordering, whose operands are numbers. `+` and equality also apply to other values, so one
 * operand must be a number.
 */
function isOverNumbers(source: Source, { left, sign, right }: Binary): boolean {
  const { comparison, arithmetic, equalities } = source.dialect.operators;
  const hasNumber = roleOf(source, left) === "number" || roleOf(source, right) === "number";
  if (sign === "+" || equalities.includes(sign)) return hasNumber;
  return arithmetic.includes(sign) || comparison.slice(0, 4).includes(sign);
}

const shapeOfValue: Readonly<Record<string, Shape | undefined>> = {
  number: "number",
  collection: "sequence",
  comprehension: "sequence",
  boolean: "boolean",
  string: "text",
};

/** Returns the variables that a piece of code reads, each once. */
export function namesIn(source: Source, node: SyntaxNode): string[] {
  const names = new Set<string>();
  for (const inner of walk(node)) if (isVariable(source, inner)) names.add(codeOf(source, inner));
  return [...names];
}

/** False only if both names have known shapes, but no shape in common. */
export function fits(context: FileContext, a: string, b: string): boolean {
  const first = context.shapes.get(a);
  const second = context.shapes.get(b);
  if (first === undefined || second === undefined) return true;
  return [...first].some((shape) => second.has(shape));
}

function addTo<V>(map: Map<string, Set<V>>, key: string, value: V): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, new Set([value]));
  else known.add(value);
}
