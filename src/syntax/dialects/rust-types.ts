/** Reads types from a Rust file's text, without a type checker. Returns undefined if the text does not state a type. */
import { once } from "../../base/once.ts";
import type { DeclaredShape, Types } from "../dialect.ts";
import {
  childOf,
  namedChildren,
  parentsOf,
  type SyntaxNode,
  type SyntaxTree,
  textOf,
  walk,
} from "../node.ts";

const number = /^[iu](?:8|16|32|64|128|size)$/;
const collection =
  /^&?(?:mut )?(?:Vec|VecDeque|HashMap|HashSet|BTreeMap|BTreeSet|BinaryHeap|String|str|\[[^;]*\]$)/;

function zero(type: string): string | undefined {
  if (number.test(type)) return "0";
  if (/^f(?:32|64)$/.test(type)) return "0.0";
  if (type === "bool") return "false";
  if (type === "&str") return '""';
  if (/^Option<|^Option$/.test(type)) return "None";
  const made = /^(Vec|String|HashMap|HashSet|BTreeMap|BTreeSet|VecDeque)\b/.exec(type)?.[1];
  if (made !== undefined) return `${made}::new()`;
  return /^(?:[\w:]*::)?Result<\(\)/.test(type) ? "Ok(())" : undefined;
}

function missing(type: string, value: string): readonly (readonly [string, string])[] {
  const plain = type.replace(/^&(?:mut )?/, "");
  if (plain.startsWith("Option")) return [[`${value}.is_none()`, `${value}.is_some()`]];
  if (/^(?:\w+::)*Result\b/.test(plain)) return [[`${value}.is_err()`, `${value}.is_ok()`]];
  if (collection.test(type)) return [[`${value}.is_empty()`, `!${value}.is_empty()`]];
  const read = type.startsWith("&") ? `*${value}` : value;
  if (number.test(plain)) return [[`${read} == 0`, `${read} != 0`]];
  return plain === "bool" ? [[`!${read}`, read]] : [];
}

/**
 * Returns the shape of a Rust type's values; undefined for a type that has none of these shapes. Ignores a reference's
 * `&`, because `&usize` supports the same arithmetic as `usize`.
 */
