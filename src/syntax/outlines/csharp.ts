import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { enumRole, moduleRole, typeRole } from "../lexical/shapes.ts";
import { defineOutline } from "../outline.ts";
import { firstBranches } from "../symbols/preprocessor.ts";

const query = `
(comment) @comment
(using_directive) @import
(file_scoped_namespace_declaration name: (_) @package)
(namespace_declaration) @definition.module
(namespace_declaration name: (identifier) @ignore)
(namespace_declaration name: (qualified_name (identifier) @ignore))
(namespace_declaration name: (qualified_name (qualified_name (identifier) @ignore)))

(class_declaration) @definition.class
(record_declaration) @definition.class
(struct_declaration) @definition.struct
(interface_declaration) @definition.interface
(enum_declaration) @definition.enum
(delegate_declaration) @definition.type
(enum_member_declaration) @definition.field
(method_declaration) @definition.function
(local_function_statement) @definition.function
(constructor_declaration) @definition.constructor
(operator_declaration operator: _ @name) @definition.method
(conversion_operator_declaration type: (_) @name) @definition.method
(property_declaration accessors: (_)? @body) @definition.field
(event_declaration) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name))) @definition.field
(field_declaration (variable_declaration type: (_) @type (variable_declarator name: (identifier) @name))) @binding
(record_declaration (parameter_list (parameter) @definition.field))

(lambda_expression) @scope
(anonymous_method_expression) @scope
(accessor_declaration) @scope
(local_declaration_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(local_declaration_statement
  (variable_declaration (variable_declarator name: (identifier) @local (object_creation_expression type: (_) @type))))
(for_statement initializer: (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(using_statement (variable_declaration type: (_) @type (variable_declarator name: (identifier) @local)))
(fixed_statement (variable_declaration (variable_declarator name: (identifier) @local)))
(parameter_list name: (identifier) @local)
(parameter type: (_)? @type name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(implicit_parameter) @local
(foreach_statement type: (_) @type left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(declaration_pattern type: (_) @type name: (identifier) @local)
(var_pattern name: (identifier) @local)
(tuple_pattern name: (identifier) @local)
(parenthesized_variable_designation name: (identifier) @local)
(from_clause name: (identifier) @local)
(let_clause . (identifier) @local)
(type_parameter name: (identifier) @local)
(labeled_statement . (identifier) @ignore)
(argument name: (identifier) @ignore)
(file_scoped_namespace_declaration name: (_) @ignore)

(base_list [
  (identifier) @reference.inherits
  (generic_name . (identifier) @reference.inherits)
  (qualified_name qualifier: (_) @receiver name: (identifier) @reference.inherits)
  (primary_constructor_base_type type: (identifier) @reference.inherits)
])
(object_creation_expression type: (identifier) @reference.call arguments: (_) @arguments)
(object_creation_expression type: (generic_name . (identifier) @reference.call) arguments: (_) @arguments)
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call) arguments: (_) @arguments)
(object_creation_expression type: (identifier) @reference.call)
(invocation_expression function: (identifier) @reference.call arguments: (_) @arguments)
(invocation_expression function: (generic_name . (identifier) @reference.call) arguments: (_) @arguments)
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (identifier) @reference.call) arguments: (_) @arguments)
(invocation_expression
  function: (member_access_expression expression: _ @receiver name: (generic_name . (identifier) @reference.call))
  arguments: (_) @arguments)
(invocation_expression
  function: (conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @reference.call))
  arguments: (_) @arguments)
(conditional_access_expression condition: (_) @receiver (member_binding_expression name: (identifier) @reference.name))
(member_access_expression expression: _ @receiver name: (identifier) @reference.name)
(attribute name: (identifier) @reference.type)
(variable_declaration type: (identifier) @reference.type)
(variable_declaration type: (nullable_type (identifier) @reference.type))
(parameter type: (identifier) @reference.type)
(parameter type: (nullable_type (identifier) @reference.type))
(property_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(cast_expression type: (identifier) @reference.type)
(as_expression right: (identifier) @reference.type)
(typeof_expression type: (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(type_argument_list (identifier) @reference.type)
(generic_name . (identifier) @reference.type)
(declaration_pattern type: (identifier) @reference.type)
(qualified_name qualifier: (_) @receiver name: (identifier) @reference.type)
(identifier) @reference.name
`;

const testAttribute = /\[[^\]]*\b(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/;

export default defineOutline({
  language: "csharp",
  extensions: [".cs"],
  grammar: "tree-sitter-c-sharp/tree-sitter-c_sharp.wasm",
  words: {
    lexis: { ...plainLexis, rawStrings: "csharp", tripleQuotes: true },
    keywords:
      "abstract assert boolean break byte case catch char class continue default do double else enum extends final finally float for if implements import instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws transient true false try void volatile while as base bool checked decimal delegate event explicit extern fixed foreach get implicit in internal is lock namespace object operator out override params readonly ref sbyte sealed set sizeof string struct uint ulong unsafe using var virtual where",
    definitions: {
      roles: {
        class: typeRole("class"),
        record: typeRole("class"),
        struct: typeRole("struct"),
        interface: typeRole("interface"),
        enum: enumRole,
        namespace: { ...moduleRole, needsBody: true },
      },
      members: "declarators",
      declaratorsInFiles: false,
      lines: false,
      commas: false,
      publicWords: ["public", "protected"],
      hasObjects: false,
      hasDirectives: true,
    },
  },
  names: { elsewhere: "anything", bareMembers: true, openModules: true, parent: new Set(["base"]) },
  namedArguments: true,
  query,
  builtin: new Set(["var", "nameof", "value", "_"]),
  isPublic: ({ header, container, kind }) =>
    kind === "module" ||
    /\b(?:public|protected)\b/.test(header.split(/[(=]/, 1)[0] ?? "") ||
    (container !== undefined && (container.kind === "interface" || container.kind === "enum")),
  isTest: ({ kind, attributes }) => kind === "method" && testAttribute.test(attributes),
  isConstant: ({ header }) => /\bconst\b|\bstatic\s+readonly\b/.test(header.split("=", 1)[0] ?? ""),
  parameter: (node: Node) =>
    node.type === "parameter"
      ? (node.childForFieldName("type") ?? node).text
      : node.type === "identifier"
        ? `params ${node.text}`
        : undefined,
  readings: [firstBranches],
  imports: (node: Node): Import[] => {
    const line = node.startPosition.row + 1;
    const alias = node.childForFieldName("name");
    const target =
      node.namedChildren.find((child) => child.id !== alias?.id)?.text.replaceAll(/\s/g, "") ?? "";
    if (alias !== null) return [{ source: target, alias: alias.text, line }];
    return [
      { source: target, name: "*", line, ...(/^\s*global\b/.test(node.text) ? { exported: true } : {}) },
    ];
  },
});
