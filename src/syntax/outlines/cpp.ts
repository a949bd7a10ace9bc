import { plainLexis } from "../lexical/lexis.ts";
import { moduleRole, typeRole, valueRole } from "../lexical/shapes.ts";
import { defineOutline } from "../outline.ts";
import { firstBranches, withoutMacros } from "../symbols/preprocessor.ts";
import { isCppHeader } from "../symbols/signs-of-cpp.ts";
import {
  cFamilyDefinitions,
  cFamilyReferences,
  cNames,
  cParameter,
  cTypes,
  cWords,
  functions,
  isCFamilyTest,
  readInclude,
} from "./c-family.ts";

const ownName = "[(identifier) (destructor_name) (operator_name) (field_identifier)] @name";
const outside = (subject: string): string =>
  [
    `(qualified_identifier scope: (_) @owner name: ${ownName})`,
    `(qualified_identifier name: (qualified_identifier scope: (_) @owner name: ${ownName}))`,
  ]
    .map((name) => functions("function_definition", name, subject, true))
    .join("\n");
const inside = "[(field_identifier) (destructor_name) (operator_name)] @name";

const query = `
(template_declaration parameters: (_) @attribute)
(template_parameter_list (type_parameter_declaration (type_identifier) @local))
(template_parameter_list (optional_type_parameter_declaration name: (type_identifier) @local))
(access_specifier) @access
(namespace_definition) @definition.module
(class_specifier name: (_) @name body: (_) @body) @definition.class
(alias_declaration name: (_) @name) @definition.type
(concept_definition) @definition.type
${functions("function_definition", inside, "@definition.method", true)}
${functions("field_declaration", inside, "@prototype.method", true)}
${functions("declaration", inside, "@prototype.method", true)}
${outside("@definition.method")}
${cFamilyDefinitions(true)}
(lambda_expression) @scope
(optional_parameter_declaration type: (_) @type declarator: (identifier) @local)
(optional_parameter_declaration type: (_) @type declarator: (_ (identifier) @local))
(for_range_loop type: (_) @type declarator: (identifier) @local)
(for_range_loop type: (_) @type declarator: (reference_declarator (identifier) @local))
(structured_binding_declarator (identifier) @local)
(lambda_capture_initializer left: (identifier) @local)
(declaration declarator: (init_declarator declarator: (identifier) @local
  value: (call_expression function: (template_function name: (identifier) @_make arguments: (template_argument_list . (type_descriptor) @type)))
  (#match? @_make "^make_(unique|shared)$")))
(using_declaration) @ignore
(destructor_name (identifier) @ignore)

(base_class_clause (type_identifier) @reference.inherits)
(base_class_clause (template_type name: (_) @reference.inherits))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.inherits))
(base_class_clause (qualified_identifier scope: (_) @receiver name: (template_type name: (_) @reference.inherits)))
(new_expression type: (type_identifier) @reference.call arguments: (_) @arguments)
(new_expression type: (qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (qualified_identifier name: (qualified_identifier scope: (_) @receiver name: (identifier) @reference.call)) arguments: (_) @arguments)
(call_expression function: (qualified_identifier scope: (_) @receiver name: (template_function name: (_) @reference.call)) arguments: (_) @arguments)
(call_expression function: (template_function name: (identifier) @reference.call) arguments: (_) @arguments)
(call_expression function: (field_expression argument: (_) @receiver field: (template_method name: (_) @reference.call)) arguments: (_) @arguments)
(field_initializer . (field_identifier) @reference.name)
(qualified_identifier scope: (_) @receiver name: (identifier) @reference.name)
(qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.type)
${cFamilyReferences}`;

export default defineOutline({
  language: "cpp",
  extensions: [".cpp", ".cc", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".ipp", ".tpp", ".inl", ".h"],
  claims: (path, text) => !path.endsWith(".h") || isCppHeader(text),
  grammar: "tree-sitter-cpp/tree-sitter-cpp.wasm",
  words: {
    lexis: { ...plainLexis, rawStrings: "cpp" },
    keywords:
      "auto break case char const continue default do double else enum extern float for goto if inline int long register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while define ifdef ifndef endif include undef elif pragma NULL bool catch class concept const_cast constexpr decltype delete dynamic_cast explicit export false final friend mutable namespace new noexcept nullptr operator override private protected public reinterpret_cast static_cast template this throw true try typename using virtual wchar_t",
    definitions: {
      ...cWords.definitions,
      roles: {
        ...cTypes,
        class: { ...typeRole("class"), needsBody: true },
        namespace: moduleRole,
        using: valueRole("type"),
        concept: valueRole("type"),
      },
    },
  },
  names: cNames,
  query,
  builtin: new Set(["NULL", "size_t", "std"]),
  isPublic: ({ header, container, access, owner }) => {
    if (container?.kind === "class") return access !== undefined && access !== "private";
    if (container?.kind === "struct") return access !== "private";
    return owner !== undefined || !/^\s*(?:\w+\s+)*?static\b/.test(header.split("(", 1)[0] ?? "");
  },
  isTest: isCFamilyTest,
  isConstant: ({ header }) => /\b(?:const|constexpr)\b/.test(header.split("=", 1)[0] ?? ""),
  parameter: cParameter,
  imports: readInclude,
  readings: [withoutMacros, (text) => firstBranches(withoutMacros(text))],
});
