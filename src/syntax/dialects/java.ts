import { type Binding, type DeclaredShape, defineDialect, type Role } from "../dialect.ts";
import { operatorsOfC } from "./c-operators.ts";

const typeKinds = [
  "annotated_type",
  "array_type",
  "boolean_type",
  "dimensions",
  "extends_interfaces",
  "floating_point_type",
  "generic_type",
  "integral_type",
  "permits",
  "scoped_type_identifier",
  "super_interfaces",
  "superclass",
  "throws",
  "type_arguments",
  "type_identifier",
  "type_parameters",
  "void_type",
];

const roles: Record<string, Role> = {
  identifier: "identifier",
  this: "self",
  super: "self",
  field_access: "attribute",
  array_access: "subscript",
  method_invocation: "call",
  object_creation_expression: "call",
  argument_list: "arguments",
  binary_expression: "binary",
  instanceof_expression: "binary",
  unary_expression: "unary",
  update_expression: "update",
  parenthesized_expression: "parentheses",
  ternary_expression: "conditional",
  lambda_expression: "function-expression",
  cast_expression: "cast",
  decimal_integer_literal: "number",
  hex_integer_literal: "number",
  octal_integer_literal: "number",
  binary_integer_literal: "number",
  decimal_floating_point_literal: "number",
  hex_floating_point_literal: "number",
  string_literal: "string",
  character_literal: "string",
  true: "boolean",
  false: "boolean",
  null_literal: "null",
  array_initializer: "collection",
  array_creation_expression: "collection",
  expression_statement: "expression-statement",
  assignment_expression: "assignment",
  local_variable_declaration: "declaration",
  variable_declarator: "declarator",
  return_statement: "return",
  throw_statement: "raise",
  assert_statement: "assert",
  if_statement: "if",
  while_statement: "while",
  do_statement: "while",
  for_statement: "for",
  enhanced_for_statement: "for-each",
  break_statement: "break",
  continue_statement: "continue",
  yield_statement: "statement",
  switch_expression: "statement",
  switch_block_statement_group: "statement",
  switch_rule: "statement",
  try_statement: "statement",
  try_with_resources_statement: "statement",
  catch_clause: "statement",
  synchronized_statement: "statement",
  labeled_statement: "statement",
  field_declaration: "statement",
  constant_declaration: "statement",
  enum_constant: "statement",
  static_initializer: "statement",
  explicit_constructor_invocation: "statement",
  block: "block",
  constructor_body: "block",
  class_body: "block",
  interface_body: "block",
  enum_body: "block",
  enum_body_declarations: "block",
  program: "module",
  method_declaration: "function",
  constructor_declaration: "function",
  compact_constructor_declaration: "function",
  class_declaration: "class",
  interface_declaration: "class",
  annotation_type_declaration: "class",
  enum_declaration: "class",
  record_declaration: "class",
  formal_parameters: "parameters",
  inferred_parameters: "parameters",
  import_declaration: "import",
  package_declaration: "import",
  annotation: "decorator",
  marker_annotation: "decorator",
  line_comment: "comment",
  block_comment: "comment",
  ...Object.fromEntries(typeKinds.map((kind): [string, Role] => [kind, "type"])),
};

const bindings: Binding[] = [
  { kind: "variable_declarator", fields: ["name"], as: "local", visible: "around" },
  { kind: "enhanced_for_statement", fields: ["name"], as: "loop", visible: "inside" },
  { kind: "formal_parameters", fields: [], as: "parameter", visible: "inside" },
  { kind: "inferred_parameters", fields: [], as: "parameter", visible: "inside" },
  { kind: "lambda_expression", fields: ["parameters"], as: "parameter", visible: "inside" },
  { kind: "catch_formal_parameter", fields: ["name"], as: "local", visible: "around" },
  { kind: "resource", fields: ["name"], as: "local", visible: "around" },
  { kind: "method_declaration", fields: ["name"], as: "function", visible: "around" },
  { kind: "class_declaration", fields: ["name"], as: "class", visible: "around" },
  { kind: "interface_declaration", fields: ["name"], as: "class", visible: "around" },
  { kind: "enum_declaration", fields: ["name"], as: "class", visible: "around" },
  { kind: "record_declaration", fields: ["name"], as: "class", visible: "around" },
];

/**
 * The shape of a type's values. Boxed numbers and booleans may be null but also act as primitives, so their shape is
 * unknown.
 */
function shapeOfType(type: string): DeclaredShape | undefined {
  const plain = type.replace(/<.*>$/s, "").replace(/^.*\./s, "");
  if (type.endsWith("]")) return "array";
  if (/^(byte|short|int|long|float|double|char)$/.test(plain)) return "number";
  if (plain === "boolean") return "boolean";
  if (plain === "String") return "text";
  if (/^(Byte|Short|Integer|Long|Float|Double|Character|Boolean|Number|var)$/.test(plain)) return undefined;
  return /^(Collection|List|ArrayList|LinkedList|Set|HashSet|Queue|Deque|Iterable)$/.test(plain)
    ? "sequence"
    : "object";
}