export function shapeOfRustType(type: string): DeclaredShape | undefined {
  const plain = type.replace(/^&(?:'\w+ )?(?:mut )?/, "");
  if (number.test(plain) || /^f(?:32|64)$/.test(plain)) return "number";
  if (plain === "bool") return "boolean";
  if (/^(?:str|String|char)$/.test(plain)) return "text";
  return /^(?:Vec\b|\[)/.test(plain) ? "sequence" : undefined;
}

/** A type's text without lifetimes, and with collapsed white space. */
function typeText(tree: SyntaxTree, type: SyntaxNode): string {
  const text = textOf(tree, type).replace(/'\w+\s*/g, "");
  return text
    .replace(/\s+/g, " ")
    .replace(/<,? ?>/g, "")
    .replace(/<, /g, "<");
}

function typeIn(tree: SyntaxTree, node: SyntaxNode, field = "type"): string | undefined {
  const type = childOf(node, field);
  return type && typeText(tree, type);
}

/** The type of a field of the current object, or of a name at its binding. */
function ofBinding(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  if (node.kind === "field_expression") return ofField(tree, node);
  const holder = node.parent?.kind === "mut_pattern" ? node.parent.parent : node.parent;
  if (holder === undefined) return undefined;
  if (/^(?:parameter|const_item|static_item)$/.test(holder.kind)) return typeIn(tree, holder);
  const value = childOf(holder, "value");
  if (holder.kind === "let_declaration") {
    return typeIn(tree, holder) ?? (value && ofExpression(tree, value));
  }
  return holder.kind === "for_expression" && value ? ofElement(tree, value) : undefined;
}

/** The type of a loop's elements, known for ranges of numbers. */
function ofElement(tree: SyntaxTree, value: SyntaxNode): string | undefined {
  const inner = value.kind === "parenthesized_expression" ? (namedChildren(value)[0] ?? value) : value;
  if (inner.kind !== "range_expression") return undefined;
  const ends = namedChildren(inner).map((end) => ofExpression(tree, end));
  return ends.find((type) => type !== undefined);
}

const literals: Readonly<Record<string, string>> = {
  string_literal: "&str",
  raw_string_literal: "&str",
  char_literal: "char",
  boolean_literal: "bool",
};
const comparisons = /^(?:[<>]=?|[=!]=|&&|\|\|)$/;

function ofExpression(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const literal = literals[node.kind];
  if (literal !== undefined) return literal;
  const [inner] = namedChildren(node);
  switch (node.kind) {
    case "integer_literal":
      // An untyped integer is most often a count or a position.
      return /[iu](?:8|16|32|64|128|size)$/.exec(textOf(tree, node))?.[0] ?? "usize";
    case "type_cast_expression":
      return typeIn(tree, node);
    case "binary_expression":
      return ofBinary(tree, node);
    case "reference_expression":
      return prefixed(tree, node);
    case "parenthesized_expression":
      return inner && ofExpression(tree, inner);
    case "unary_expression":
      return node.children[0]?.kind === "!" && inner ? ofExpression(tree, inner) : undefined;
    case "macro_invocation":
      return /^format!/.test(textOf(tree, node)) ? "String" : undefined;
    case "field_expression":
      return ofField(tree, node);
    case "identifier":
      return ofName(tree, node);
    case "call_expression":
      return ofCall(tree, node);
    default:
      return undefined;
  }
}

function prefixed(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const value = childOf(node, "value");
  const type = value && ofExpression(tree, value);
  return type === undefined ? undefined : textOf(tree, node).startsWith("&mut") ? `&mut ${type}` : `&${type}`;
}

function ofBinary(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  if (comparisons.test(childOf(node, "operator")?.kind ?? "")) return "bool";
  const sides = namedChildren(node).map((side) => ofExpression(tree, side)?.replace(/^&/, ""));
  return sides.find((type) => type !== undefined);
}

/** The type of a name that is a parameter of the enclosing function. */
function ofName(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const name = textOf(tree, node);
  const around = [...parentsOf(node)].find((parent) => parent.kind === "function_item");
  const list = around && childOf(around, "parameters");
  const parameter = list?.children.find((child) => {
    const pattern = childOf(child, "pattern");
    return pattern !== undefined && textOf(tree, pattern).replace(/^mut /, "") === name;
  });
  return parameter && typeIn(tree, parameter);
}

const methods: readonly (readonly [RegExp, string])[] = [
  [/^(?:len|count|capacity)$/, "usize"],
  [/^(?:is_\w+|contains|contains_key|starts_with|ends_with|any|all|eq|ne)$/, "bool"],
  [/^(?:to_string|to_uppercase|to_lowercase|into_string|repeat)$/, "String"],
  [/^(?:trim\w*|as_str)$/, "&str"],
  [/^(?:find|rfind|position|rposition)$/, "Option<usize>"],
  [/^(?:leading_zeros|trailing_zeros|count_ones)$/, "u32"],
];

function ofCall(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const callee = childOf(node, "function");
  if (callee === undefined) return undefined;
  const member = childOf(callee, callee.kind === "field_expression" ? "field" : "name");
  const name = textOf(tree, member ?? callee);
  const path = childOf(callee, "path");
  if (path !== undefined && textOf(tree, path) === "String") return "String";
  const isMethod = callee.kind === "field_expression";
  const known = isMethod ? methods.find(([pattern]) => pattern.test(name))?.[1] : undefined;
  if (known !== undefined) return known;
  const declared = declaredResults(tree).get(name);
  return declared === undefined || /\bSelf\b|^[A-Z]$|\bimpl\b/.test(declared) ? undefined : declared;
}

/** Return types of the file's functions, by name; omits names whose functions differ. */
const declaredResults = once((tree: SyntaxTree): ReadonlyMap<string, string> => {
  const found = new Map<string, Set<string>>();
  for (const node of walk(tree.root)) {
    const name = node.kind === "function_item" ? childOf(node, "name") : undefined;
    if (name === undefined) continue;
    const key = textOf(tree, name);
    found.set(key, (found.get(key) ?? new Set()).add(typeIn(tree, node, "return_type") ?? "()"));
  }
  const single = [...found].flatMap(([name, [type, more]]): [string, string][] =>
    type === undefined || more !== undefined || type === "()" ? [] : [[name, type]],
  );
  return new Map(single);
});

function ofResults(tree: SyntaxTree, holder: SyntaxNode): readonly string[] {
  const type = typeIn(tree, holder, "return_type");
  return type === undefined || type === "()" ? [] : [type];
}

/** The type of `self.size`, from the file's declaration of the type to which the method belongs. */
function ofField(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const object = childOf(node, "value");
  const member = childOf(node, "field");
  if (object === undefined || member === undefined || textOf(tree, object) !== "self") return undefined;
  const around = [...parentsOf(node)].find((parent) => parent.kind === "impl_item");
  const type = around && childOf(around, "type");
  return type && fieldsOf(tree).get(`${textOf(tree, type).replace(/<.*$/s, "")}.${textOf(tree, member)}`);
}

const fieldsOf = once((tree: SyntaxTree): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const node of walk(tree.root)) {
    if (node.kind !== "field_declaration") continue;
    const struct = [...parentsOf(node)].find((parent) => parent.kind === "struct_item");
    const owner = struct && childOf(struct, "name");
    const name = childOf(node, "name");
    const type = typeIn(tree, node);
    if (owner === undefined || name === undefined || type === undefined) continue;
    found.set(`${textOf(tree, owner)}.${textOf(tree, name)}`, type);
  }
  return found;
});

export const rustTypes: Types = { ofBinding, ofResults, zero, missing };
