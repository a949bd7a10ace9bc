/** Reads types from a Go file's text, without a type checker. Returns undefined if the text does not state a type. */
import { once } from "../../base/once.ts";
import type { Signature, Types } from "../dialect.ts";
import { namedChildren, parentsOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../node.ts";

const number = /^(?:u?int(?:8|16|32|64|ptr)?|byte|rune|float(?:32|64))$/;
const nilable = /^(?:\*|\[\]|map\[|chan\b|<-chan\b|func\b|interface\b|error$|any$)/;

function zero(type: string): string | undefined {
  if (number.test(type)) return "0";
  if (type === "string") return '""';
  if (type === "bool") return "false";
  return nilable.test(type) ? "nil" : undefined;
}

function missing(type: string, value: string): readonly (readonly [string, string])[] {
  if (number.test(type)) return [[`${value} == 0`, `${value} != 0`]];
  if (type === "string") return [[`${value} == ""`, `${value} != ""`]];
  if (type === "bool") return [[`!${value}`, value]];
  const none = [`${value} == nil`, `${value} != nil`] as const;
  if (/^(?:\[\]|map\[)/.test(type)) return [[`len(${value}) == 0`, `len(${value}) != 0`], none];
  if (/^\[\d*\w*\]/.test(type)) return [];
  return nilable.test(type) || /\./.test(type) ? [none] : [];
}

/** The type of a field of the method's own object, or of a name at its binding. */
function ofBinding(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  if (node.kind === "selector_expression") return ofField(tree, node);
  const holder = node.parent;
  if (holder === undefined) return undefined;
  if (holder.kind === "parameter_declaration") return typeIn(tree, holder);
  if (holder.kind === "variadic_parameter_declaration") return prefixed("[]", typeIn(tree, holder));
  if (holder.kind === "var_spec" || holder.kind === "const_spec") {
    return typeIn(tree, holder) ?? ofAssigned(tree, holder, node);
  }
  const assigned = holder.kind === "expression_list" ? holder.parent : holder;
  return assigned?.kind === "short_var_declaration"
    ? ofAssigned(tree, assigned, node)
    : ofCommonName(tree, node);
}

function prefixed(prefix: string, type: string | undefined): string | undefined {
  return type === undefined ? undefined : prefix + type;
}

function typeIn(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const type = node.children.find((child) => child.field === "type");
  return type && textOf(tree, type);
}

function ofAssigned(tree: SyntaxTree, assigned: SyntaxNode, node: SyntaxNode): string | undefined {
  const lefts = assigned.children.filter((child) => child.field === "left" || child.field === "name");
  const right = assigned.children.find((child) => child.field === "right" || child.field === "value");
  const names = lefts.flatMap(listed).filter((child) => child.named);
  const values = right === undefined ? [] : listed(right);
  const at = names.indexOf(node);
  const value = values[at];
  if (values.length === names.length && value !== undefined)
    return ofExpression(tree, value) ?? ofCommonName(tree, node);
  const [call] = values;
  const results = call?.kind === "call_expression" ? ofCall(tree, call) : [];
  return (results.length === names.length ? results[at] : undefined) ?? ofCommonName(tree, node);
}

function listed(node: SyntaxNode): readonly SyntaxNode[] {
  return node.kind === "expression_list" ? namedChildren(node) : [node];
}

/** The type of a name that conventionally means the same in every Go program. */
function ofCommonName(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const name = textOf(tree, node);
  return name === "err" ? "error" : name === "ok" ? "bool" : undefined;
}

const literals: Readonly<Record<string, string>> = {
  int_literal: "int",
  float_literal: "float64",
  rune_literal: "rune",
  interpreted_string_literal: "string",
  raw_string_literal: "string",
  true: "bool",
  false: "bool",
};

function ofExpression(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const literal = literals[node.kind];
  if (literal !== undefined) return literal;
  if (node.kind === "composite_literal" || node.kind === "type_conversion_expression")
    return typeIn(tree, node);
  if (node.kind === "binary_expression") return ofBinary(tree, node);
  if (node.kind === "unary_expression") {
    const operand = node.children.find((child) => child.field === "operand");
    const sign = node.children[0]?.kind;
    if (operand === undefined) return undefined;
    return sign === "!"
      ? "bool"
      : sign === "&"
        ? prefixed("*", ofExpression(tree, operand))
        : ofExpression(tree, operand);
  }
  const [only, more] = node.kind === "call_expression" ? ofCall(tree, node) : [];
  return more === undefined ? only : undefined;
}

function ofBinary(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const operator = node.children.find((child) => child.field === "operator")?.kind ?? "";
  if (/^(?:[<>]=?|[=!]=|&&|\|\|)$/.test(operator)) return "bool";
  const sides = namedChildren(node).map((side) => ofExpression(tree, side));
  return sides.find((type) => type !== undefined && type !== "int") ?? undefined;
}

const known: ReadonlyMap<string, readonly string[]> = new Map([
  ["len", ["int"]],
  ["cap", ["int"]],
  ["strconv.Itoa", ["string"]],
  ["strconv.Atoi", ["int", "error"]],
  ["fmt.Sprintf", ["string"]],
  ["fmt.Sprint", ["string"]],
  ["fmt.Errorf", ["error"]],
  ["errors.New", ["error"]],
]);
const textFunctions =
  /^strings\.(?:(Index\w*|LastIndex\w*|Count|Compare)|(Contains\w*|Has\w+|EqualFold)|(Split\w*|Fields\w*)|(To\w+|Trim\w*|Replace\w*|Repeat|Join|Title|Map))$/;

function ofCall(tree: SyntaxTree, node: SyntaxNode): readonly string[] {
  const callee = node.children.find((child) => child.field === "function");
  const list = node.children.find((child) => child.field === "arguments");
  if (callee === undefined || list === undefined) return [];
  const name = textOf(tree, callee);
  const [first] = namedChildren(list);
  if (name === "make" && first !== undefined) return [textOf(tree, first)];
  if (name === "new" && first !== undefined) return [`*${textOf(tree, first)}`];
  if (number.test(name) || name === "string") return [name];
  const [, int, bool, list_, text] = textFunctions.exec(name) ?? [];
  if ((int ?? bool ?? list_ ?? text) !== undefined) {
    return [int ? "int" : bool ? "bool" : list_ ? "[]string" : "string"];
  }
  const declared = tree.root.children.find(
    (child) =>
      child.kind === "function_declaration" &&
      child.children.some((part) => part.field === "name" && textOf(tree, part) === name),
  );
  return known.get(name) ?? (declared === undefined ? [] : ofResults(tree, declared));
}

function ofResults(tree: SyntaxTree, holder: SyntaxNode): readonly string[] {
  const result = holder.children.find((child) => child.field === "result");
  if (result === undefined) return [];
  if (result.kind !== "parameter_list") return [textOf(tree, result)];
  return namedChildren(result).flatMap((declared) => {
    const names = declared.children.filter((child) => child.field === "name").length;
    return Array.from({ length: Math.max(1, names) }, () => typeIn(tree, declared) ?? textOf(tree, declared));
  });
}

/** The signature of a function or method that the file declares exactly once. */
function ofFunction(tree: SyntaxTree, name: string): Signature | undefined {
  const results = known.get(name);
  const builtin = results?.length === 1 ? { parameters: 1, results } : undefined;
  return signaturesOf(tree).get(name) ?? builtin;
}

const signaturesOf = once((tree: SyntaxTree): ReadonlyMap<string, Signature> => {
  const found = new Map<string, Signature>();
  const twice = new Set<string>();
  for (const node of tree.root.children) {
    const name = node.children.find((child) => child.field === "name");
    const list = node.children.find((child) => child.field === "parameters");
    if (!/^(?:function|method)_declaration$/.test(node.kind) || name === undefined || list === undefined)
      continue;
    const text = textOf(tree, name);
    if (found.has(text)) twice.add(text);
    const declared = namedChildren(list).filter((child) => child.kind !== "comment");
    const isVariadic = declared.some((child) => child.kind === "variadic_parameter_declaration");
    const count = declared
      .map((child) => Math.max(1, child.children.filter((part) => part.field === "name").length))
      .reduce((sum, names) => sum + names, 0);
    found.set(text, { parameters: isVariadic ? undefined : count, results: ofResults(tree, node) });
  }
  for (const name of twice) found.delete(name);
  return found;
});

/** The type of `s.size` in a method of `s`, from the struct's declaration in this file. */
function ofField(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const member = node.children.find((child) => child.field === "field");
  const method = [...parentsOf(node)].find((parent) => parent.kind === "method_declaration");
  const receiver = method?.children.find((child) => child.field === "receiver");
  const holder = receiver && /([\w]+)(?:\[[^\]]*\])?\s*\)$/.exec(textOf(tree, receiver))?.[1];
  return holder === undefined || member === undefined
    ? undefined
    : fieldsOf(tree).get(`${holder}.${textOf(tree, member)}`);
}

const fieldsOf = once((tree: SyntaxTree): ReadonlyMap<string, string> => {
  const found = new Map<string, string>();
  for (const node of walk(tree.root)) {
    if (node.kind !== "field_declaration") continue;
    const spec = [...parentsOf(node)].find((parent) => parent.kind === "type_spec");
    const name = spec?.children.find((child) => child.field === "name");
    const type = typeIn(tree, node);
    if (name === undefined || type === undefined) continue;
    for (const field of node.children.filter((child) => child.field === "name")) {
      found.set(`${textOf(tree, name)}.${textOf(tree, field)}`, type);
    }
  }
  return found;
});

const failed = (type: string, value: string): string | undefined =>
  type === "error" ? `${value} != nil` : undefined;

export const goTypes: Types = { ofBinding, ofResults, ofFunction, zero, missing, failed };
