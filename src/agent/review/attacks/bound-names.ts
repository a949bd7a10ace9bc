/** Finds names that code binds to its own values. Such a name hides a module of the same name. Pure. */
import { isBuiltin } from "node:module";
import { literally } from "../../../base/literal-pattern.ts";
import { childOf, covers, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { functionAbove, isFunction } from "../../../syntax/statements.ts";

/** Kinds of nodes that bind names, with the field of the names. */
const binders: Readonly<Record<string, RegExp>> = {
  // JavaScript and TypeScript
  variable_declarator: /^name$/,
  function_declaration: /^name$/,
  generator_function_declaration: /^name$/,
  function_expression: /^name$/,
  class_declaration: /^name$/,
  arrow_function: /^parameter$/,
  formal_parameters: /^/,
  catch_clause: /^parameter$/,
  for_in_statement: /^left$/,
  assignment_expression: /^left$/,
  import_statement: /^/,
  // Go
  parameter_declaration: /^name$/,
  variadic_parameter_declaration: /^name$/,
  short_var_declaration: /^left$/,
  var_spec: /^name$/,
  range_clause: /^left$/,
  // Python
  parameters: /^/,
  lambda_parameters: /^/,
  assignment: /^left$/,
  for_statement: /^left$/,
};

/** Kinds of nodes between a name and the node that binds it. */
const patterns =
  /^(?:(?:object|array|pair|rest|assignment|object_assignment|tuple|list|list_splat|dictionary_splat)_pattern|pattern_list|(?:required|optional|typed|default|typed_default)_parameter|expression_list|import_clause|named_imports|import_specifier|namespace_import)$/;

interface Binding {
  readonly binder: SyntaxNode;
  /** The scope in which the name has this meaning. */
  readonly scope: SyntaxNode;
  readonly values: readonly SyntaxNode[];
}

/** Returns true if the innermost binding of the name around the node is not a module. */
export function isHidden(source: Source, name: string, node: SyntaxNode): boolean {
  const uses = [...walk(source.tree.root)].filter(
    (each) => each.named && /identifier/.test(each.kind) && codeOf(source, each) === name,
  );
  const found = uses.flatMap((each) => bindingOf(source, each) ?? []);
  const declared = found.filter(({ binder }) => declares(source, name, binder));
  const bindingAt = (each: SyntaxNode): Binding | undefined =>
    declared
      .filter(({ binder, scope }) => covers(scope, each) && isBefore(source, binder, each))
      .toSorted((one, other) => lengthOf(one.scope) - lengthOf(other.scope))[0];
  const inner = bindingAt(node);
  if (inner === undefined) return false;
  // `((util) => { util.inspect = … })(util)`: a parameter that gets the module.
  const isModule = (each: SyntaxNode): boolean => {
    const binding = bindingAt(each);
    return binding === undefined || isForeign(source, name, binding);
  };
  if (isParameter(inner.binder) && uses.some((each) => isArgument(source, each) && isModule(each)))
    return false;
  const counts = ({ binder, scope }: Binding): boolean =>
    scope === inner.scope || binder.kind === "assignment_expression";
  return !found.some((each) => counts(each) && isForeign(source, name, each));
}

function isArgument(source: Source, { parent }: SyntaxNode): boolean {
  return parent !== undefined && roleOf(source, parent) === "arguments";
}

function isParameter({ kind }: SyntaxNode): boolean {
  return kind === "arrow_function" || /parameter/.test(kind);
}

/** True if the binding applies at the node. A Go name applies from its declaration on; elsewhere, earlier uses fail. */
function isBefore(source: Source, binder: SyntaxNode, node: SyntaxNode): boolean {
  return source.dialect.language !== "go" || isParameter(binder) || binder.start <= node.start;
}

const lengthOf = (node: SyntaxNode): number => node.end - node.start;

/** Climbs from the name to the node that binds it. */
function bindingOf(source: Source, name: SyntaxNode): Binding | undefined {
  const values: SyntaxNode[] = [];
  let child = name;
  for (const parent of parentsOf(name)) {
    const isPair = parent.kind === "pair_pattern";
    if (!isPair)
      values.push(...parent.children.filter(({ field }) => /^(?:right|value|source)$/.test(field ?? "")));
    const fields = binders[parent.kind];
    if (fields?.test(child.field ?? "") === true)
      return { binder: parent, scope: scopeOf(source, parent), values };
    const isRenamed =
      parent.kind === "import_specifier" && child.field !== "alias" && childOf(parent, "alias") !== undefined;
    const isPart = isPair ? child.field === "value" : !/^(?:right|value|type)$/.test(child.field ?? "");
    if (!patterns.test(parent.kind) || !isPart || isRenamed) return undefined;
    child = parent;
  }
  return undefined;
}

/** Statements that bind names only for themselves: `if io := open(); io != nil {}`, `for (let util = 0;;) {}`. */
const heads =
  /^(?:(?:if|for|expression_switch|type_switch)_statement|(?:communication|expression|type|default)_case)$/;

/**
 * Returns the scope of a name. A parameter belongs to its function, and any other name to the block around it (in
 * Python: the function).
 */
function scopeOf(source: Source, binder: SyntaxNode): SyntaxNode {
  if (/^(?:arrow_function|function_expression|catch_clause|for_in_statement)$/.test(binder.kind))
    return binder;
  const isInFunction = source.dialect.language === "python" || /parameter/.test(binder.kind);
  const around = [...parentsOf(binder)].find(
    (each) =>
      isFunction(source, each) ||
      (!isInFunction && (roleOf(source, each) === "block" || heads.test(each.kind))),
  );
  return around ?? source.tree.root;
}

/**
 * False for assignments to names of other scopes, for declarations without code, and for Python code outside functions.
 */
function declares(source: Source, name: string, binder: SyntaxNode): boolean {
  if (binder.kind === "assignment_expression") return false;
  if ([...parentsOf(binder)].some(({ kind }) => kind === "ambient_declaration")) return false;
  if (source.dialect.language !== "python") return true;
  const owner = functionAbove(source, binder);
  return owner !== undefined && !new RegExp(`^\\s*global\\b.*\\b${name}\\b`, "m").test(codeOf(source, owner));
}

/**
 * True if the name is bound to a module, the global object or an existing thing of this name. A Go value is never a
 * module.
 */
function isForeign(source: Source, name: string, { binder, values }: Binding): boolean {
  if (source.dialect.language === "go") return false;
  const foreign = new RegExp(
    String.raw`\bglobal(?:This)?\b|\b__import__\b|\bimport_module\b|\bgetBuiltinModule\b|\bmodules\b|\b(?:require|import)\s*\(|(?<![\w.])${literally(name)}\b`,
  );
  return values.some((value) => {
    const code = codeOf(source, value);
    if (binder.kind === "import_statement") return isBuiltin(code.slice(1, -1));
    return !isFunction(source, value) && foreign.test(code.replaceAll(required, ""));
  });
}

/** A `require` of a file of the project. */
const required = /\brequire\s*\(\s*["']\.[^"'\n]*["']\s*\)/g;
