/** The functions of a JavaScript or TypeScript file, with their names and whether the trace records them. */
import { childOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import type { TracedFunction } from "../tracer.ts";

export interface FoundFunction {
  readonly node: SyntaxNode;
  readonly body: SyntaxNode;
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly group: TracedFunction["group"];
  /** The reason why the trace omits the function, if so. */
  readonly reason?: string;
}

export interface ReadFile {
  readonly path: string;
  readonly tree: SyntaxTree;
  readonly grammar: string;
  readonly typescript: boolean;
  readonly functions: readonly FoundFunction[];
  /** The reason why the trace records nothing of the file, if so. */
  readonly reason?: string;
}

/** A function of a file, as found in the text and as the plan records it. */
export interface PlannedFunction {
  readonly found: FoundFunction;
  readonly traced: TracedFunction;
}

/** Returns a node's number in the order of the text. At one offset, outer nodes come before inner nodes. */
export function orderOf(node: SyntaxNode): number {
  let depth = 0;
  for (let one = node.parent; one !== undefined; one = one.parent) depth += 1;
  return node.start + depth / 1e6;
}

export const functionKinds: ReadonlySet<string> = new Set([
  "arrow_function",
  "function_declaration",
  "function_expression",
  "generator_function",
  "generator_function_declaration",
  "method_definition",
]);

/** Node kinds whose code does not run. */
const typeOnly = /^(?:ambient_declaration|interface_declaration|type_alias_declaration|type_annotation)$/;
const testCall =
  /^(?:describe|context|suite|it|test|specify|bench|before|after|beforeEach|afterEach|beforeAll|afterAll|setup|teardown)\b/;

/** Finds the functions of a tree, except in parts that do not parse. */
export function findFunctions(tree: SyntaxTree, isTestFile: boolean): FoundFunction[] {
  const found: FoundFunction[] = [];
  for (const node of walk(tree.root, (one) => !typeOnly.test(one.kind) && !isBrokenPart(one))) {
    const body = functionKinds.has(node.kind) ? childOf(node, "body") : undefined;
    if (body === undefined || isBrokenPart(node)) continue;
    const leftOut = reasonToLeaveOut(tree, node, body);
    const place = childOf(node, "name") ?? node;
    found.push({
      node,
      body,
      name: qualify(tree, node),
      line: place.startLine,
      endLine: node.endLine,
      group: leftOut === undefined ? "function" : isTestFile && isTestPart(tree, node) ? "test" : "left-out",
      ...(leftOut === undefined ? {} : { reason: leftOut }),
    });
  }
  return found;
}

function isBrokenPart(node: SyntaxNode): boolean {
  const isPart = node.parent?.kind === "program" || node.parent?.kind === "class_body";
  return isPart && [...walk(node)].some((one) => one.broken);
}

function reasonToLeaveOut(tree: SyntaxTree, node: SyntaxNode, body: SyntaxNode): string | undefined {
  if (pieceOf(tree, node) === undefined)
    return "it has no name: it is an argument of a call, or called where it is written";
  if (/^\{\s*["']use asm["']/.test(textOf(tree, body).slice(0, 40)))
    return "asm.js does not allow inserted code";
  return undefined;
}

function isTestPart(tree: SyntaxTree, node: SyntaxNode): boolean {
  const call = node.parent?.parent;
  const callee = call?.kind === "call_expression" ? childOf(call, "function") : undefined;
  return callee !== undefined && testCall.test(textOf(tree, callee));
}

/** The qualified name: `Greeter.greet`, `outer.inner`, `api.get`. Omits anonymous functions. */
function qualify(tree: SyntaxTree, node: SyntaxNode): string {
  const pieces: string[] = [];
  for (let one: SyntaxNode | undefined = node; one !== undefined; one = one.parent) {
    const piece = pieceOf(tree, one);
    if (piece !== undefined) pieces.unshift(piece);
    else if (one === node) pieces.unshift("(anonymous)");
  }
  return pieces.join(".");
}

/** A node's contribution to the names of inner functions. */
function pieceOf(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  switch (node.kind) {
    case "class_declaration":
    case "abstract_class_declaration":
    case "class":
    case "function_declaration":
    case "function_expression":
    case "generator_function":
    case "generator_function_declaration":
    case "arrow_function":
    case "method_definition": {
      const name = childOf(node, "name");
      return name === undefined ? nameOfHolder(tree, node) : keyText(tree, name);
    }
    case "object":
      return nameOfHolder(tree, node);
    case "internal_module":
    case "module": {
      const name = childOf(node, "name");
      return name === undefined ? undefined : keyText(tree, name);
    }
    default:
      return undefined;
  }
}

/** The name to which an anonymous value is assigned. */
function nameOfHolder(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const { parent } = node;
  if (parent === undefined) return undefined;
  switch (parent.kind) {
    case "variable_declarator":
    case "field_definition":
    case "public_field_definition":
      return nameOf(tree, childOf(parent, "name") ?? childOf(parent, "property"));
    case "pair":
      return nameOf(tree, childOf(parent, "key"));
    case "assignment_expression":
    case "augmented_assignment_expression":
    case "assignment_pattern":
    case "object_assignment_pattern":
      return nameOfTarget(tree, childOf(parent, "left"));
    case "required_parameter":
    case "optional_parameter":
      return nameOf(tree, childOf(parent, "pattern"));
    case "export_statement":
      return "default";
    case "return_statement":
    case "arrow_function":
      return node.kind === "object" ? undefined : "(returned)";
    case "arguments":
      return nameOfWrapped(tree, parent);
    case "array":
    case "ternary_expression":
    case "binary_expression":
    case "parenthesized_expression":
    case "as_expression":
    case "satisfies_expression":
    case "non_null_expression":
      return nameOfHolder(tree, parent);
    default:
      return undefined;
  }
}

/** The name of a function in a call: `f` in `const f = memoize((x) => …)`. An argument of `list.map` has none. */
function nameOfWrapped(tree: SyntaxTree, list: SyntaxNode): string | undefined {
  const call = list.parent;
  if (call?.kind !== "call_expression" || childOf(call, "function")?.kind !== "identifier") return undefined;
  const name = nameOfHolder(tree, call);
  return name === "(returned)" ? undefined : name;
}

function nameOf(tree: SyntaxTree, key: SyntaxNode | undefined): string | undefined {
  return key === undefined || isPattern(key) ? undefined : keyText(tree, key);
}

function isPattern(node: SyntaxNode): boolean {
  return node.kind === "object_pattern" || node.kind === "array_pattern";
}

/** `Type.prototype.area` becomes `Type.area`, `exports.area` becomes `area`. */
function nameOfTarget(tree: SyntaxTree, target: SyntaxNode | undefined): string | undefined {
  if (target === undefined || isPattern(target)) return undefined;
  const text = textOf(tree, target).replaceAll(/\s|\?/g, "");
  if (text === "module.exports") return "default";
  const name = text.replace(/^(?:module\.)?exports\./, "").replace(/^this\./, "");
  return name.replace(/\.prototype(?=\.|$)/, "").replaceAll(/\[["']([^"']*)["']\]/g, ".$1");
}

function keyText(tree: SyntaxTree, key: SyntaxNode): string {
  return textOf(tree, key).replace(/^(["'])(.*)\1$/s, "$2");
}
