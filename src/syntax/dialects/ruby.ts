import { type Binding, defineDialect, type Role } from "../dialect.ts";
import { type SyntaxNode, type SyntaxTree, textOf } from "../node.ts";

const blocks = ["body_statement", "block_body", "then", "else", "ensure", "begin", "do"];
/** Nodes that hold statements directly, without a statement node around them. */
const holders = ["program", ...blocks];

const roles: Record<string, Role> = {
  ...Object.fromEntries(blocks.map((kind): [string, Role] => [kind, "block"])),
  identifier: "identifier",
  constant: "identifier",
  instance_variable: "identifier",
  class_variable: "identifier",
  global_variable: "identifier",
  self: "self",
  scope_resolution: "attribute",
  element_reference: "subscript",
  range: "slice",
  call: "call",
  argument_list: "arguments",
  splat_argument: "spread",
  hash_splat_argument: "spread",
  binary: "binary",
  unary: "unary",
  parenthesized_statements: "parentheses",
  conditional: "conditional",
  lambda: "function-expression",
  do_block: "function-expression",
  block: "function-expression",
  yield: "yield",
  integer: "number",
  float: "number",
  string: "string",
  chained_string: "string",
  true: "boolean",
  false: "boolean",
  nil: "null",
  array: "collection",
  hash: "collection",
  string_array: "collection",
  bare_string: "word",
  symbol_array: "collection",
  right_assignment_list: "values",
  left_assignment_list: "values",
  pair: "pair",
  assignment: "assignment",
  operator_assignment: "augmented-assignment",
  return: "return",
  if: "if",
  unless: "if",
  if_modifier: "if",
  unless_modifier: "if",
  elsif: "else-if",
  while: "while",
  until: "while",
  while_modifier: "while",
  until_modifier: "while",
  for: "for-each",
  break: "break",
  next: "continue",
  case: "statement",
  case_match: "statement",
  rescue: "statement",
  rescue_modifier: "statement",
  alias: "import",
  undef: "import",
  program: "module",
  method: "function",
  singleton_method: "function",
  class: "class",
  module: "class",
  singleton_class: "class",
  method_parameters: "parameters",
  block_parameters: "parameters",
  lambda_parameters: "parameters",
  comment: "comment",
  heredoc_body: "comment",
  superclass: "type",
};

const bindings: Binding[] = [
  { kind: "assignment", fields: ["left"], as: "local", visible: "around" },
  { kind: "operator_assignment", fields: ["left"], as: "local", visible: "around" },
  { kind: "exception_variable", fields: [], as: "local", visible: "around" },
  { kind: "for", fields: ["pattern"], as: "loop", visible: "around" },
  { kind: "method_parameters", fields: [], as: "parameter", visible: "inside" },
  { kind: "block_parameters", fields: [], as: "parameter", visible: "inside" },
  { kind: "lambda_parameters", fields: [], as: "parameter", visible: "inside" },
  { kind: "method", fields: ["name"], as: "function", visible: "around" },
  { kind: "class", fields: ["name"], as: "class", visible: "around" },
  { kind: "module", fields: ["name"], as: "class", visible: "around" },
];

/** Calls that only declare something; there is nothing in them to repair. */
const declaring =
  /^(?:require|require_relative|load|autoload|include|extend|prepend|using|attr_(?:reader|writer|accessor)|private|protected|public|private_constant|module_function|alias_method|private_class_method)$/;

function childIn(node: SyntaxNode, field: string): SyntaxNode | undefined {
  return node.children.find((child) => child.field === field);
}

/** True if the node's position makes it a statement. */
function standsAlone(node: SyntaxNode): boolean {
  const parent = node.parent?.kind ?? "";
  return holders.includes(parent) || (/_modifier$/.test(parent) && node.field === "body");
}

function refine(node: SyntaxNode, tree: SyntaxTree): Role | undefined {
  if (node.kind === "pair") return node.parent?.kind === "argument_list" ? "keyword-argument" : undefined;
  if (node.kind === "identifier") return standsAlone(node) ? roleOfWord(textOf(tree, node)) : undefined;
  if (node.kind !== "call") return undefined;
  const method = childIn(node, "method");
  if (childIn(node, "receiver") === undefined)
    return method !== undefined && standsAlone(node) ? roleOfWord(textOf(tree, method)) : undefined;
  const isPlain = childIn(node, "arguments") === undefined && childIn(node, "block") === undefined;
  return isPlain ? "attribute" : undefined;
}

function roleOfWord(word: string): Role | undefined {
  if (word === "raise" || word === "fail") return "raise";
  return declaring.test(word) ? "import" : undefined;
}

