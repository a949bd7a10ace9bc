/** Writes a function's inputs as the text that passes them to the runtime. */
import { childOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { functionKinds } from "./javascript-functions.ts";

/**
 * Returns the text of an object literal with the function's inputs, such as `{this:this,a:a}`. Parameters are in the
 * order of the signature. A pattern gives each name that it binds. `arguments` and `this` are included only if the
 * function uses them. Instance methods always give `this`, constructors never.
 */
export function argumentsText(tree: SyntaxTree, node: SyntaxNode, body: SyntaxNode): string {
  const names = parametersOf(node).flatMap((parameter) => [...boundNames(tree, parameter)]);
  const parts = [...new Set(names)].filter((name) => name !== "__proto__").map((name) => `${name}:${name}`);
  if (!names.includes("arguments") && usesOwn(tree, node, body, "arguments"))
    parts.push("arguments:arguments");
  if (hasThis(tree, node, body)) parts.unshift("this:this");
  return `{${parts.join(",")}}`;
}

/** Identifiers that a parameter binds: not types, default values or keys. */
function* boundNames(tree: SyntaxTree, node: SyntaxNode): Generator<string> {
  switch (node.kind) {
    case "identifier":
    case "shorthand_property_identifier_pattern":
      yield textOf(tree, node);
      break;
    case "required_parameter":
    case "optional_parameter":
      yield* within(tree, childOf(node, "pattern"));
      break;
    case "assignment_pattern":
    case "object_assignment_pattern":
      yield* within(tree, childOf(node, "left"));
      break;
    case "pair_pattern":
      yield* within(tree, childOf(node, "value"));
      break;
    case "array_pattern":
    case "object_pattern":
    case "rest_pattern":
      for (const child of node.children) if (child.named) yield* boundNames(tree, child);
      break;
  }
}

function* within(tree: SyntaxTree, node: SyntaxNode | undefined): Generator<string> {
  if (node !== undefined) yield* boundNames(tree, node);
}

/**
 * True if the function's own `this` can be recorded. A constructor has no `this` before `super`; an arrow function has
 * none of its own.
 */
function hasThis(tree: SyntaxTree, node: SyntaxNode, body: SyntaxNode): boolean {
  if (node.kind === "arrow_function" || isConstructor(tree, node)) return false;
  const isOfObjects =
    node.parent?.kind === "class_body" && !node.children.some(({ kind }) => kind === "static");
  return (node.kind === "method_definition" && isOfObjects) || usesOwn(tree, node, body, "this");
}

export function isConstructor(tree: SyntaxTree, node: SyntaxNode): boolean {
  if (node.kind !== "method_definition" || node.parent?.kind !== "class_body") return false;
  const name = childOf(node, "name");
  return name !== undefined && textOf(tree, name) === "constructor";
}

/** True if the body uses the word outside inner functions that have their own `this` or `arguments`. */
function usesOwn(tree: SyntaxTree, node: SyntaxNode, body: SyntaxNode, word: "this" | "arguments"): boolean {
  if (node.kind === "arrow_function") return false;
  const enter = (one: SyntaxNode): boolean =>
    one === body ||
    one.kind === "arrow_function" ||
    !(functionKinds.has(one.kind) || one.kind === "class_body");
  for (const one of walk(body, enter)) {
    const isWord = word === "this" ? one.kind === "this" : one.kind === "identifier";
    if (isWord && textOf(tree, one) === word) return true;
  }
  return false;
}

/** The parameter list, or the single parameter of an arrow function without parentheses. */
function parametersOf(node: SyntaxNode): readonly SyntaxNode[] {
  const single = childOf(node, "parameter");
  if (single !== undefined) return [single];
  return childOf(node, "parameters")?.children.filter((child) => child.named) ?? [];
}