/** The code for a part of a string, a list or an array. `to` may count from the end: `-1`. */
function part(expression: string, from: string, to?: string, shape?: DeclaredShape): string {
  const size = shape === "array" ? "length" : shape === "sequence" ? "size()" : "length()";
  const end =
    to?.startsWith("-") === true ? `${expression}.${size} - ${to.slice(1)}` : (to ?? `${expression}.${size}`);
  if (shape === "array") return `java.util.Arrays.copyOfRange(${expression}, ${from}, ${end})`;
  if (shape === "sequence") return `${expression}.subList(${from}, ${end})`;
  return to === undefined ? `${expression}.substring(${from})` : `${expression}.substring(${from}, ${end})`;
}

export default defineDialect({
  language: "java",
  needsResult: true,
  roles,
  parts: {
    // `new` is followed by a type, which takes the callee's place.
    callee: ["name", "type"],
    arguments: ["arguments"],
    object: ["object", "array"],
    member: ["field"],
    index: ["index"],
    condition: ["condition"],
    left: ["left"],
    right: ["right"],
    operand: ["operand"],
    target: ["left", "name"],
    value: ["right", "value"],
    name: ["name"],
    parameters: ["parameters"],
    iterable: ["value"],
  },
  bindings,
  notBinding: ["type", "value", "dimensions"],
  blockScoped: true,
  selves: ["this"],
  operators: operatorsOfC([">>>"]),
  spelling: {
    nulls: ["null"],
    true: "true",
    false: "false",
    empties: ["null", "0", '""', "Collections.emptyList()"],
    isNull: (expression) => `${expression} == null`,
    isNotNull: (expression) => `${expression} != null`,
    isEmpty: (expression, shape) =>
      shape === "array" ? `${expression}.length == 0` : `${expression}.isEmpty()`,
    holding: (empty, value) =>
      /^new [\w.]*(?:Set|List|Deque|Queue|Vector)(?:<.*>)?\(\)$/.test(empty)
        ? `${empty.slice(0, -1)}java.util.Arrays.asList(${value === empty ? value.replace(/<.+>/, "<>") : value}))`
        : undefined,
    adding: [
      [/^new [\w.]*(?:Deque|LinkedList|Stack)(?:<.*>)?\(\d*\)$/, "{c}.push({v})", "{c}.add({v})"],
      [/^new [\w.]*(?:Set|List|Vector|Queue)(?:<.*>)?\(\d*\)$/, "{c}.add({v})"],
    ],
    orDefault: () => undefined,
    conditional: (condition, then, otherwise) => `${condition} ? ${then} : ${otherwise}`,
    ifLine: (condition, statement) => `if (${condition}) { ${statement} }`,
    ifAround: (condition) => ({ head: `if (${condition}) {`, tail: "}" }),
    statementEnd: ";",
    length: (expression) => `${expression}.length()`,
    sliceFrom: (expression, from, shape) =>
      from.startsWith("-") ? undefined : part(expression, from, undefined, shape),
    sliceTo: (expression, to, shape) => part(expression, "0", to, shape),
    minimum: (a, b) => `Math.min(${a}, ${b})`,
    maximum: (a, b) => `Math.max(${a}, ${b})`,
  },
  shapeOfType,
  keywords:
    "if else return break continue null true false length size isEmpty equals substring Math min max new".split(
      " ",
    ),
  builtinFamilies: [
    ["min", "max"],
    ["floor", "ceil", "round", "rint"],
    ["anyMatch", "allMatch", "noneMatch"],
    ["startsWith", "endsWith", "contains"],
    ["indexOf", "lastIndexOf"],
    ["equals", "equalsIgnoreCase"],
    ["trim", "strip"],
    ["toLowerCase", "toUpperCase"],
    ["isEmpty", "isBlank"],
    ["append", "insert"],
    ["add", "addAll"],
    ["addFirst", "addLast", "add", "push"],
    ["removeFirst", "removeLast", "pop", "poll"],
    ["getFirst", "getLast", "peek"],
    ["remove", "removeAll", "retainAll"],
    ["put", "putIfAbsent"],
    ["get", "getOrDefault"],
    ["containsKey", "containsValue", "contains"],
    ["keySet", "values", "entrySet"],
    ["ceilingKey", "floorKey", "higherKey", "lowerKey"],
    ["ceilingEntry", "floorEntry", "higherEntry", "lowerEntry"],
    ["headMap", "tailMap"],
    ["matches", "find", "lookingAt"],
    ["start", "end"],
    ["replace", "replaceAll", "replaceFirst"],
    ["map", "flatMap", "filter"],
    ["findFirst", "findAny"],
    ["parseInt", "parseLong", "parseDouble"],
    ["intValue", "longValue", "doubleValue", "floatValue"],
    ["isDigit", "isLetter", "isLetterOrDigit", "isWhitespace"],
    ["isBefore", "isAfter", "isEqual"],
    ["plus", "minus"],
    ["compareTo", "compareToIgnoreCase"],
    ["subtract", "add", "multiply", "divide"],
    ["singletonList", "emptyList"],
    ["read", "peek"],
  ],
});
