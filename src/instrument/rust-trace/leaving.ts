/**
 * Finds a function's ways out for values in its body's text: macros that return, and mutable arguments that are still
 * valid at its end.
 */
import { childOf, parentsOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { argumentsOf, type Returned } from "./signature.ts";

/** Macros of well-known crates that return from the enclosing function. */
const wellKnown = ["bail", "ensure", "ready", "try_ready", "try", "r#try"];

/** Returns macros that return from the enclosing function: well-known macros, and macros that these files define. */
export function returningMacros(trees: Iterable<SyntaxTree>): ReadonlySet<string> {
  const names = new Set(wellKnown);
  for (const tree of trees) {
    for (const node of walk(tree.root, ({ kind }) => !/^(?:block|token_tree)$/.test(kind))) {
      if (node.kind !== "macro_definition" || !/\breturn\b/.test(textOf(tree, node))) continue;
      const name = childOf(node, "name");
      if (name !== undefined) names.add(textOf(tree, name));
    }
  }
  return names;
}

/** True if a macro in the body, or code inside a macro, returns from the body's function. */
export function leavesByMacro(tree: SyntaxTree, body: SyntaxNode, returning: ReadonlySet<string>): boolean {
  for (const node of walk(
    body,
    (inner) => inner === body || !/^(?:closure_expression|async_block|.*_item)$/.test(inner.kind),
  )) {
    if (node.kind !== "macro_invocation") continue;
    const macro = childOf(node, "macro");
    const name = macro === undefined ? "" : textOf(tree, macro);
    if (returning.has(name.slice(name.lastIndexOf(":") + 1))) return true;
    const tokens = node.children.find(({ kind }) => kind === "token_tree");
    if (
      !/^(?:\w+::)*(?:quote|quote_spanned|stringify|macro_rules)$/.test(name) &&
      tokens !== undefined &&
      returns(tree, tokens)
    )
      return true;
  }
  return false;
}

function returns(tree: SyntaxTree, tokens: SyntaxNode): boolean {
  let earlier = "";
  for (const node of walk(tokens)) {
    if (node.children.length > 0) continue;
    const text = textOf(tree, node);
    if (text === "return" || (text === "?" && /^(?:[\w"']+|[)\]])$/.test(earlier))) return true;
    earlier = text;
  }
  return false;
}

/**
 * Returns the mutable arguments that no code consumes before the function ends. The values to which they refer at the
 * end are results of the function. Empty if the returned value may contain the arguments.
 */
export function changedArguments(
  tree: SyntaxTree,
  node: SyntaxNode,
  body: SyntaxNode,
  returned: Returned,
): string[] {
  // The returned value may contain them.
  if (returned.kind !== "unit" && (returned.kind !== "value" || /[&']|\bimpl\b|\bdyn\b/.test(returned.type)))
    return [];
  const names = argumentsOf(tree, node).flatMap(({ name, isMutable }) => (isMutable ? [name] : []));
  return names.filter((name) => {
    for (const inner of walk(body))
      if (
        /^(?:identifier|self|shorthand_field_identifier)$/.test(inner.kind) &&
        textOf(tree, inner) === name &&
        isTaken(tree, inner)
      )
        return false;
    return true;
  });
}

const taking =
  /^(?:let_declaration|for_expression|block|return_expression|assignment_expression|tuple_expression|array_expression|match_arm|match_pattern|parameters|closure_parameters|.*field_initializer|.*_pattern)$/;

/** True for a use that moves the reference, or rebinds its name. */
function isTaken(tree: SyntaxTree, use: SyntaxNode): boolean {
  const { parent, field } = use;
  if (parent === undefined || field === "pattern" || taking.test(parent.kind)) return true;
  return (parent.kind === "arguments" && isMaker(tree, parent)) || isInMovingClosure(tree, use);
}

/**
 * True for the arguments of a call whose result contains them: `Some(x)`, `Reader::new(x)`, `Pin::new_unchecked(x)`.
 */
function isMaker(tree: SyntaxTree, list: SyntaxNode): boolean {
  const called = list.parent === undefined ? undefined : childOf(list.parent, "function");
  const name = called === undefined ? "" : textOf(tree, called);
  return /(?:^|::)(?:[A-Z]\w*|(?:new|from)(?:_\w+)?|with_\w+|by_ref|into_\w+)$/.test(name);
}

function isInMovingClosure(tree: SyntaxTree, use: SyntaxNode): boolean {
  for (const parent of parentsOf(use)) {
    if (parent.kind === "function_item") return false;
    if (/^(?:closure_expression|async_block)$/.test(parent.kind))
      return /^(?:async\s+)?move\b/.test(textOf(tree, parent));
  }
  return false;
}
