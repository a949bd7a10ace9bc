import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { enumRole, typeRole } from "../lexical/shapes.ts";
import { defineOutline } from "../outline.ts";

const supertypes = (around: string, close = ""): string => `
(${around} (type_identifier) @reference.inherits)${close}
(${around} (generic_type (type_identifier) @reference.inherits))${close}
(${around} (scoped_type_identifier (_) @receiver (type_identifier) @reference.inherits .))${close}
`;

const query = `
(line_comment) @comment
(block_comment) @comment
(package_declaration (_) @package)
(import_declaration) @import

(class_declaration) @definition.class
(record_declaration) @definition.class
(enum_declaration) @definition.enum
(interface_declaration) @definition.interface
(annotation_type_declaration) @definition.interface
(method_declaration) @definition.function
(annotation_type_element_declaration) @definition.method
(constructor_declaration) @definition.constructor
(compact_constructor_declaration) @definition.constructor
(enum_constant) @definition.field
(record_declaration parameters: (formal_parameters (formal_parameter) @definition.field))
(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @binding
(constant_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @name)) @definition.constant

(lambda_expression) @scope
(local_variable_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @local))
(local_variable_declaration
  declarator: (variable_declarator name: (identifier) @local value: (object_creation_expression type: (_) @type)))
(formal_parameter type: (_) @type name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement type: (_) @type name: (identifier) @local)
(resource type: (_) @type name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
(instanceof_expression right: (_) @type name: (identifier) @local)
(type_pattern (identifier) @local)
(type_parameter (type_identifier) @local)
(labeled_statement . (identifier) @ignore)
(break_statement (identifier) @ignore)
(continue_statement (identifier) @ignore)
(element_value_pair key: (identifier) @ignore)

${supertypes("superclass")}
${supertypes("super_interfaces (type_list", ")")}
${supertypes("extends_interfaces (type_list", ")")}
(object_creation_expression type: (type_identifier) @reference.call arguments: (_) @arguments)
(object_creation_expression type: (generic_type (type_identifier) @reference.call) arguments: (_) @arguments)
(object_creation_expression type: (scoped_type_identifier (_) @receiver (type_identifier) @reference.call .) arguments: (_) @arguments)
(method_invocation object: (_) @receiver name: (identifier) @reference.call arguments: (_) @arguments)
(method_invocation name: (identifier) @reference.call arguments: (_) @arguments)
(method_reference . (_) @receiver (identifier) @reference.name .)
(field_access object: (_) @receiver field: (identifier) @reference.name)
(marker_annotation name: (identifier) @reference.type)
(annotation name: (identifier) @reference.type)
(scoped_type_identifier (_) @receiver (type_identifier) @reference.type .)
(type_identifier) @reference.type
(identifier) @reference.name
`;

const testAnnotation =
  /@(?:[\w.]+\.)?(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate|Property|Theory)\b/;

export default defineOutline({
  language: "java",
  extensions: [".java"],
  grammar: "tree-sitter-java/tree-sitter-java.wasm",
  words: {
    lexis: { ...plainLexis, tripleQuotes: true },
    keywords:
      "abstract assert boolean break byte case catch char class continue default do double else enum extends final finally float for if implements import instanceof int interface long native new null package private protected public return short static super switch synchronized this throw throws transient true false try void volatile while",
    definitions: {
      roles: {
        class: typeRole("class"),
        record: typeRole("class"),
        interface: typeRole("interface"),
        enum: enumRole,
      },
      members: "declarators",
      declaratorsInFiles: false,
      lines: false,
      commas: false,
      publicWords: ["public", "protected"],
      hasObjects: false,
      hasDirectives: false,
    },
  },
  names: { bareMembers: true },
  query,
  builtin: new Set(["var"]),
  isPublic: ({ header, container, kind }) =>
    /\b(?:public|protected)\b/.test(header) ||
    (container !== undefined &&
      (container.kind === "interface" || (container.kind === "enum" && kind === "field")) &&
      !/\bprivate\b/.test(header)),
  isTest: ({ kind, name, header, attributes, path }) =>
    kind === "method" &&
    (testAnnotation.test(attributes) ||
      (/^test[A-Z_]/.test(name) && /\bpublic\s+void\b/.test(header) && /Tests?\.java$/.test(path))),
  isConstant: ({ header }) => /\bstatic\b[^=]*\bfinal\b|\bfinal\b[^=]*\bstatic\b/.test(header),
  imports: (node: Node): Import[] => {
    const line = node.startPosition.row + 1;
    const path =
      node.namedChildren.find((child) => /identifier$/.test(child.type))?.text.replaceAll(/\s/g, "") ?? "";
    if (node.namedChildren.some((child) => child.type === "asterisk"))
      return [{ source: path, name: "*", line }];
    const dot = path.lastIndexOf(".");
    const name = path.slice(dot + 1);
    return [{ source: path.slice(0, Math.max(dot, 0)), name, alias: name, line }];
  },
});
