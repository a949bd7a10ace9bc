/** The functions of a Rust file: their names in a trace, and the parts of each that can be recorded. */
import { childOf, parentsOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { attributesOf, isRustTest } from "../../syntax/rust-test-code.ts";
import { tailsOf } from "./signature.ts";

export interface RustFunction {
  readonly node: SyntaxNode;
  /** The function's body; undefined if nothing can be inserted. */
  readonly body: SyntaxNode | undefined;
  /** `inner::deep`, `Parser::parse`, `<Circle as Shape>::area`, `outer::nested`. */
  readonly name: string;
  readonly last: string;
  /** Possible qualifiers before the last `::` of the function's name: `Circle`, `Shape`, `inner`. */
  readonly owners: readonly string[];
  readonly group: "function" | "test" | "left-out";
  readonly reason?: string;
  /** True for a test case, such as a function with `#[test]`. */
  readonly isCase: boolean;
  readonly isAsync: boolean;
  /** The reason why the trace can record only entry and exit, if so. */
  readonly unseen?: string;
  /** True if the function is in a trait, or in an `impl` with type parameters. One text then means many functions. */
  readonly isOfType: boolean;
}

const caseMarks = /^#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|proptest)\b/;
const special = /^#\[\s*(?:unsafe\s*\(\s*)?(naked|panic_handler|alloc_error_handler|ctor|dtor|kernel)\b/;

/** Returns all functions in the order of the text, including closures and those made by macros. */
export function findRustFunctions(tree: SyntaxTree, path: string): RustFunction[] {
  const found: RustFunction[] = [];
  const inTests = /(?:^|\/)(?:tests|benches)\//.test(path);
  for (const node of walk(tree.root)) {
    if (node.kind === "function_item") found.push(readFunction(tree, node, inTests));
    else if (node.kind === "closure_expression") found.push(leftOut(tree, node, "{closure}", "a closure"));
    else if (node.kind === "token_tree" && node.parent?.kind !== "token_tree")
      found.push(...macroMade(tree, node));
  }
  return found;
}

function readFunction(tree: SyntaxTree, node: SyntaxNode, inTests: boolean): RustFunction {
  const name = nameOf(tree, node);
  const attributes = attributesOf(node).map((attribute) => textOf(tree, attribute));
  const modifiers = modifiersOf(tree, node);
  const body = childOf(node, "body");
  const reason = reasonAgainst(tree, node, attributes, modifiers);
  const isTest =
    inTests || isRustTest(tree, node) || [...parentsOf(node)].some((one) => isRustTest(tree, one));
  const { names, owners } = surroundings(tree, node);
  return {
    node,
    body: reason === undefined ? body : undefined,
    name: [...names, name].join("::"),
    last: name,
    owners,
    group: reason !== undefined ? "left-out" : isTest ? "test" : "function",
    ...(reason === undefined ? {} : { reason }),
    isCase: attributes.some((attribute) => caseMarks.test(attribute)),
    isAsync: /\basync\b/.test(modifiers),
    ...(reason === undefined && body !== undefined ? unseenIn(tree, body, attributes) : {}),
    isOfType: isOfType(node),
  };
}

function nameOf(tree: SyntaxTree, node: SyntaxNode): string {
  const name = childOf(node, "name");
  return name === undefined ? "" : textOf(tree, name);
}

function modifiersOf(tree: SyntaxTree, node: SyntaxNode): string {
  const modifiers = node.children.find((child) => child.kind === "function_modifiers");
  return modifiers === undefined ? "" : textOf(tree, modifiers);
}

function reasonAgainst(
  tree: SyntaxTree,
  node: SyntaxNode,
  attributes: readonly string[],
  modifiers: string,
): string | undefined {
  if (/\bconst\b/.test(modifiers)) return "a const fn: the compiler may run it";
  const mark = attributes.map((attribute) => special.exec(attribute)?.[1]).find((one) => one !== undefined);
  if (mark !== undefined) return `#[${mark}]: recording is not possible in such a function`;
  const holder = [...parentsOf(node)].find((parent) => parent.kind === "impl_item");
  const trait = holder === undefined ? undefined : childOf(holder, "trait");
  if (trait !== undefined && /\bGlobalAlloc\b/.test(textOf(tree, trait)))
    return "an allocator: recording allocates memory";
  const body = childOf(node, "body");
  if (body !== undefined && isBroken(node, body)) return "it does not parse";
  return body === undefined ? "no body" : undefined;
}

/** Attributes that inspect the last expression of a function, to find the future that it returns without `async`. */
const readingAttribute = /^#\[\s*(?:\w+::)*(?:instrument|trace)\b/;

function unseenIn(tree: SyntaxTree, body: SyntaxNode, attributes: readonly string[]): { unseen?: string } {
  if (isBroken(body)) return { unseen: "a part of it does not parse" };
  const isRead =
    attributes.some((attribute) => readingAttribute.test(attribute)) &&
    tailsOf(body).some((tail) => /^(?:async\b|Box\s*::\s*pin\b)/.test(textOf(tree, tail)));
  return isRead ? { unseen: "an attribute uses its last expression" } : {};
}

function isBroken(node: SyntaxNode, beside?: SyntaxNode): boolean {
  for (const part of walk(node, (inner) => inner !== beside)) if (part.broken && part !== beside) return true;
  return false;
}

/** True in a trait, or in an `impl` with type parameters; false in a nested function. */
function isOfType(node: SyntaxNode): boolean {
  for (const parent of parentsOf(node)) {
    if (parent.kind === "function_item") return false;
    if (parent.kind === "trait_item") return true;
    if (parent.kind === "impl_item") return childOf(parent, "type_parameters") !== undefined;
  }
  return false;
}

function surroundings(tree: SyntaxTree, node: SyntaxNode): { names: string[]; owners: string[] } {
  const names: string[] = [];
  const owners = new Set<string>();
  for (const parent of parentsOf(node)) {
    const part = partOf(tree, parent);
    if (part === undefined) continue;
    if (names.length === 0) for (const owner of part.owners) owners.add(owner);
    const below = names.join("::");
    for (const owner of part.owners) owners.add(below === "" ? owner : `${owner}::${below}`);
    names.unshift(part.name);
    owners.add(names.join("::"));
  }
  return { names, owners: [...owners] };
}

function partOf(tree: SyntaxTree, node: SyntaxNode): { name: string; owners: string[] } | undefined {
  if (["mod_item", "trait_item", "function_item"].includes(node.kind)) {
    const name = nameOf(tree, node);
    return { name, owners: [name] };
  }
  if (node.kind !== "impl_item") return undefined;
  const type = squeeze(textOfField(tree, node, "type"));
  const trait = squeeze(textOfField(tree, node, "trait"));
  const owners = [type, bare(type)];
  if (trait === "") return { name: bare(type), owners };
  const name = `<${type} as ${trait}>`;
  return { name, owners: [name, ...owners, trait, bare(trait)] };
}

function textOfField(tree: SyntaxTree, node: SyntaxNode, field: string): string {
  const child = childOf(node, field);
  return child === undefined ? "" : textOf(tree, child);
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Turns `&'a a::Parser<T>` into `Parser`. */
function bare(type: string): string {
  const plain = type
    .replace(/^(?:&\s*|'\w+\s+|mut\s+|dyn\s+|\*const\s+|\*mut\s+)+/, "")
    .replace(/<.*$/s, "")
    .trim();
  return plain.slice(plain.lastIndexOf(":") + 1);
}

function leftOut(tree: SyntaxTree, node: SyntaxNode, last: string, reason: string): RustFunction {
  const { names, owners } = surroundings(tree, node);
  const name = [...names, last].join("::");
  const flags = { isCase: false, isAsync: false, isOfType: false };
  return { node, body: undefined, name, last, owners, group: "left-out", reason, ...flags };
}

/** The functions in a macro's text: each `fn name` becomes a function for each use of the macro. */
function macroMade(tree: SyntaxTree, tokens: SyntaxNode): RustFunction[] {
  const found: RustFunction[] = [];
  const inMacro = "made by a macro";
  let earlier: SyntaxNode | undefined;
  for (const node of walk(tokens)) {
    if (node.children.length > 0) continue;
    if (earlier !== undefined && textOf(tree, earlier) === "fn" && /identifier|metavariable/.test(node.kind))
      found.push(leftOut(tree, node, textOf(tree, node), inMacro));
    earlier = node;
  }
  return found;
}
