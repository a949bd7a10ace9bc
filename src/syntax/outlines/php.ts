import { posix } from "node:path";
import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { callableRole, enumRole, moduleRole, typeRole, valueRole } from "../lexical/shapes.ts";
import { defineOutline, type ModulePlaces } from "../outline.ts";

const query = `
(comment) @comment
(attribute_list) @attribute
(namespace_definition name: (namespace_name) @package)
(namespace_use_declaration) @import
(expression_statement [(require_expression) (require_once_expression) (include_expression) (include_once_expression)]) @import

(class_declaration) @definition.class
(interface_declaration) @definition.interface
(trait_declaration) @definition.trait
(enum_declaration) @definition.enum
(enum_case name: (name) @name) @definition.constant
(function_definition) @definition.function
(method_declaration) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))) @definition.field
(property_promotion_parameter name: (variable_name (name) @name)) @definition.field
(const_element . (name) @name) @definition.constant
(expression_statement (assignment_expression left: (variable_name) @name right: (object_creation_expression (name) @type))) @binding
(expression_statement (assignment_expression left: (variable_name) @name)) @binding

(anonymous_function) @scope
(arrow_function) @scope
(simple_parameter type: (_)? @type name: (variable_name) @local)
(variadic_parameter name: (variable_name) @local)
(property_promotion_parameter type: (_)? @type name: (variable_name) @local)
(foreach_statement (variable_name) @local)
(foreach_statement (pair (variable_name) @local))
(catch_clause name: (variable_name) @local)
(argument name: (name) @ignore)

(base_clause [(name) @reference.inherits (qualified_name (name) @reference.inherits)])
(class_interface_clause [(name) @reference.implements (qualified_name (name) @reference.implements)])
(use_declaration [(name) @reference.inherits (qualified_name (name) @reference.inherits)])
(function_call_expression function: [(name) @reference.call (qualified_name (name) @reference.call)] arguments: (_) @arguments)
(member_call_expression object: (_) @receiver name: (name) @reference.call arguments: (_) @arguments)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call arguments: (_) @arguments)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call arguments: (_) @arguments)
(object_creation_expression [(name) @reference.call (qualified_name (name) @reference.call)] (arguments) @arguments)
(member_access_expression object: (_) @receiver name: (name) @reference.name)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @reference.name)
(class_constant_access_expression . (_) @receiver (name) @reference.name .)
(scoped_property_access_expression scope: (_) @receiver name: (variable_name (name) @reference.name))
(named_type [(name) @reference.type (qualified_name (name) @reference.type)])
(variable_name (name) @ignore)
(name) @reference.name
`;

export default defineOutline({
  language: "php",
  extensions: [".php"],
  grammar: "tree-sitter-php/tree-sitter-php.wasm",
  words: {
    lexis: { ...plainLexis, hash: "comment", singleQuote: "string", longStrings: true },
    keywords:
      "abstract and array as bool break callable case catch class clone const continue declare default do echo else elseif empty enddeclare endfor endforeach endif endswitch endwhile enum extends false final finally float fn for foreach function global goto if implements include include_once instanceof insteadof int interface isset list match mixed namespace new null object or parent print private protected public readonly require require_once return self static string switch this throw trait true try unset use var void while xor yield",
    definitions: {
      roles: {
        class: typeRole("class"),
        interface: typeRole("interface"),
        trait: typeRole("trait"),
        enum: enumRole,
        function: callableRole,
        namespace: { ...moduleRole, needsBody: true },
        const: valueRole("constant"),
      },
      members: "none",
      declaratorsInFiles: false,
      lines: false,
      commas: false,
      privateWords: ["private", "protected"],
      hasObjects: false,
      hasDirectives: false,
    },
  },
  names: {
    self: new Set(["$this", "self", "static"]),
    parent: new Set(["parent"]),
    openModules: true,
    elsewhere: "anything",
  },
  namedArguments: true,
  modules: readModule,
  query,
  builtin: new Set([
    "self",
    "static",
    "parent",
    "strlen",
    "count",
    "isset",
    "empty",
    "array",
    "true",
    "false",
    "null",
  ]),
  constructors: ["__construct"],
  isPublic: ({ header }) => !/\b(?:private|protected)\b/.test(header),
  isTest: ({ kind, name, path, attributes }) =>
    kind === "method" &&
    (/^test/i.test(name) || /\bTest\b/.test(attributes)) &&
    /Test(?:Case)?\.php$|(?:^|\/)tests?\//i.test(path),
  isConstant: () => false,
  parameter: (node: Node) => (node.childForFieldName("type") ?? node.childForFieldName("name") ?? node).text,
  imports: readImports,
});

/** Assumes that a class is in a file with the class's name. The first parts of its namespace often have no folders. */
function readModule(source: string, path: string): ModulePlaces {
  if (source.endsWith(".php"))
    return { paths: [posix.join(posix.dirname(path), source)], endings: [posix.basename(source)] };
  const parts = source.replace(/^\\/, "").split("\\");
  const endings = parts.map((_, at) => `${parts.slice(at).join("/")}.php`);
  return { parts, separator: "\\", endings: endings.slice(0, Math.max(1, endings.length - 1)) };
}

function readImports(node: Node): Import[] {
  const line = node.startPosition.row + 1;
  if (node.type === "expression_statement") {
    const source = /["']\/?([^"']+\.php)["']/.exec(node.text)?.[1];
    return source === undefined ? [] : [{ source, line }];
  }
  const text = node.text.replace(/^use\s+(?:function\s+|const\s+)?/, "").replace(/;$/, "");
  const [, prefix = "", group] = /^([\w\\]*\\)\{([\s\S]*)\}$/.exec(text.trim()) ?? [];
  return (group ?? text)
    .split(",")
    .map((clause) => clause.trim())
    .filter((clause) => clause !== "")
    .map((clause) => {
      const [name = "", alias] = clause.replace(/^(?:function|const)\s+/, "").split(/\s+as\s+/i);
      const source = `${prefix}${name}`.replace(/^\\/, "");
      return { source, alias: alias ?? source.split("\\").at(-1) ?? source, line };
    });
}
