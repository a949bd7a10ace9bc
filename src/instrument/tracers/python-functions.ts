/** The functions of a Python file, with the interpreter's own names and lines. */
import {
  childOf,
  parentsOf,
  parseSyntax,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
  walk,
} from "../../syntax/node.ts";

const grammar = "tree-sitter-python/tree-sitter-python.wasm";

export interface PythonFunction {
  /** The function's `__qualname__`: `Greeter.greet`, `outer.<locals>.inner`, `outer.<locals>.<lambda>`. */
  readonly name: string;
  /** `co_name` and `co_firstlineno`: the line of the first decorator, if there is one. */
  readonly codeName: string;
  readonly firstLine: number;
  readonly line: number;
  readonly endLine: number;
  readonly isTest: boolean;
}

export async function readPythonFunctions(path: string, text: string): Promise<PythonFunction[]> {
  const tree = await parseSyntax(grammar, text);
  const functions: PythonFunction[] = [];
  for (const node of walk(tree.root)) {
    if (!isFunction(node)) continue;
    const codeName = ownName(tree, node);
    const parent = node.parent?.kind === "decorated_definition" ? node.parent : node;
    const around = namesAround(tree, node);
    functions.push({
      name: [...around, codeName].join("."),
      codeName,
      firstLine: parent.startLine,
      line: (childOf(node, "name") ?? node).startLine,
      endLine: node.endLine,
      isTest: isTest(path, codeName, around),
    });
  }
  return functions;
}

function isFunction(node: SyntaxNode): boolean {
  return node.named && (node.kind === "function_definition" || node.kind === "lambda");
}

function ownName(tree: SyntaxTree, node: SyntaxNode): string {
  if (node.kind === "lambda") return "<lambda>";
  const name = childOf(node, "name");
  return name === undefined ? "" : textOf(tree, name);
}

/** The names of the containers, outermost first. A default value or decorator is outside its function. */
function namesAround(tree: SyntaxTree, node: SyntaxNode): string[] {
  const names: string[] = [];
  let inner = node;
  for (const outer of parentsOf(node)) {
    const isInside = inner.field === "body";
    if (isInside && isFunction(outer)) names.unshift(ownName(tree, outer), "<locals>");
    else if (isInside && outer.kind === "class_definition") names.unshift(ownName(tree, outer));
    inner = outer;
  }
  return names;
}

const testFiles = /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$|(?:^|\/)tests?\//;

function isTest(path: string, name: string, around: readonly string[]): boolean {
  return (
    /^test(?:_|[A-Z]|$)/.test(name) &&
    !around.includes("<locals>") &&
    (around.length > 0 || testFiles.test(path))
  );
}
