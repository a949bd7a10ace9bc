import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { callableRole, constructorRole, typeRole, valueRole } from "../lexical/shapes.ts";
import { defineOutline } from "../outline.ts";

const query = `
(line_comment) @comment
(block_comment) @comment
(package_header (qualified_identifier) @package)
(import) @import

(class_declaration "interface" name: (_) @name) @definition.interface
(class_declaration (modifiers (class_modifier "enum")) name: (_) @name) @definition.enum
(class_declaration) @definition.class
(object_declaration) @definition.class
(type_alias type: (_) @name) @definition.type
(function_declaration (user_type) @owner . "." . name: (_) @name
  (function_value_parameters) @parameters ":" . (_) @type (function_body)? @body) @definition.function
(function_declaration (user_type) @owner . "." . name: (_) @name
  (function_value_parameters) @parameters (function_body)? @body) @definition.function
(function_declaration
  name: (_) @name (function_value_parameters) @parameters ":" . (_) @type (function_body)? @body) @definition.function
(function_declaration name: (_) @name (function_value_parameters) @parameters (function_body)? @body) @definition.function
(secondary_constructor "constructor" @name (function_value_parameters) @parameters) @definition.constructor
(enum_entry . (modifiers)? . (identifier) @name) @definition.field
(class_parameter ["val" "var"] (identifier) @name (_)? @type) @definition.field
(class_parameter (identifier) @local . ":" . (_) @type)
(property_declaration (user_type) @owner . "." . (variable_declaration (identifier) @name)) @binding
(property_declaration (variable_declaration (identifier) @name . ":" . (_) @type)) @binding
(property_declaration (variable_declaration (identifier) @name) (call_expression . (identifier) @type) (#match? @type "^[A-Z]")) @binding
(property_declaration (variable_declaration (identifier) @name)) @binding
(property_declaration (multi_variable_declaration (variable_declaration (identifier) @local)))

(lambda_literal) @scope
(anonymous_function) @scope
(anonymous_initializer) @scope
(getter) @scope
(setter) @scope
(object_literal) @scope
(setter (identifier) @local)
(function_value_parameters (parameter (identifier) @local . ":" . (_) @type))
(function_type_parameters (parameter (identifier) @ignore))
(lambda_parameters (variable_declaration (identifier) @local))
(lambda_parameters (multi_variable_declaration (variable_declaration (identifier) @local)))
(for_statement (variable_declaration (identifier) @local))
(for_statement (multi_variable_declaration (variable_declaration (identifier) @local)))
(catch_block (identifier) @local)
(when_subject (variable_declaration (identifier) @local))
(type_parameter (identifier) @local)
(value_argument . (identifier) @ignore . "=")
(label) @ignore
(package_header) @ignore

(delegation_specifier (type (user_type (identifier) @reference.inherits .)))
(delegation_specifier (user_type (identifier) @reference.inherits .))
(delegation_specifier (user_type (identifier) @reference.inherits . (type_arguments) .))
(delegation_specifier (constructor_invocation (user_type (identifier) @reference.inherits .)))
(delegation_specifier (constructor_invocation (user_type (identifier) @reference.inherits . (type_arguments) .)))
(delegation_specifier (explicit_delegation (user_type (identifier) @reference.inherits .)))
(call_expression . (identifier) @reference.call (value_arguments) @arguments)
(call_expression . (identifier) @reference.call)
(call_expression . (navigation_expression . (_) @receiver (identifier) @reference.call .) (value_arguments) @arguments)
(call_expression . (navigation_expression . (_) @receiver (identifier) @reference.call .))
(infix_expression . (_) @receiver . (identifier) @reference.call)
(callable_reference (identifier) @reference.name .)
(annotation (user_type (identifier) @reference.type .))
(navigation_expression . (_) @receiver (identifier) @reference.name .)
(user_type (identifier) @reference.type)
(identifier) @reference.name
`;

export default defineOutline({
  language: "kotlin",
  extensions: [".kt", ".kts"],
  grammar: "@tree-sitter-grammars/tree-sitter-kotlin/tree-sitter-kotlin.wasm",
  words: {
    lexis: { ...plainLexis, nestedComments: true, tripleQuotes: true },
    keywords:
      "abstract as break by catch class companion const constructor continue data do else enum false final finally for fun if import in inline interface internal is it lateinit null object open operator out override package private protected public return sealed super suspend this throw true try typealias val var vararg when where while",
    definitions: {
      roles: {
        fun: { ...callableRole, lastName: true },
        class: typeRole("class"),
        object: typeRole("class"),
        interface: typeRole("interface"),
        typealias: valueRole("type"),
        val: valueRole("variable"),
        var: valueRole("variable"),
        constructor: constructorRole,
      },
      members: "none",
      declaratorsInFiles: false,
      lines: true,
      commas: false,
      privateWords: ["private", "internal", "protected"],
      hasObjects: false,
      hasDirectives: false,
    },
  },
  names: { bareMembers: true },
  namedArguments: true,
  query,
  builtin: new Set([
    "it",
    "field",
    "Unit",
    "Int",
    "Long",
    "String",
    "Boolean",
    "Double",
    "Float",
    "Any",
    "Byte",
    "Char",
  ]),
  isPublic: ({ header }) =>
    !/^\s*(?:\w+\s+)*?(?:private|internal|protected)\b/.test(header.split("(", 1)[0] ?? ""),
  isTest: ({ kind, attributes }) =>
    (kind === "method" || kind === "function") &&
    /@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory)\b/.test(attributes),
  // After `by x {` the grammar mistakes the class body for a function argument.
  finish: (definitions) => {
    for (const one of definitions)
      if (one.kind === "function" && definitions[one.container]?.kind === "class") one.kind = "method";
  },
  isConstant: ({ header }) => /^\s*(?:\w+\s+)*?const\s+val\b/.test(header),
  parameter: (node: Node) =>
    node.type === "parameter"
      ? (node.namedChildren.find((child) => child.type !== "identifier") ?? node).text
      : undefined,
  imports: (node: Node): Import[] => {
    const line = node.startPosition.row + 1;
    const path =
      node.namedChildren.find((child) => child.type === "qualified_identifier")?.text.replaceAll(/\s/g, "") ??
      "";
    if (/\.\*\s*$/.test(node.text)) return [{ source: path, name: "*", line }];
    const dot = path.lastIndexOf(".");
    const name = path.slice(dot + 1);
    const alias = node.namedChildren.find((child) => child.type === "identifier")?.text ?? name;
    return [{ source: path.slice(0, Math.max(dot, 0)), name, alias, line }];
  },
});
