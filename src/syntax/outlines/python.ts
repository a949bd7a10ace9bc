import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { type DefinitionFacts, defineOutline } from "../outline.ts";

const query = `
(comment) @comment
(decorator) @attribute
(import_statement) @import
(import_from_statement) @import
(future_import_statement) @ignore

(class_definition) @definition.class
(function_definition) @definition.function
(lambda) @scope
(list_comprehension) @scope
(set_comprehension) @scope
(dictionary_comprehension) @scope
(generator_expression) @scope

(assignment left: (attribute object: (identifier) @_self attribute: (identifier) @name) type: (type)? @type
  (#eq? @_self "self")) @definition.field
(assignment left: (identifier) @name type: (_) @type) @binding
(assignment left: (identifier) @name right: (call function: [(identifier) (attribute)] @type) (#match? @type "(^|[.])[A-Z]")) @binding
(assignment left: (identifier) @name) @binding
(type_alias_statement left: (type (identifier) @name)) @definition.type
(pattern_list (identifier) @binding)
(tuple_pattern (identifier) @binding)
(list_pattern (identifier) @binding)
(list_splat_pattern (identifier) @local)
(dictionary_splat_pattern (identifier) @local)
(named_expression name: (identifier) @local)
(for_statement left: (identifier) @local)
(for_in_clause left: (identifier) @local)
(as_pattern_target (identifier) @local)
(parameters (identifier) @local)
(lambda_parameters (identifier) @local)
(default_parameter name: (identifier) @local)
(typed_default_parameter name: (identifier) @local type: (_) @type)
(typed_parameter . (identifier) @local type: (_) @type)
(keyword_argument name: (identifier) @ignore)
(case_pattern (dotted_name . (identifier) @local .))

(class_definition superclasses: (argument_list [
  (identifier) @reference.inherits
  (attribute object: (_) @receiver attribute: (identifier) @reference.inherits)
  (subscript value: (identifier) @reference.inherits)
  (subscript value: (attribute object: (_) @receiver attribute: (identifier) @reference.inherits))
]))
(call function: (identifier) @reference.call arguments: (_) @arguments)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call) arguments: (_) @arguments)
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(type (identifier) @reference.type)
(type (attribute object: (_) @receiver attribute: (identifier) @reference.type))
(generic_type (identifier) @reference.type)
(attribute object: (_) @receiver attribute: (identifier) @reference.name)
(identifier) @reference.name
`;

export default defineOutline({
  language: "python",
  extensions: [".py", ".pyi"],
  grammar: "tree-sitter-python/tree-sitter-python.wasm",
  words: {
    lexis: {
      ...plainLexis,
      slashComments: false,
      hash: "comment",
      singleQuote: "string",
      tripleQuotes: true,
    },
    keywords:
      "False None True and as assert async await break class cls continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return self try while with yield",
    definitions: "indents",
  },
  names: {
    self: new Set(["self", "cls"]),
    parent: new Set(["super()", "super"]),
    importsAreExports: true,
  },
  namedArguments: true,
  query,
  builtin: new Set(["str", "int", "float", "bool", "bytes", "object", "_"]),
  constructors: ["__init__", "__new__"],
  isPublic: ({ name }) => !name.startsWith("_") || /^__\w+__$/.test(name),
  isTest: ({ kind, name, path, container }) =>
    (kind === "function" || kind === "method") &&
    /^test(?:_|[A-Z]|$)/.test(name) &&
    (container === undefined ||
      container.kind === "class" ||
      /(?:^|\/)(?:test_[^/]*|[^/]*_test|tests?)\.py$/.test(path)),
  isConstant: ({ name, container }: DefinitionFacts) =>
    container === undefined && /^_*[A-Z][A-Z0-9_]*$/.test(name),
  docstring: (body: Node) => {
    const first = body.firstNamedChild;
    const literal = first?.type === "expression_statement" ? first.firstNamedChild : first;
    return literal?.type === "string" ? literal.text : undefined;
  },
  parameter: (node: Node) => {
    if (node.type === "keyword_separator" || node.type === "positional_separator") return undefined;
    if (node.type === "identifier" && (node.text === "self" || node.text === "cls")) return undefined;
    const part = node.childForFieldName("type") ?? node.childForFieldName("name");
    return (part ?? node).text;
  },
  imports: readImport,
  finish: (definitions) => {
    for (const one of definitions)
      if (one.kind === "class" && /\((?:\w+\.)?(?:Int|Str)?(?:Enum|Flag)\b/.test(one.signature))
        one.kind = "enum";
  },
});

function readImport(node: Node, path: string): Import[] {
  const line = node.startPosition.row + 1;
  const names = node.childrenForFieldName("name").filter((one) => one !== null);
  if (node.type === "import_statement") return names.map((name) => ({ line, ...moduleImport(name) }));
  const source = node.childForFieldName("module_name")?.text.replaceAll(/\s/g, "") ?? "";
  // An `__init__.py` exports what it imports.
  const again = path.endsWith("__init__.py") ? { exported: true } : {};
  if (names.length === 0) return [{ line, source, name: "*", ...again }];
  return names.map((one) => {
    const name = one.childForFieldName("name")?.text ?? one.text;
    return { line, source, name, alias: one.childForFieldName("alias")?.text ?? name, ...again };
  });
}

/** The source and the bound name: `import a.b` binds `a`, `import a.b as c` binds the module itself to `c`. */
function moduleImport(name: Node): Pick<Import, "source" | "alias"> {
  const alias = name.childForFieldName("alias")?.text;
  if (alias !== undefined) return { source: name.childForFieldName("name")?.text ?? name.text, alias };
  return { source: name.text, alias: name.text.split(".", 1)[0] ?? name.text };
}
