import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { callableRole, enumRole, moduleRole, typeRole, valueRole } from "../lexical/shapes.ts";
import { defineOutline } from "../outline.ts";
import { readUse } from "./rust-use.ts";

const query = `
(line_comment) @comment
(block_comment) @comment
(attribute_item) @attribute
(use_declaration) @import
(mod_item !body) @import
(extern_crate_declaration) @import

(mod_item body: (_)) @definition.module
(struct_item) @definition.struct
(union_item) @definition.struct
(enum_item) @definition.enum
(trait_item) @definition.trait
(type_item) @definition.type
(associated_type) @definition.type
(function_item) @definition.function
(function_signature_item) @definition.function
(macro_definition) @definition.macro
(enum_variant) @definition.field
(field_declaration) @definition.field
(const_item) @definition.constant
(static_item) @definition.variable
(impl_item trait: (_)? @type type: (_) @owner) @block

(closure_expression) @scope
(closure_parameters (identifier) @local)
(parameter pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local type: (_) @type)
(let_declaration pattern: (identifier) @local value: (struct_expression name: (_) @type))
(let_declaration pattern: (identifier) @local value: (call_expression function: (scoped_identifier path: (_) @type name: (identifier) @_new))
  (#match? @_new "^(new|default|from|with_)"))
(let_declaration pattern: (identifier) @local)
(for_expression pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(slice_pattern (identifier) @local)
(ref_pattern (identifier) @local)
(mut_pattern (identifier) @local)
(reference_pattern (identifier) @local)
(captured_pattern . (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(field_pattern pattern: (identifier) @local)
(match_pattern . (identifier) @local (#match? @local "^[a-z_]"))
(type_parameter name: (type_identifier) @local)
(lifetime (identifier) @ignore)
(label (identifier) @ignore)
(attribute_item) @ignore
(inner_attribute_item) @ignore

(impl_item trait: (type_identifier) @reference.implements)
(impl_item trait: (generic_type type: (type_identifier) @reference.implements))
(impl_item trait: (scoped_type_identifier path: (_) @receiver name: (_) @reference.implements))
(impl_item trait: (generic_type type: (scoped_type_identifier path: (_) @receiver name: (_) @reference.implements)))
(trait_item bounds: (trait_bounds (type_identifier) @reference.inherits))
(trait_item bounds: (trait_bounds (generic_type type: (type_identifier) @reference.inherits)))
(trait_item bounds: (trait_bounds (scoped_type_identifier path: (_) @receiver name: (_) @reference.inherits)))
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (scoped_identifier path: (_) @receiver name: (_) @reference.call) arguments: (_) @arguments)
(call_expression function: (field_expression value: (_) @receiver field: (_) @reference.call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (generic_function function: (scoped_identifier path: (_) @receiver name: (_) @reference.call)) arguments: (_) @arguments)
(call_expression function: (generic_function function: (field_expression value: (_) @receiver field: (_) @reference.call)) arguments: (_) @arguments)
(macro_invocation macro: (identifier) @reference.call)
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (_) @reference.call))
(struct_expression name: (type_identifier) @reference.call)
(struct_expression name: (scoped_type_identifier path: (_) @receiver name: (_) @reference.call))
(token_tree (identifier) @receiver . ["::" "."] . (identifier) @reference.call . (token_tree) @_arguments
  (#match? @_arguments "^[(]"))
(token_tree (identifier) @reference.call . (token_tree) @_arguments (#match? @_arguments "^[(]"))
(field_expression value: (_) @receiver field: (field_identifier) @reference.name)
(scoped_identifier path: (_) @receiver name: (_) @reference.name)
(scoped_type_identifier path: (_) @receiver name: (_) @reference.type)
(type_identifier) @reference.type
(shorthand_field_initializer (identifier) @reference.name)
(identifier) @reference.name
`;

const testAttribute = /#\[\s*(?:[\w:]+::)?(?:test|rstest|test_case|quickcheck|proptest|wasm_bindgen_test)\b/;

export default defineOutline({
  language: "rust",
  extensions: [".rs"],
  grammar: "tree-sitter-rust/tree-sitter-rust.wasm",
  words: {
    lexis: {
      ...plainLexis,
      nestedComments: true,
      singleQuote: "lifetime",
      longStrings: true,
      rawStrings: "rust",
    },
    keywords:
      "Self as async await bool break const continue crate dyn else enum extern false fn for i32 if impl in let loop match mod move mut pub ref return self static str struct super trait true type u32 u8 unsafe use usize where while",
    definitions: {
      roles: {
        fn: callableRole,
        struct: typeRole("struct"),
        union: typeRole("struct"),
        enum: enumRole,
        trait: typeRole("trait"),
        impl: { kind: "module", opens: "type", anywhere: true },
        type: { ...valueRole("type"), anywhere: true },
        mod: { ...moduleRole, needsBody: true },
        const: { ...valueRole("constant"), anywhere: true },
        static: { ...valueRole("variable"), anywhere: true },
        macro_rules: { kind: "macro", opens: "block", anywhere: true },
      },
      members: "colon",
      declaratorsInFiles: false,
      lines: false,
      commas: true,
      publicWords: ["pub"],
      hasObjects: false,
      hasDirectives: false,
    },
  },
  names: {
    elsewhere: "macros",
    membersNeedType: true,
    self: new Set(["self", "Self"]),
    parent: new Set(),
  },
  query,
  builtin: new Set(["bool", "char", "str"]),
  isPublic: ({ header, container, kind, keepsPromise }) =>
    keepsPromise ||
    /^\s*pub\b/.test(header) ||
    (container?.isPublic === true &&
      (container.kind === "trait" || (container.kind === "enum" && kind === "field"))),
  isTest: ({ kind, attributes }) =>
    (kind === "function" || kind === "method") && testAttribute.test(attributes),
  parameter: (node: Node) =>
    node.type === "self_parameter" || node.type === "attribute_item"
      ? undefined
      : (node.childForFieldName("type") ?? node).text,
  imports: (node: Node): Import[] => readUse(node),
});
