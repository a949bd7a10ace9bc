import { posix } from "node:path";
import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { defineOutline, type MutableDefinition } from "../outline.ts";

const query = `
(comment) @comment
(call method: (identifier) @_require arguments: (argument_list . (string))
  (#match? @_require "^(require|require_relative|load|autoload)$")) @import

(class name: [(constant) (scope_resolution)] @name) @definition.class
(module name: [(constant) (scope_resolution)] @name) @definition.module
(method name: (_) @name) @definition.method
(singleton_method name: (_) @name) @definition.method
(call method: (identifier) @_declare arguments: (argument_list (simple_symbol) @name @definition.field)
  (#match? @_declare "^(attr_reader|attr_writer|attr_accessor|cattr_accessor|mattr_accessor|class_attribute)$"))
(call !receiver method: (identifier) @_define arguments: (argument_list . (simple_symbol) @name)
  (#match? @_define "^(define_method|let|let!|subject)$")) @definition.method
(call !receiver method: (identifier) @_test arguments: (argument_list . (_) @name) block: (_) @body
  (#match? @_test "^(it|specify|example|scenario|test|should|describe|context|feature)$")) @definition.test
(call receiver: (constant) @_rspec method: (identifier) @_describe arguments: (argument_list . (_) @name) block: (_) @body
  (#eq? @_rspec "RSpec") (#match? @_describe "^(describe|context|feature|shared_examples)$")) @definition.test
(assignment left: (constant) @name right: (call receiver: (constant) @_struct method: (identifier) @_new)
  (#match? @_struct "^(Struct|Class|Data|Module)$")) @definition.class
(assignment left: (constant) @name) @binding
(assignment left: (instance_variable) @name) @definition.field
(operator_assignment left: (instance_variable) @name) @definition.field
(assignment left: (class_variable) @name) @definition.field
(assignment left: (identifier) @name right: (call receiver: (constant) @type method: (identifier) @_made)
  (#eq? @_made "new")) @binding
(assignment left: (identifier) @name) @binding
(operator_assignment left: (identifier) @name) @binding
(left_assignment_list (identifier) @binding)
(global_variable) @ignore

(do_block) @scope
(block) @scope
(lambda) @scope
(method_parameters (identifier) @local)
(block_parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(destructured_parameter (identifier) @local)
(optional_parameter name: (identifier) @local)
(keyword_parameter name: (identifier) @local)
(splat_parameter name: (identifier) @local)
(hash_splat_parameter name: (identifier) @local)
(block_parameter name: (identifier) @local)
(exception_variable (identifier) @local)
(for pattern: (identifier) @local)

(superclass [(constant) @reference.inherits (scope_resolution scope: (_) @receiver name: (constant) @reference.inherits)])
(call !receiver method: (identifier) @_include arguments: (argument_list [
    (constant) @reference.inherits
    (scope_resolution scope: (_) @receiver name: (constant) @reference.inherits)
  ]) (#match? @_include "^(include|extend|prepend)$"))
(call receiver: (constant) @reference.call method: (identifier) @_new arguments: (_)? @arguments (#eq? @_new "new"))
(call receiver: (_) @receiver method: [(identifier) (constant)] @reference.call arguments: (_)? @arguments)
(call !receiver method: [(identifier) (constant)] @reference.call arguments: (_)? @arguments)
(scope_resolution scope: (_) @receiver name: (constant) @reference.name)
(block_argument (simple_symbol) @ignore)
(instance_variable) @reference.name
(class_variable) @reference.name
(constant) @reference.name
(identifier) @reference.call
`;

export default defineOutline({
  language: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru"],
  grammar: "tree-sitter-ruby/tree-sitter-ruby.wasm",
  words: {
    lexis: { ...plainLexis, slashComments: false, hash: "comment", singleQuote: "string", longStrings: true },
    keywords:
      "BEGIN END alias and begin break case class def defined do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield",
    definitions: "indents-and-ends",
  },
  names: {
    self: new Set(["self"]),
    parent: new Set(["super"]),
    bareMembers: true,
    openModules: true,
    linked: true,
    elsewhere: "anything",
  },
  namedArguments: true,
  modules: (source, path) =>
    source.startsWith(".")
      ? { paths: endingsOf(posix.join(posix.dirname(path), source)) }
      : { paths: endingsOf(`lib/${source}`), endings: endingsOf(source) },
  query,
  constructors: ["initialize"],
  builtin: new Set([
    "self",
    "super",
    "_",
    "nil",
    "private",
    "protected",
    "public",
    "attr_reader",
    "attr_writer",
    "attr_accessor",
  ]),
  isPublic: ({ kind, name }) => kind !== "field" || !name.startsWith("@"),
  isTest: ({ kind, name, path, header }) =>
    kind === "test"
      ? !/^\s*(?:RSpec\.)?(?:describe|context|feature|shared_examples)\b/.test(header)
      : kind === "method" &&
        /^test_/.test(name) &&
        /(?:^|\/)(?:test|tests)\/|(?:_test|\/test_\w+)\.rb$/.test(path),
  isConstant: ({ name }) => /^[A-Z]/.test(name),
  parameter: (node: Node) => node.text,
  imports: (node: Node): Import[] => {
    const words = node.childForFieldName("arguments");
    const literals = (words?.namedChildren ?? []).filter((one) => one?.type === "string");
    const source = literals.at(-1)?.text.replace(/^["']|["']$/g, "") ?? "";
    const isRelative = node.childForFieldName("method")?.text === "require_relative";
    const line = node.startPosition.row + 1;
    if (source === "") return [];
    return [{ source: isRelative && !source.startsWith(".") ? `./${source}` : source, line }];
  },
  finish: (definitions) => hideBelow(definitions),
});

function endingsOf(path: string): string[] {
  return /\.r[bu]$/.test(path) ? [path] : [`${path}.rb`];
}

/** Removes a symbol's colon and a string's quotes, which are not part of a name. */
function hideBelow(definitions: MutableDefinition[]): void {
  for (const one of definitions) one.name = one.name.replace(/^:|^["'](.*)["']$/s, "$1");
}
