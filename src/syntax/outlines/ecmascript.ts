/** Shared parts of the JavaScript, TypeScript and TSX outlines. */

import type { Lexicon } from "../lexical/lexicon.ts";
import { type Lexis, plainLexis } from "../lexical/lexis.ts";
import {
  aliasRole,
  callableRole,
  enumRole,
  moduleRole,
  type Shape,
  typeRole,
  valueRole,
} from "../lexical/shapes.ts";
import type { NameRules } from "../name-rules.ts";
import type { DefinitionFacts, Outline } from "../outline.ts";
import { readEcmascriptImport } from "./ecmascript-imports.ts";

/** Members of a table in the file: `const Size = { SMALL: 1 }`, frozen or not. */
const tables = ["program", "export_statement"]
  .flatMap((around) => {
    const members = "(object (pair key: (property_identifier) @name) @definition.field)";
    const frozen = `(call_expression arguments: (arguments . ${members}))`;
    return [members, frozen].map(
      (value) => `(${around} (lexical_declaration (variable_declarator value: ${value})))`,
    );
  })
  .join("\n");

/** Definitions and variables. `FIELD` stands for the node kind of a class field, with the field that names it. */
const definitions = (fieldKind: string, fieldName: string): string => `
(comment) @comment
(decorator) @attribute
(import_statement) @import
(export_statement source: (string)) @import
(export_statement value: (identifier) @export)
(export_statement (export_clause (export_specifier name: (identifier) @export)))
(variable_declarator value: (call_expression function: (identifier) @_require arguments: (arguments . (string) .))
  (#eq? @_require "require")) @import
(variable_declarator value: (member_expression object: (call_expression function: (identifier) @_require arguments: (arguments . (string) .)))
  (#eq? @_require "require")) @import
(call_expression function: (identifier) @_require arguments: (arguments . (string) .) (#eq? @_require "require")) @import
(call_expression function: (import)) @import
(assignment_expression left: (member_expression) @_exports right: (identifier) @export (#match? @_exports "^(module[.]exports|exports[.])"))
(assignment_expression left: (member_expression) @_exports right: (object (shorthand_property_identifier) @export)
  (#eq? @_exports "module.exports"))
(assignment_expression left: (member_expression) @_exports right: (object (pair value: (identifier) @export))
  (#eq? @_exports "module.exports"))

(class_declaration) @definition.class
(function_declaration) @definition.function
(generator_function_declaration) @definition.function
(class_body (method_definition) @definition.function)
(object (method_definition) @definition.method)
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(variable_declarator name: (identifier) @name value: [
  (arrow_function) (function_expression) (generator_function)
] @function) @definition.function
(${fieldKind} ${fieldName}: (_) @name value: [(arrow_function) (function_expression)] @function) @definition.method
(pair key: (property_identifier) @name value: [(arrow_function) (function_expression)] @function) @definition.function
(assignment_expression
  left: (member_expression object: (this) property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] @function) @definition.field
(assignment_expression
  left: (member_expression object: (member_expression object: (_) @owner property: (property_identifier) @_prototype) property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] @function
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression object: (identifier) @_exports property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (class)] @function
  (#eq? @_exports "exports")) @definition.function
(assignment_expression
  left: (member_expression object: (member_expression) @_exports property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (class)] @function
  (#eq? @_exports "module.exports")) @definition.function
(program (expression_statement (assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] @function) @definition.function))
(expression_statement (assignment_expression right: (assignment_expression
  left: (member_expression object: (identifier) @owner property: (property_identifier) @name)
  right: [(arrow_function) (function_expression)] @function) @definition.function))
(assignment_expression
  left: (member_expression object: (identifier) @_module property: (property_identifier) @name)
  right: [(arrow_function) (function_expression) (class)] @function
  (#eq? @_module "module")) @definition.function
(export_statement "default" @name value: [(arrow_function) (function_expression) (class)] @function) @definition.function
(arguments (function_expression name: (identifier)) @definition.function)
(return_statement (function_expression name: (identifier)) @definition.function)
(assignment_expression left: (member_expression object: (this) property: (_) @name)) @definition.field
${tables}
(call_expression
  function: [
    (identifier) @_callee
    (member_expression object: (identifier) @_callee)
    (member_expression property: (property_identifier) @_callee)
    (call_expression function: (member_expression object: (identifier) @_callee))
  ]
  arguments: (arguments . [(string) (template_string)] @name
    [(arrow_function) (function_expression)] @function)
  (#match? @_callee "^(it|test|describe|suite|context|specify|xit|xtest|fit|xdescribe|fdescribe|bench)$")) @definition.test

(arrow_function) @scope
(function_expression) @scope
(generator_function) @scope
(arrow_function parameter: (identifier) @local)
(function_expression name: (identifier) @local)
(catch_clause parameter: (identifier) @local)
(for_in_statement left: (identifier) @local)
(variable_declarator name: (identifier) @name value: (new_expression constructor: (_) @type)) @binding
(variable_declarator name: (identifier)) @binding
(shorthand_property_identifier_pattern) @binding
(array_pattern (identifier) @binding)
(pair_pattern value: (identifier) @binding)
(assignment_pattern left: (identifier) @binding)
(rest_pattern (identifier) @binding)
`;

