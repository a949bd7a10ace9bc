import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { defineOutline, type MutableDefinition } from "../outline.ts";

const query = `
(comment) @comment
(chunk (return_statement (expression_list (identifier) @export)))
(function_call name: (identifier) @_require arguments: (arguments . (string)) (#eq? @_require "require")) @import
(variable_declaration (assignment_statement (variable_list . (identifier))
  (expression_list . (function_call name: (identifier) @_require arguments: (arguments . (string))))) (#eq? @_require "require")) @import

(function_declaration name: (identifier) @name) @definition.function
(function_declaration name: (dot_index_expression table: (_) @owner field: (identifier) @name)) @definition.function
(function_declaration name: (method_index_expression table: (_) @owner method: (identifier) @name)) @definition.method
(variable_declaration (assignment_statement (variable_list . (identifier) @name) (expression_list . (function_definition) @function))) @definition.function
(assignment_statement (variable_list . (identifier) @name) (expression_list . (function_definition) @function)) @definition.function
(assignment_statement
  (variable_list . (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . (function_definition) @function)) @definition.function
(field name: (identifier) @name value: (function_definition) @function) @definition.function
(function_call
  name: (identifier) @_callee
  arguments: (arguments . (string) @name . (function_definition) @function)
  (#match? @_callee "^(it|describe|test|context|pending|spec)$")) @definition.test
(assignment_statement (variable_list . (dot_index_expression table: (identifier) @_self field: (identifier) @name))
  (#eq? @_self "self")) @definition.field
(chunk (assignment_statement
  (variable_list . (dot_index_expression table: (identifier) @owner field: (identifier) @name)) (expression_list)) @definition.field
  (#not-match? @name "^__"))
(variable_declaration (assignment_statement (variable_list . (identifier) @name)
  (expression_list . (function_call name: [
    (dot_index_expression table: (identifier) @type field: (identifier) @_new)
    (method_index_expression table: (identifier) @type method: (identifier) @_new)
  ]))) (#eq? @_new "new")) @binding
(variable_declaration (variable_list (identifier) @name)) @binding
(variable_declaration (assignment_statement (variable_list (identifier) @name))) @binding
(chunk (assignment_statement (variable_list . (identifier) @name)) @binding)
(chunk (variable_declaration (assignment_statement
  (variable_list . (identifier)) (expression_list . (table_constructor (field name: (identifier) @name) @definition.field)))))

(function_definition) @scope
(parameters name: (identifier) @local)
(for_generic_clause (variable_list name: (identifier) @local))
(for_numeric_clause name: (identifier) @local)
(field name: (identifier) @ignore)
(label_statement (identifier) @ignore)
(goto_statement (identifier) @ignore)
(attribute (identifier) @ignore)

(function_call name: (identifier) @_setmetatable
  arguments: (arguments (table_constructor (field name: (identifier) @_index value: (identifier) @reference.inherits)))
  (#eq? @_setmetatable "setmetatable") (#eq? @_index "__index"))
(variable_declaration (assignment_statement (expression_list . (function_call
  name: (method_index_expression table: (identifier) @reference.inherits method: (identifier) @_extend))))
  (#match? @_extend "^(extend|subclass)$"))
(variable_declaration (assignment_statement (expression_list . (function_call
  name: (identifier) @_class arguments: (arguments (identifier) @reference.inherits))))
  (#eq? @_class "class"))
(function_call name: (identifier) @reference.call arguments: (_) @arguments)
(function_call name: (dot_index_expression table: (_) @receiver field: (_) @reference.call) arguments: (_) @arguments)
(function_call name: (method_index_expression table: (_) @receiver method: (_) @reference.call) arguments: (_) @arguments)
(dot_index_expression table: (_) @receiver field: (_) @reference.name)
(identifier) @reference.name
`;

export default defineOutline({
  language: "lua",
  extensions: [".lua"],
  grammar: "@tree-sitter-grammars/tree-sitter-lua/tree-sitter-lua.wasm",
  words: {
    lexis: {
      ...plainLexis,
      slashComments: false,
      dashComments: true,
      singleQuote: "string",
      rawStrings: "lua",
    },
    keywords:
      "and break do else elseif end false for function goto if in local nil not or repeat return self then true until while",
    definitions: "ends",
  },
  names: { elsewhere: "anything", self: new Set(["self"]), linked: true, returnsTable: true },
  query,
  // Dots are folders; where the search path begins is not written anywhere.
  modules: (source) => {
    const path = source.replaceAll(".", "/").replace(/^\/+/, "");
    return { endings: [`${path}.lua`, `${path}/init.lua`] };
  },
  constructors: ["new"],
  builtin: new Set(["self", "_"]),
  isPublic: ({ name, header, owner, container }) =>
    !name.startsWith("_") &&
    (owner !== undefined || (!/^\s*local\b/.test(header) && container?.isPublic !== false)),
  isTest: ({ kind, name, header, path }) =>
    kind === "test"
      ? !/^\s*(?:describe|context)\b/.test(header)
      : kind !== "field" &&
        /^test/i.test(name) &&
        /(?:^|\/)(?:test_?[^/]*|[^/]*_test|[^/]*_spec)\.lua$/.test(path),
  isConstant: ({ name }) => /^[A-Z][A-Z0-9_]+$/.test(name),
  parameter: (node: Node) => (node.type === "identifier" && node.text === "self" ? undefined : node.text),
  imports: (node: Node): Import[] => {
    const line = node.startPosition.row + 1;
    const source = /require\s*\(?\s*["']([^"']+)["']/.exec(node.text)?.[1] ?? "";
    const alias = /^\s*(?:local\s+)?([\w]+)\s*(?:<\w+>\s*)?=/.exec(node.text)?.[1];
    return source === "" ? [] : [{ source, line, ...(alias === undefined ? {} : { alias }) }];
  },
  finish: (definitions) => {
    for (const one of definitions) promote(one, definitions);
  },
});

/** Makes a table a class if it has methods, is its own index, or inherits. */
function promote(one: MutableDefinition, definitions: readonly MutableDefinition[]): void {
  const table = definitions[one.container];
  if (table?.kind !== "variable" || one.owner !== table.name) return;
  const isMethod = one.kind === "method" || one.kind === "constructor";
  if (isMethod || one.name === "__index" || one.name === "new") table.kind = "class";
}
