import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { typeRole, valueRole } from "../lexical/shapes.ts";
import { defineOutline } from "../outline.ts";

const query = `
(comment) @comment
(package_clause (package_identifier) @package)
(import_spec) @import

(function_declaration) @definition.function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @owner))) @definition.method
(type_spec type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec type: (interface_type)) @definition.interface
(type_spec) @definition.type
(type_alias) @definition.type
(call_expression
  function: (selector_expression field: (field_identifier) @_run)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name . (func_literal) @function)
  (#eq? @_run "Run")) @definition.test
(field_declaration name: (field_identifier) @name) @definition.field
(method_elem) @definition.method
(source_file (const_declaration (const_spec name: (identifier) @name) @definition.constant))
(const_spec name: (identifier) @local)
(var_spec name: (identifier) @name type: (_) @type) @binding
(var_spec name: (identifier) @name value: (expression_list . [
  (composite_literal type: (_) @type)
  (unary_expression operand: (composite_literal type: (_) @type))
])) @binding
(var_spec name: (identifier) @name) @binding

(func_literal) @scope
(parameter_declaration name: (identifier) @local type: (_) @type)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier) @local)
(short_var_declaration left: (expression_list . (identifier) @local) right: (expression_list . [
  (composite_literal type: (_) @type)
  (unary_expression operand: (composite_literal type: (_) @type))
]))
(short_var_declaration left: (expression_list (identifier) @local))
(range_clause left: (expression_list (identifier) @local))
(receive_statement left: (expression_list (identifier) @local))
(type_switch_statement alias: (expression_list (identifier) @local))
(label_name) @ignore
(keyed_element key: (literal_element (identifier) @reference.name))

(field_declaration !name type: [
  (type_identifier) @reference.inherits
  (qualified_type package: (_) @receiver name: (_) @reference.inherits)
  (generic_type type: (type_identifier) @reference.inherits)
])
(interface_type (type_elem (type_identifier) @reference.inherits))
(interface_type (type_elem (qualified_type package: (_) @receiver name: (_) @reference.inherits)))
(type_conversion_expression type: (generic_type type: (type_identifier) @reference.call))
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (selector_expression operand: (_) @receiver field: (_) @reference.call) arguments: (_) @arguments)
(call_expression function: (type_instantiation_expression type: (type_identifier) @reference.call) arguments: (_) @arguments)
(composite_literal type: (type_identifier) @reference.call)
(composite_literal type: (qualified_type package: (_) @receiver name: (_) @reference.call))
(qualified_type package: (_) @receiver name: (_) @reference.type)
(selector_expression operand: (_) @receiver field: (_) @reference.name)
(type_identifier) @reference.type
(identifier) @reference.name
`;

export default defineOutline({
  language: "go",
  extensions: [".go"],
  grammar: "tree-sitter-go/tree-sitter-go.wasm",
  words: {
    lexis: { ...plainLexis, backtick: "raw" },
    keywords:
      "break bool byte case chan const continue default defer else err error fallthrough false for func go goto if import int interface len make map nil package range return select string struct switch true type var",
    definitions: {
      roles: {
        func: { kind: "function", opens: "block" },
        type: typeRole("type"),
        var: valueRole("variable"),
        const: valueRole("constant"),
      },
      members: "lines",
      declaratorsInFiles: false,
      lines: true,
      commas: false,
      capitalIsPublic: true,
      hasObjects: false,
      hasDirectives: false,
    },
  },
  names: { self: new Set(), parent: new Set() },
  query,
  builtin: new Set(
    "any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string uint uint8 uint16 uint32 uint64 uintptr iota nil true false _".split(
      " ",
    ),
  ),
  isPublic: ({ name }) => /^\p{Lu}/u.test(name),
  isTest: ({ kind, name, path }) =>
    kind === "test" ||
    (kind === "function" && path.endsWith("_test.go") && /^(?:Test|Fuzz|Example)(?!\p{Ll})/u.test(name)),
  parameter: (node: Node) => (node.childForFieldName("type") ?? node).text,
  imports: (node: Node): Import[] => {
    const source = node.childForFieldName("path")?.text.slice(1, -1) ?? "";
    const name = node.childForFieldName("name");
    const line = node.startPosition.row + 1;
    if (name?.type === "dot") return [{ source, name: "*", line }];
    if (name?.type === "blank_identifier") return [{ source, line }];
    return [{ source, alias: name?.text ?? packageName(source), line }];
  },
});

/**
 * The name that a path binds by default: `a/b/v2` binds `b`, `gopkg.in/yaml.v3` binds `yaml`. The package may declare
 * another.
 */
function packageName(source: string): string {
  const segments = source.split("/");
  const last = segments.pop() ?? source;
  const name = /^v\d+$/.test(last) ? (segments.pop() ?? last) : last;
  return name.replace(/\.v\d+$/, "").replace(/^go-/, "");
}
