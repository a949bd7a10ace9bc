/** The functions of a Java file, with the facts for inserting text into them. */
import {
  childOf,
  namedChildren,
  parentsOf,
  parseSyntax,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
  walk,
} from "../../syntax/node.ts";

const grammar = "tree-sitter-java/tree-sitter-java.wasm";

export interface JavaFunction {
  readonly node: SyntaxNode;
  /** `Outer.Inner.parse`, `Shelf.new`, `Shelf.<static>`, `Tree.walk.Runnable{}.run`. */
  readonly name: string;
  /** The function's parameter types without type arguments: `(Map,int...)`; empty for an initialiser. */
  readonly signature: string;
  readonly line: number;
  readonly endLine: number;
  readonly isTest: boolean;
  readonly body: SyntaxNode | undefined;
  /** Names of the parameters; `this` first, if it exists and is complete at the beginning. */
  readonly parameters: readonly string[];
  /** The declared type on one line; undefined without a value. */
  readonly returned: string | undefined;
  /** True for a constructor: its object is complete only at its end. */
  readonly makes: boolean;
  /** The reason why nothing can be inserted, if so. */
  readonly leftOut: string | undefined;
}

export interface JavaFile {
  readonly path: string;
  readonly tree: SyntaxTree;
  /** The functions in the order of the text: outer ones before inner ones. */
  readonly functions: readonly JavaFunction[];
}

/** Maximum number of characters, because a compiled method must not exceed 64 KiB. */
const longestInitialiser = 20_000;

export async function readJavaFile(path: string, text: string): Promise<JavaFile> {
  const tree = await parseSyntax(grammar, text);
  const functions: JavaFunction[] = [];
  for (const node of walk(tree.root)) if (isFunction(node)) functions.push(readFunction(tree, node, path));
  return { path, tree, functions };
}

function isFunction({ kind, parent }: SyntaxNode): boolean {
  if (kind === "block") return /^(?:class_body|enum_body_declarations)$/.test(parent?.kind ?? "");
  return /^(?:(?:method|constructor|compact_constructor)_declaration|static_initializer|lambda_expression)$/.test(
    kind,
  );
}

function readFunction(tree: SyntaxTree, node: SyntaxNode, path: string): JavaFunction {
  const isMethod = node.kind === "method_declaration";
  const isConstructor = /constructor/.test(node.kind);
  const list = childOf(node, "parameters") ?? recordParameters(node);
  const declared = list === undefined ? [] : namedChildren(list).filter(({ kind }) => isParameter(kind));
  const isStatic = node.kind === "static_initializer" || hasModifier(tree, node, "static");
  const names = isMethod || isConstructor ? declared.map((each) => parameterName(tree, each)) : [];
  return {
    node,
    name: nameOf(tree, node),
    signature:
      isMethod || isConstructor ? `(${declared.map((each) => parameterType(tree, each)).join(",")})` : "",
    line: (childOf(node, "name") ?? node).startLine,
    endLine: node.endLine,
    isTest: isMethod && isTest(tree, node, path),
    body: bodyOf(node),
    parameters: [
      ...(isStatic || isConstructor ? [] : ["this"]),
      ...names.filter((name) => name !== "_" && name !== ""),
    ],
    returned: isMethod ? returnType(tree, node) : undefined,
    makes: node.kind === "constructor_declaration",
    leftOut: obstacle(tree, node, path),
  };
}

