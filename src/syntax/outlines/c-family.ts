/** Shared parts of the C and C++ outlines. */

import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";
import type { Lexicon } from "../lexical/lexicon.ts";
import { plainLexis } from "../lexical/lexis.ts";
import { enumRole, type Shape, typeRole } from "../lexical/shapes.ts";
import type { NameRules } from "../name-rules.ts";
import type { DefinitionFacts } from "../outline.ts";

/** A declarator around a name, alone or inside pointers, arrays and references. */
const wrapped = (inner: string, isCpp: boolean): string[] => [
  inner,
  `(pointer_declarator declarator: ${inner})`,
  `(pointer_declarator declarator: (pointer_declarator declarator: ${inner}))`,
  ...(isCpp ? [`(reference_declarator ${inner})`] : []),
];

const withArrays = (inner: string, isCpp: boolean): string[] => [
  ...wrapped(inner, isCpp),
  `(array_declarator declarator: ${inner})`,
  `(array_declarator declarator: (array_declarator declarator: ${inner}))`,
  `(array_declarator declarator: (pointer_declarator declarator: ${inner}))`,
  `(pointer_declarator declarator: (array_declarator declarator: ${inner}))`,
  `(function_declarator declarator: (parenthesized_declarator (pointer_declarator declarator: ${inner})))`,
];

const functionOf = (name: string): string =>
  `(function_declarator declarator: ${name} parameters: (_) @parameters)`;

/** Returns the query for a function's definition or prototype, with any return type. */
export function functions(node: string, name: string, subject: string, isCpp: boolean): string {
  return `(${node} declarator: [${wrapped(functionOf(name), isCpp).join("\n")}]) ${subject}`;
}

export const cFamilyDefinitions = (isCpp: boolean): string => `
(comment) @comment
(preproc_include) @import
(preproc_function_def) @definition.macro
(preproc_def name: (_) @name value: (_)) @definition.constant
(preproc_def name: (_) @ignore)
(preproc_ifdef name: (_) @ignore)
(preproc_params (identifier) @local)

(function_definition declarator: (function_declarator declarator: (identifier) @_macro parameters: (_) @name)
  (#match? @_macro "^(TEST|TEST_F|TEST_P|TYPED_TEST|TYPED_TEST_P|BOOST_AUTO_TEST_CASE|BOOST_FIXTURE_TEST_CASE|UTEST|CTEST)$")) @definition.test
((expression_statement (call_expression function: (identifier) @_macro arguments: (argument_list . (string_literal) @name)))
  . (compound_statement) @definition.test
  (#match? @_macro "^(TEST_CASE|SCENARIO|SECTION|SUBCASE|TEST_CASE_METHOD)$"))
${functions("function_definition", "(identifier) @name", "@definition.function", isCpp)}
${functions("declaration", "(identifier) @name", "@prototype.function", isCpp)}
(type_definition type: (struct_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (union_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.struct
(type_definition type: (enum_specifier !name body: (_) @body) declarator: (type_identifier) @name) @definition.enum
(type_definition declarator: [${withArrays("(type_identifier) @name", isCpp).join("\n")}]) @definition.type
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.struct
(enum_specifier name: (_) @name body: (_) @body) @definition.enum
(enumerator) @definition.field
(field_declaration declarator: [${withArrays("(field_identifier) @name", isCpp).join("\n")}]) @definition.field
(parameter_declaration type: (_) @type declarator: [${withArrays("(identifier) @local", isCpp).join("\n")}])
(declaration declarator: [${withArrays("(identifier) @name", isCpp).join("\n")}]) @binding
(declaration declarator: (init_declarator declarator: [${withArrays("(identifier) @name", isCpp).join("\n")}])) @binding
`;

export const cFamilyReferences = `
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: (field_identifier) @reference.call) arguments: (_) @arguments)
(field_expression argument: (_) @receiver field: (field_identifier) @reference.name)
(field_designator (field_identifier) @reference.name)
(type_identifier) @reference.type
(identifier) @reference.name
`;

export function readInclude(node: Node): Import[] {
  const path = node.childForFieldName("path");
  const written = path?.text ?? "";
  return [
    { source: written.startsWith('"') ? written.slice(1, -1) : written, line: node.startPosition.row + 1 },
  ];
}

/**
 * Returns the type of a parameter, or the parameter's text if it states no type. Undefined for `(void)`, which means no
 * parameters.
 */
export function cParameter(node: Node): string | undefined {
  const type = node.childForFieldName("type")?.text ?? node.text;
  return node.text === "void" ? undefined : type;
}

const testFile = /(?:^|\/)(?:tests?\/.*|test_[^/]*|[^/]*_tests?|tests?)\.(?:c|cc|cpp|cxx)$|(?:^|\/)tests?\//;

export function isCFamilyTest({ kind, name, path, header }: DefinitionFacts): boolean {
  if (kind === "test") return !/^\s*(?:SECTION|SUBCASE)\b/.test(header);
  return kind === "function" && /^test(?:_|[A-Z0-9])/.test(name) && testFile.test(path);
}

export const cTypes: Shape["roles"] = {
  struct: { ...typeRole("struct"), needsBody: true },
  union: { ...typeRole("struct"), needsBody: true },
  enum: { ...enumRole, needsBody: true },
};

export const cWords = {
  lexis: plainLexis,
  keywords:
    "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while define ifdef ifndef endif include undef elif pragma NULL",
  definitions: {
    roles: cTypes,
    members: "declarators",
    declaratorsInFiles: true,
    lines: false,
    commas: false,
    privateWords: ["static"],
    hasObjects: false,
    hasDirectives: true,
  },
} satisfies Lexicon;

export const cNames: NameRules = {
  elsewhere: "anything",
  bareMembers: true,
  openModules: true,
  importsAreExports: true,
  linked: true,
  hasHeaders: true,
};
