/** The functions of a Go file, with the facts for inserting text into them. */
import {
  childOf,
  namedChildren,
  parseSyntax,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
  walk,
} from "../../syntax/node.ts";

const grammar = "tree-sitter-go/tree-sitter-go.wasm";

export interface GoResult {
  /** The name by which code reads the result; undefined if the result has no name yet. */
  readonly name: string | undefined;
  /** Offsets for inserting a name; for `_`, directly after it. */
  readonly start: number;
  readonly end: number;
}

export interface GoFunction {
  /** `Parse`, `Stack.Push`: without the receiver's pointer and type parameters. */
  readonly name: string;
  readonly line: number;
  readonly endLine: number;
  readonly isTest: boolean;
  /** True for the program's `main`. */
  readonly isMain: boolean;
  /** The offset after the body's opening brace; undefined without a body. */
  readonly bodyStart: number | undefined;
  /** Named receiver and parameters. */
  readonly parameters: readonly string[];
  readonly results: readonly GoResult[];
  /** True for a single result without parentheses, which recording has to add. */
  readonly bareResult: boolean;
  /** True if the last result is an `error`. */
  readonly fallible: boolean;
  /** The reason why nothing can be inserted, if so. */
  readonly leftOut: string | undefined;
}

export interface GoFile {
  readonly text: string;
  /** The offset after the package name, where an import can be inserted. */
  readonly importAt: number | undefined;
  readonly functions: readonly GoFunction[];
  /** Anonymous functions, which recording does not change. */
  readonly closures: readonly GoClosure[];
}

export interface GoClosure {
  /** The closure's name in Go's own stacks: `Parse.func2`, `glob..func1` outside functions. */
  readonly name: string;
  /** The enclosing function. */
  readonly within: GoFunction | undefined;
  readonly line: number;
  readonly endLine: number;
}

export async function readGoFile(path: string, text: string): Promise<GoFile> {
  const tree = await parseSyntax(grammar, text);
  const clause = tree.root.children.find(({ kind }) => kind === "package_clause");
  const name = clause && namedChildren(clause).find(({ kind }) => kind === "package_identifier");
  const packageName = name === undefined ? "" : textOf(tree, name);
  const wholeFile = fileObstacle(path, text);
  const around = { path, packageName, wholeFile };
  const functions: GoFunction[] = [];
  const closures: GoClosure[] = [];
  let outside = 0;
  for (const node of tree.root.children) {
    const isNamed = node.kind === "function_declaration" || node.kind === "method_declaration";
    const within = isNamed ? readFunction(tree, node, around) : undefined;
    if (within !== undefined) functions.push(within);
    let count = 0;
    for (const { kind, startLine: line, endLine } of walk(node)) {
      if (kind !== "func_literal") continue;
      const named = within === undefined ? `glob..func${++outside}` : `${within.name}.func${++count}`;
      closures.push({ name: named, within, line, endLine });
    }
  }
  return { text, importAt: name?.end, functions, closures };
}

interface Around {
  readonly path: string;
  readonly packageName: string;
  readonly wholeFile: string | undefined;
}

function fileObstacle(path: string, text: string): string | undefined {
  if (/^\s*import\s*(?:\([^)]*)?"C"/m.test(text)) return "its file is compiled by cgo";
  if (/(?:^|\/)vendor\//.test(path)) return "its file is a copy of a file in another module";
  return undefined;
}

function readFunction(tree: SyntaxTree, node: SyntaxNode, around: Around): GoFunction {
  const named = childOf(node, "name") ?? node;
  const own = textOf(tree, named);
  const receiver = parametersOf(tree, childOf(node, "receiver"));
  const body = childOf(node, "body");
  const result = childOf(node, "result");
  const declared = result?.kind === "parameter_list" ? result : undefined;
  const results = result === undefined ? [] : declared ? listedResults(tree, declared) : [bare(result)];
  const last = declared ? namedChildren(declared).filter(isParameter).at(-1) : undefined;
  const lastType = declared ? last && childOf(last, "type") : result;
  const type = receiver.type === undefined ? "" : `${receiver.type}.`;
  return {
    name: `${type}${own}`,
    line: named.startLine,
    endLine: node.endLine,
    isTest:
      type === "" &&
      around.path.endsWith("_test.go") &&
      /^(?:Test|Benchmark|Fuzz|Example)(?!\p{Ll})/u.test(own),
    isMain: type === "" && own === "main" && around.packageName === "main",
    bodyStart: body === undefined ? undefined : body.start + 1,
    parameters: [...receiver.names, ...parametersOf(tree, childOf(node, "parameters")).names],
    results,
    bareResult: result !== undefined && declared === undefined,
    fallible: lastType !== undefined && textOf(tree, lastType) === "error",
    leftOut: around.wholeFile ?? obstacle(tree, node, own),
  };
}

function obstacle(tree: SyntaxTree, node: SyntaxNode, name: string): string | undefined {
  if (childOf(node, "body") === undefined) return "it has no body in Go";
  if (name === "_") return "it is never called";
  const directive = directivesOf(tree, node).find((each) =>
    /^\/\/go:(?:nosplit|systemstack|nowritebarrier|nowritebarrierrec|yeswritebarrierrec|uintptrescapes)\b/.test(
      each,
    ),
  );
  return directive && `it is compiled under ${directive}`;
}

/** The lines of the comment directly above the node. */
function directivesOf(tree: SyntaxTree, node: SyntaxNode): string[] {
  const found: string[] = [];
  const siblings = node.parent?.children ?? [];
  let line = node.startLine;
  for (const each of siblings.slice(0, siblings.indexOf(node)).reverse()) {
    if (each.kind !== "comment" && each.named) break;
    if (each.kind !== "comment") continue;
    if (each.endLine !== line - 1) break;
    line = each.startLine;
    found.push(textOf(tree, each));
  }
  return found;
}

function isParameter({ kind }: SyntaxNode): boolean {
  return kind === "parameter_declaration" || kind === "variadic_parameter_declaration";
}

function parametersOf(tree: SyntaxTree, list: SyntaxNode | undefined): { names: string[]; type?: string } {
  const declared = list === undefined ? [] : namedChildren(list).filter(isParameter);
  const names = declared
    .flatMap((each) => namesOf(each).map((name) => textOf(tree, name)))
    .filter((name) => name !== "_");
  const type = declared[0] && childOf(declared[0], "type");
  return {
    names,
    ...(type && {
      type: textOf(tree, type)
        .replace(/\[.*$/s, "")
        .replace(/[*()\s]/g, ""),
    }),
  };
}

function namesOf(declaration: SyntaxNode): SyntaxNode[] {
  return declaration.children.filter((child) => child.field === "name" && child.named);
}

function listedResults(tree: SyntaxTree, list: SyntaxNode): GoResult[] {
  return namedChildren(list)
    .filter(isParameter)
    .flatMap((each) => {
      const names = namesOf(each);
      if (names.length === 0) return [bare(each)];
      return names.map((name) => ({ name: textOf(tree, name), start: name.start, end: name.end }));
    });
}

function bare({ start, end }: SyntaxNode): GoResult {
  return { name: undefined, start, end };
}