const references = `
(call_expression function: (identifier) @reference.call arguments: (_) @arguments)
(call_expression function: (member_expression object: (_) @receiver property: (_) @reference.call) arguments: (_) @arguments)
(new_expression constructor: (identifier) @reference.call arguments: (_) @arguments)
(new_expression constructor: (member_expression object: (_) @receiver property: (_) @reference.call) arguments: (_) @arguments)
(decorator (identifier) @reference.call)
(member_expression object: (_) @receiver property: (property_identifier) @reference.name)
(member_expression object: (_) @receiver property: (private_property_identifier) @reference.name)
(shorthand_property_identifier) @reference.name
(identifier) @reference.name
`;

export const jsxQuery = `
(jsx_opening_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_self_closing_element name: (identifier) @reference.call (#match? @reference.call "^[A-Z]"))
(jsx_opening_element name: (identifier) @ignore)
(jsx_self_closing_element name: (identifier) @ignore)
(jsx_closing_element name: (_) @ignore)
`;

export const javascriptQuery = `${definitions("field_definition", "property")}
(field_definition property: (_) @name) @binding
(formal_parameters (identifier) @local)
(class_declaration (class_heritage (identifier) @reference.inherits))
(class (class_heritage (identifier) @reference.inherits))
(class_heritage (member_expression object: (_) @receiver property: (_) @reference.inherits))
${jsxQuery}
${references}`;

export const typescriptQuery = `
(variable_declarator name: (identifier) @name type: (_) @type value: [(arrow_function) (function_expression)] @function) @definition.function
${definitions("public_field_definition", "name")}
(import_alias) @import
(abstract_class_declaration) @definition.class
(interface_declaration) @definition.interface
(type_alias_declaration) @definition.type
(enum_declaration) @definition.enum
(enum_body name: (property_identifier) @definition.field)
(enum_body (enum_assignment name: (_) @name) @definition.field)
(public_field_definition) @binding
(internal_module) @definition.module
(module name: (identifier)) @definition.module
(function_signature) @definition.function
(method_signature) @definition.method
(abstract_method_signature) @definition.method
(interface_body (property_signature) @definition.field)
(type_alias_declaration value: (object_type (property_signature) @definition.field))
(required_parameter (accessibility_modifier) pattern: (identifier) @name) @definition.field
(required_parameter pattern: (identifier) @local type: (type_annotation (_) @type))
(required_parameter pattern: (identifier) @local)
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(mapped_type_clause name: (type_identifier) @local)
(function_type (formal_parameters (required_parameter pattern: (identifier) @ignore)))
(class_heritage (extends_clause value: (identifier) @reference.inherits))
(class_heritage (extends_clause value: (member_expression object: (_) @receiver property: (_) @reference.inherits)))
(implements_clause (type_identifier) @reference.inherits)
(implements_clause (generic_type name: (type_identifier) @reference.inherits))
(extends_type_clause type: (type_identifier) @reference.inherits)
(extends_type_clause type: (generic_type name: (type_identifier) @reference.inherits))
(nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.type)
(type_identifier) @reference.type
${references}`;

function isPublic({ name, header, container, path, kind, owner }: DefinitionFacts): boolean {
  if (name.startsWith("#") || /^\s*(?:[a-z]+\s+)*?(?:private|protected)\b/.test(header)) return false;
  if (owner !== undefined) return true;
  if (container === undefined) {
    return /^export\b/.test(header) || /^(?:module\.)?exports\b/.test(header) || path.endsWith(".d.ts");
  }
  if (container.kind === "module") return /\bexport\b/.test(header) || path.endsWith(".d.ts");
  return kind !== "function" && kind !== "test" && container.isPublic;
}

const suites = /^(?:describe|suite|context|xdescribe|fdescribe)\b/;

export const ecmascript: Pick<Outline, "constructors" | "isPublic" | "isTest" | "isConstant" | "imports"> = {
  constructors: ["constructor"],
  isPublic,
  isTest: ({ kind, header }) => kind === "test" && !suites.test(header.trimStart()),
  isConstant: ({ header }) =>
    /^(?:export\s+)?(?:declare\s+)?const\b|\bstatic\s+readonly\b/.test(header.trimStart()),
  imports: readEcmascriptImport,
};

const ecmascriptLexis: Lexis = { ...plainLexis, singleQuote: "string", backtick: "template", regexes: true };
const scripts: Shape = {
  roles: {
    function: callableRole,
    class: typeRole("class"),
    const: valueRole("variable"),
    let: valueRole("variable"),
    var: valueRole("variable"),
  },
  members: "named",
  declaratorsInFiles: false,
  lines: true,
  commas: true,
  publicWords: ["export"],
  tests: [
    "it",
    "test",
    "describe",
    "suite",
    "context",
    "specify",
    "xit",
    "xtest",
    "fit",
    "xdescribe",
    "fdescribe",
    "bench",
  ],
  hasObjects: true,
  hasDirectives: false,
};

export const javascriptWords: Lexicon = {
  lexis: ecmascriptLexis,
  keywords:
    "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield",
  definitions: scripts,
};

export const typescriptWords: Lexicon = {
  lexis: ecmascriptLexis,
  keywords:
    "async await break case catch class const continue default delete do else export extends false finally for from function if import in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield abstract any as boolean declare enum implements interface is keyof module namespace never number private protected public readonly string symbol type unknown",
  definitions: {
    ...scripts,
    roles: {
      ...scripts.roles,
      interface: typeRole("interface"),
      enum: enumRole,
      namespace: moduleRole,
      module: moduleRole,
      type: aliasRole,
    },
  },
};

export const ecmascriptNames: NameRules = { elsewhere: "in-scripts" };