function obstacle(tree: SyntaxTree, node: SyntaxNode, path: string): string | undefined {
  if (node.kind === "lambda_expression") return "a lambda";
  if (/(?:^|\/)(?:resources|testdata|test-data)\//.test(path)) return "its file is data, not code";
  if (bodyOf(node) === undefined)
    return hasModifier(tree, node, "native") ? "it is native" : "it has no body";
  const size = node.end - node.start;
  if (/^(?:block|static_initializer)$/.test(node.kind) && size > longestInitialiser) return "it is too long";
  return [...walk(node)].some(({ broken }) => broken) ? "its text does not parse" : undefined;
}

function bodyOf(node: SyntaxNode): SyntaxNode | undefined {
  if (node.kind === "block") return node;
  if (node.kind === "lambda_expression") return undefined;
  if (node.kind === "static_initializer") return node.children.find(({ kind }) => kind === "block");
  return childOf(node, "body");
}

function hasModifier(tree: SyntaxTree, node: SyntaxNode, word: string): boolean {
  const modifiers = node.children.find(({ kind }) => kind === "modifiers");
  return modifiers?.children.some((each) => !each.named && textOf(tree, each) === word) ?? false;
}

const marked = /^(?:\w*Test|TestFactory|TestTemplate|Theory|Property)$/;

function isTest(tree: SyntaxTree, node: SyntaxNode, path: string): boolean {
  const modifiers = node.children.find(({ kind }) => kind === "modifiers");
  const annotations = modifiers?.children.filter(({ kind }) => /annotation$/.test(kind)) ?? [];
  const names = annotations.map((each) => textOf(tree, childOf(each, "name") ?? each));
  if (names.some((name) => marked.test(name.slice(name.lastIndexOf(".") + 1)))) return true;
  // Tests before JUnit had annotations.
  const own = textOf(tree, childOf(node, "name") ?? node);
  const isOld = /^test/.test(own) && childOf(node, "parameters")?.children.every((each) => !each.named);
  return isOld === true && /(?:^|\/)tests?\//.test(path) && hasModifier(tree, node, "public");
}

function isParameter(kind: string): boolean {
  return kind === "formal_parameter" || kind === "spread_parameter";
}

function recordParameters(node: SyntaxNode): SyntaxNode | undefined {
  if (node.kind !== "compact_constructor_declaration") return undefined;
  for (const parent of parentsOf(node))
    if (parent.kind === "record_declaration") return childOf(parent, "parameters");
  return undefined;
}

function parameterName(tree: SyntaxTree, parameter: SyntaxNode): string {
  const declarator = parameter.children.find(({ kind }) => kind === "variable_declarator");
  const name = childOf(declarator ?? parameter, "name");
  return name === undefined ? "" : textOf(tree, name);
}

function parameterType(tree: SyntaxTree, parameter: SyntaxNode): string {
  const isType = ({ kind, field, named }: SyntaxNode): boolean =>
    named && (field === "type" || /type/.test(kind)) && !/annotation|comment/.test(kind);
  const type = parameter.children.find(isType);
  const dimensions = childOf(parameter, "dimensions");
  const text = [type, dimensions].map((each) => (each === undefined ? "" : oneLine(textOf(tree, each))));
  return plainTypes(text.join("")) + (parameter.kind === "spread_parameter" ? "..." : "");
}

/**
 * Returns the plain form of types: `Map<String, ? extends List<A>>[]` becomes `Map[]`, `java.util.Map.Entry` becomes
 * `Entry`.
 */
export function plainTypes(text: string): string {
  let shown = text.replaceAll(/@[\w.]+(?:\([^)]*\))?/g, "");
  for (let before = ""; before !== shown; ) {
    before = shown;
    shown = shown.replaceAll(/<[^<>]*>/g, "");
  }
  return shown.replaceAll(/\s+/g, "").replaceAll(/\w+\.(?=\w)/g, "");
}

function returnType(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const type = childOf(node, "type");
  if (type === undefined || type.kind === "void_type") return undefined;
  const dimensions = childOf(node, "dimensions");
  return oneLine(textOf(tree, type)) + (dimensions === undefined ? "" : oneLine(textOf(tree, dimensions)));
}

function oneLine(text: string): string {
  return text
    .replaceAll(/\/\*.*?\*\//gs, " ")
    .replaceAll(/\/\/.*$/gm, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function nameOf(tree: SyntaxTree, node: SyntaxNode): string {
  const parts = [ownName(tree, node)];
  for (const parent of parentsOf(node)) if (isNaming(parent)) parts.push(ownName(tree, parent));
  return parts.reverse().join(".");
}

function isNaming(node: SyntaxNode): boolean {
  if (isFunction(node)) return node.kind !== "lambda_expression";
  if (node.kind === "object_creation_expression" || node.kind === "enum_constant")
    return node.children.some(({ kind }) => kind === "class_body");
  return /^(?:class|interface|enum|record|annotation_type)_declaration$/.test(node.kind);
}

function ownName(tree: SyntaxTree, node: SyntaxNode): string {
  switch (node.kind) {
    case "constructor_declaration":
    case "compact_constructor_declaration":
      return "new";
    case "static_initializer":
      return "<static>";
    case "block":
      return "<instance>";
    case "lambda_expression":
      return "(lambda)";
    case "object_creation_expression":
      return `${plainTypes(oneLine(textOf(tree, childOf(node, "type") ?? node)))}{}`;
    default:
      return textOf(tree, childOf(node, "name") ?? node);
  }
}