export default defineDialect({
  language: "ruby",
  roles,
  refine,
  parts: {
    callee: ["method"],
    arguments: ["arguments"],
    object: ["receiver", "object", "scope"],
    member: ["method", "name"],
    index: ["element_reference#1"],
    condition: ["condition"],
    left: ["left"],
    right: ["right"],
    operand: ["operand"],
    target: ["left"],
    value: ["right", "value"],
    name: ["name"],
    parameters: ["parameters"],
    iterable: ["in#0"],
  },
  bindings,
  notBinding: ["value", "receiver", "method", "arguments", "object", "scope", "element_reference.object"],
  boundNames: /^[a-z_]/,
  blockScoped: false,
  valueBlocks: holders,
  bareStatements: true,
  fieldNames: ["instance_variable", "class_variable"],
  rounds: ["do_block", "block"],
  selves: ["self"],
  operators: {
    comparison: ["<", "<=", ">", ">=", "==", "!=", "=~", "!~"],
    arithmetic: ["+", "-", "*", "/", "%", "**"],
    bitwise: ["&", "|", "^", "<<", ">>"],
    nonCommutative: ["+", "-", "/", "%", "**", "<<", ">>", "<", "<=", ">", ">="],
    and: "&&",
    or: "||",
    not: "!",
    equalities: ["==", "!="],
    equal: "==",
    notEqual: "!=",
    opposite: {
      "<": ">=",
      ">=": "<",
      ">": "<=",
      "<=": ">",
      "==": "!=",
      "!=": "==",
      "=~": "!~",
      "!~": "=~",
    },
    twins: [
      ["&&", "and"],
      ["||", "or"],
    ],
  },
  spelling: {
    unequal: (value) => `[${value}, 1]`,
    nulls: ["nil"],
    true: "true",
    false: "false",
    empties: ["nil", "[]", "{}", '""', "0"],
    isNull: (expression) => `${expression}.nil?`,
    isNotNull: (expression) => `!${expression}.nil?`,
    isEmpty: (expression) => `${expression}.empty?`,
    adding: [
      [/^(?:\[\]|Array\.new|Set\.new|Set\[\])$/, "{c} << {v}"],
      [/^(?:\{\}|Hash\.new)$/, "{c}[{v}] = true"],
    ],
    orDefault: (expression, fallback) => `${expression} || ${fallback}`,
    safely: (object, rest) =>
      rest.startsWith(".") ? [`${object}&${rest}`] : [`${object} && ${object}${rest}`],
    conditional: (condition, then, otherwise) => `${condition} ? ${then} : ${otherwise}`,
    ifLine: (condition, statement) => `${statement} if ${condition}`,
    ifAround: (condition) => ({ head: `if ${condition}`, tail: "end" }),
    statementEnd: "",
    continue: "next",
    length: (expression) => `${expression}.length`,
    sliceFrom: (expression, from) => `${expression}[${from}..-1]`,
    sliceTo: (expression, to) =>
      to.startsWith("-") ? `${expression}[0...${to}]` : `${expression}[0...${to}]`,
    minimum: (a, b) => `[${a}, ${b}].min`,
    maximum: (a, b) => `[${a}, ${b}].max`,
  },
  keywords:
    "if unless else elsif end return break next nil true false and or not length empty? nil? min max self".split(
      " ",
    ),
  builtinFamilies: [
    ["min", "max", "minmax"],
    ["min_by", "max_by"],
    ["any?", "all?", "none?", "one?"],
    ["map", "flat_map", "each", "filter_map", "collect"],
    ["select", "reject", "filter", "find", "detect", "partition"],
    ["take", "drop"],
    ["take_while", "drop_while", "select"],
    ["first", "last"],
    ["push", "unshift", "append", "prepend", "concat"],
    ["pop", "shift"],
    ["start_with?", "end_with?", "include?"],
    ["index", "rindex"],
    ["sub", "gsub"],
    ["sub!", "gsub!"],
    ["strip", "lstrip", "rstrip", "chomp", "chop"],
    ["upcase", "downcase", "capitalize", "swapcase"],
    ["to_s", "to_i", "to_f", "to_a", "to_sym", "to_h", "inspect"],
    ["Integer", "Float", "String", "Array"],
    ["floor", "ceil", "round", "truncate"],
    ["keys", "values"],
    ["key?", "value?"],
    ["fetch", "dig"],
    ["merge", "merge!", "update"],
    ["union", "intersection", "difference"],
    ["each_with_index", "each_index", "each"],
    ["sort", "sort_by", "reverse"],
    ["size", "length", "count"],
    ["nil?", "empty?"],
    ["sum", "count"],
    ["split", "partition", "rpartition"],
    ["partition", "rpartition"],
    ["scan", "match"],
    ["chars", "bytes", "lines"],
    ["upto", "downto"],
    ["each_slice", "each_cons"],
    ["ljust", "rjust", "center"],
    ["compact", "flatten", "uniq"],
    ["is_a?", "kind_of?", "instance_of?", "respond_to?"],
    ["public_send", "send"],
  ],
});
