import { defineDialect, type Role } from "../dialect.ts";
import javascript, { javascriptRoles } from "./javascript.ts";

const typeKinds = [
  "type_annotation",
  "type_arguments",
  "type_parameters",
  "type_query",
  "generic_type",
  "union_type",
  "intersection_type",
  "object_type",
  "function_type",
  "array_type",
  "tuple_type",
  "literal_type",
  "lookup_type",
  "conditional_type",
  "template_literal_type",
  "index_type_query",
  "predefined_type",
  "nested_type_identifier",
  "type_predicate_annotation",
  "asserts_annotation",
  "interface_declaration",
  "type_alias_declaration",
  "ambient_declaration",
  "function_signature",
  "method_signature",
  "abstract_method_signature",
  "import_alias",
];

const roles: Record<string, Role> = {
  ...javascriptRoles,
  as_expression: "cast",
  satisfies_expression: "cast",
  non_null_expression: "cast",
  type_assertion: "cast",
  abstract_class_declaration: "class",
  public_field_definition: "statement",
  enum_declaration: "statement",
  internal_module: "statement",
  ...Object.fromEntries(typeKinds.map((kind): [string, Role] => [kind, "type"])),
};

/** The dialect of TypeScript and TSX, whose grammars have the same kinds. */
export default defineDialect({
  ...javascript,
  language: "typescript",
  zeroIsFalse: true,
  roles,
  bindings: [
    ...javascript.bindings,
    { kind: "abstract_class_declaration", fields: ["name"], as: "class", visible: "around" },
    { kind: "enum_declaration", fields: ["name"], as: "class", visible: "around" },
  ],
});
