/** Reads the imports of JavaScript and TypeScript: `import`, `export … from`, `require` and `import()`. */
import type { Node } from "web-tree-sitter";
import type { Import } from "../../domain/code-symbols.ts";

export function readEcmascriptImport(node: Node): Import[] {
  const line = node.startPosition.row + 1;
  const found =
    node.type === "import_statement"
      ? readImport(node)
      : node.type === "export_statement"
        ? readExport(node)
        : node.type === "variable_declarator"
          ? readRequire(node)
          : node.type === "call_expression"
            ? [{ source: firstString(node) }]
            : [];
  return found.filter((one) => one.source !== "").map((one) => ({ ...one, line }));
}

type Found = Omit<Import, "line">;

function readImport(node: Node): Found[] {
  const required = node.namedChildren.find((child) => child.type === "import_require_clause");
  if (required !== undefined)
    return [
      { source: unquoted(required.childForFieldName("source")), alias: required.firstNamedChild?.text ?? "" },
    ];
  const source = unquoted(node.childForFieldName("source"));
  const clause = node.namedChildren.find((child) => child.type === "import_clause");
  if (clause === undefined) return [{ source }];
  return clause.namedChildren.flatMap((part): Found[] => {
    if (part.type === "identifier") return [{ source, name: "default", alias: part.text }];
    if (part.type === "namespace_import") return [{ source, alias: part.lastNamedChild?.text ?? "" }];
    return specifiers(part).map(([name, alias]) => ({ source, name, alias }));
  });
}

/** Reads `export { a as b } from`, `export * from` and `export * as a from`. */
function readExport(node: Node): Found[] {
  const source = unquoted(node.childForFieldName("source"));
  const clause = node.namedChildren.find(
    ({ type }) => type === "export_clause" || type === "namespace_export",
  );
  if (clause === undefined) return [{ source, name: "*", exported: true }];
  if (clause.type === "namespace_export")
    return [{ source, alias: clause.lastNamedChild?.text ?? "", exported: true }];
  return specifiers(clause).map(([name, alias]) => ({ source, name, alias, exported: true }));
}

function specifiers(clause: Node): [name: string, alias: string][] {
  return clause.namedChildren
    .filter(({ type }) => type === "import_specifier" || type === "export_specifier")
    .map((one) => {
      const name = one.childForFieldName("name")?.text ?? one.text;
      return [name, one.childForFieldName("alias")?.text ?? name];
    });
}

/** Reads `const a = require("x")`, `const { a, b: c } = require("x")` and `const a = require("x").b`. */
function readRequire(node: Node): Found[] {
  const value = node.childForFieldName("value");
  const bound = node.childForFieldName("name");
  if (value === null || bound === null) return [];
  const member = value.type === "member_expression" ? value.childForFieldName("property")?.text : undefined;
  const call = member === undefined ? value : (value.childForFieldName("object") ?? value);
  const source = firstString(call);
  if (bound.type === "identifier")
    return [{ source, alias: bound.text, ...(member === undefined ? {} : { name: member }) }];
  return bound.namedChildren.flatMap((part): Found[] => {
    const name = part.childForFieldName("key")?.text ?? part.firstNamedChild?.text ?? part.text;
    const alias = part.childForFieldName("value")?.text ?? name;
    return part.type === "rest_pattern" ? [] : [{ source, name, alias }];
  });
}

/** A call's first argument if it is a string. */
function firstString(call: Node): string {
  const first = call.childForFieldName("arguments")?.firstNamedChild;
  return first?.type === "string" || first?.type === "template_string" ? unquoted(first) : "";
}

function unquoted(node: Node | null): string {
  return node === null ? "" : node.text.slice(1, -1);
}
