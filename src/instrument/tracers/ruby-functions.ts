/** The methods of a Ruby file, with the interpreter's own names and lines. */
import {
  childOf,
  parentsOf,
  parseSyntax,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
  walk,
} from "../../syntax/node.ts";

const grammar = "tree-sitter-ruby/tree-sitter-ruby.wasm";

export interface RubyFunction {
  /** `Outer::Inner.method`, for methods of objects and of classes alike. */
  readonly name: string;
  /** Ruby's name of the method, without its class. */
  readonly methodName: string;
  /** The line of `def`. */
  readonly line: number;
  /** The line of `end`, on which Ruby reports a normal return. */
  readonly endLine: number;
  /** True if the method has one line, which catches exceptions: `def f = (g rescue nil)`. */
  readonly catchesInLine: boolean;
  readonly isTest: boolean;
}

export async function readRubyFunctions(path: string, text: string): Promise<RubyFunction[]> {
  const tree = await parseSyntax(grammar, text);
  const functions: RubyFunction[] = [];
  for (const node of walk(tree.root)) {
    const name = isMethod(node) ? childOf(node, "name") : undefined;
    if (name === undefined) continue;
    const methodName = textOf(tree, name);
    const around = namesAround(tree, node);
    functions.push({
      name: around.length === 0 ? methodName : `${around.join("::")}.${methodName}`,
      methodName,
      line: node.startLine,
      endLine: node.endLine,
      catchesInLine: catchesInLine(node),
      isTest: isTest(path, methodName),
    });
  }
  return functions;
}

function isMethod(node: SyntaxNode): boolean {
  return node.named && (node.kind === "method" || node.kind === "singleton_method");
}

function catchesInLine(method: SyntaxNode): boolean {
  return (
    method.startLine === method.endLine && [...walk(method)].some(({ kind }) => kind.startsWith("rescue"))
  );
}

/** The classes and modules around a node, outermost first. */
function namesAround(tree: SyntaxTree, node: SyntaxNode): string[] {
  const names: string[] = [];
  for (const outer of parentsOf(node)) {
    if (outer.kind !== "class" && outer.kind !== "module") continue;
    const name = childOf(outer, "name");
    if (name !== undefined) names.unshift(textOf(tree, name));
  }
  return names;
}

const testFiles = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.rb$|(?:^|\/)tests?\//;

function isTest(path: string, name: string): boolean {
  return name.startsWith("test_") && testFiles.test(path);
}
