/**
 * Finds code that changes the values with which tests compare. These are functions of the language's own library, and
 * the equality of its value types. Pure.
 */
import { isBuiltin } from "node:module";
import { literally } from "../../../base/literal-pattern.ts";
import { pythonLibrary } from "../../../languages/python/python-library.ts";
import { type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, type Source } from "../../../syntax/reading.ts";
import type { AttackSign } from "../guards/contract.ts";
import { isHidden } from "./bound-names.ts";
import { type SeenShape, seenAt } from "./seen-shape.ts";
import { goLibrary } from "./standard-modules.ts";

const changed: AttackSign = {
  sign: "a change of a library for the whole process",
  excuse: /\bmonkey|\bpatch(?:es|ed|ing)?\b|\bglobal|\bprototype|\bpolyfill|\bshim|\boverrid|\bhooks?\b/i,
  isUsual: true,
};
const compared: AttackSign = {
  sign: "a value type with its own comparison",
  excuse: /\bequal|\bcompar|\bhash|\bcase.?(?:in)?sensitiv|\bunique|\bsubclass|__\w+__/i,
  isUsual: true,
  isEachTime: true,
};
const shown: AttackSign = {
  sign: "a number type with its own text form",
  excuse: /\brepr|\bstr\b|\bformat|\bprint|\bdisplay|\bshow|\bsubclass|__\w+__/i,
  isUsual: true,
};

export function listForeignChanges(source: Source): SeenShape[] {
  const { language } = source.dialect;
  const nodes = [...walk(source.tree.root)].filter(({ named }) => named);
  if (language === "python")
    return [...listAssigned(source, nodes, python), ...listValueTypes(source, nodes)];
  if (language === "go") return listAssigned(source, nodes, go);
  return /^(?:javascript|typescript|tsx)$/.test(language)
    ? [...listAssigned(source, nodes, javascript), ...listPrototypes(source, nodes)]
    : [];
}

/** A language's forms of imports, and of assignments to imported members. */
interface Imports {
  readonly assignment: RegExp;
  /** The names in a text that stand for parts of the language's own library. */
  readonly names: (text: string) => readonly string[];
  /** Members that programs are meant to set. */
  readonly settings: RegExp;
}

const python: Imports = {
  assignment: /^(?:assignment|augmented_assignment)$/,
  names: (text) =>
    [
      ...text.matchAll(
        /^[ \t]*(?:import[ \t]+([^\n#]+)|from[ \t]+(\w[\w.]*)[ \t]+import[ \t]+\(?([^()\n#]+))/gm,
      ),
    ].flatMap(([, modules, from = "", members]) =>
      (modules ?? members ?? "").split(",").flatMap((part) => {
        const [path = "", as] = part.trim().split(/\s+as\s+/);
        const [top = ""] = (modules === undefined ? from : path).split(".");
        const name = as ?? path.split(".")[0] ?? "";
        if (!pythonLibrary.has(top)) return [];
        // Objects, such as a project's settings, have lower-case names: their members are meant to be set.
        return modules === undefined && !/^[A-Z]/.test(name) ? [] : [name];
      }),
    ),
  settings:
    /^(?:sys\s*\.\s*(?:std\w+|path|argv|\w*hook\w*|tracebacklimit|ps\d)|logging\s*\.\s*\w+|os\s*\.\s*environ)\b/,
};
const go: Imports = {
  assignment: /^assignment_statement$/,
  names: (text) =>
    [...text.matchAll(/^[ \t]*(?:import[ \t]+)?(\w+[ \t]+)?"([\w/]+)"[ \t]*$/gm)].flatMap(
      ([, as, path = ""]) => {
        const parts = path.split("/");
        return goLibrary.has(parts[0] ?? "")
          ? [as?.replace("import", "").trim() || (parts.at(-1) ?? "")]
          : [];
      },
    ),
  settings: /^(?:flag\s*\.\s*(?:Usage|CommandLine)|os\s*\.\s*(?:Args|Std\w+))\b/,
};
const javascript: Imports = {
  assignment: /^(?:assignment_expression|augmented_assignment_expression)$/,
  names: (text) =>
    [
      ...text.matchAll(
        /\bimport\s+(?:\*\s*as\s+)?(\w+)\s+from\s+["']([^"'\n]+)|\b(?:const|let|var)\s+(\w+)\s*=\s*require\(\s*["']([^"'\n]+)/g,
      ),
    ].flatMap(([, one, from, other, of]) => (isBuiltin(from ?? of ?? "") ? [one ?? other ?? ""] : [])),
  settings: /^process\s*\.\s*(?:exitCode|title|env)\b/,
};

/** Finds assignments such as `math.isclose = …` and `io.EOF = …`: the left side begins with an imported name. */
function listAssigned(source: Source, nodes: readonly SyntaxNode[], imports: Imports): SeenShape[] {
  const names = new Set(imports.names(source.tree.text).filter((name) => name !== ""));
  return nodes.flatMap((node) => {
    if (!imports.assignment.test(node.kind)) return [];
    const left = node.children.find(({ field }) => field === "left");
    const code = left === undefined ? "" : codeOf(source, left);
    const [, root = ""] = /^(\w+)\s*\.[\w.\s]+$/.exec(code) ?? [];
    if (!names.has(root) || imports.settings.test(code) || isHidden(source, root, node)) return [];
    return [seenAt(source, changed, node)];
  });
}

/** Finds assignments such as `BigInt.prototype.toJSON = …`: the file neither declares nor imports the type. */
function listPrototypes(source: Source, nodes: readonly SyntaxNode[]): SeenShape[] {
  const { text } = source.tree;
  const isOwn = (name: string): boolean =>
    new RegExp(
      String.raw`\b(?:class|function|const|let|var|import|interface)\b[^;=()\n]*\b${literally(name)}\b`,
    ).test(text);
  return nodes.flatMap((node) => {
    if (!javascript.assignment.test(node.kind) && node.kind !== "call_expression") return [];
    const [, assigned, defined] =
      /^(?:([A-Z]\w*)\s*\.\s*prototype\s*[.[]|(?:Object|Reflect)\s*\.\s*(?:defineProperty|defineProperties|assign|set)\s*\(\s*([A-Z]\w*)\s*\.\s*prototype\s*,)/.exec(
        codeOf(source, node),
      ) ?? [];
    const name = javascript.assignment.test(node.kind) ? assigned : defined;
    return name === undefined || isOwn(name) ? [] : [seenAt(source, changed, node)];
  });
}

const valueType =
  /^class\s+\w+\s*\((?![^()]*\bEnum\b)[^()]*\b(?:int|float|complex|bool|str|bytes|tuple|list|dict|set|frozenset|Decimal|Fraction|date|datetime|timedelta)\b[^()]*\)/;
const comparison = /^[ \t]+(?:async\s+)?(?:def\s+__(?:eq|ne|hash)__\b|__(?:eq|ne)__\s*=)/gm;
/** Number types. A number's text is its value. Objects of other types often have a text of their own. */
const numberType = /\([^()]*\b(?:int|float|complex|Decimal|Fraction)\b/;
const numberText = /^[ \t]+(?:def\s+__(?:str|repr|format)__\b|__(?:str|repr|format)__\s*=)/gm;

/**
 * Finds value types such as `class Amount(int)` with a method `__eq__`. Returns the lines of the class's head and of
 * each such method.
 */
function listValueTypes(source: Source, nodes: readonly SyntaxNode[]): SeenShape[] {
  return nodes.flatMap((node) => {
    if (node.kind !== "class_definition") return [];
    const code = codeOf(source, node);
    const [header] = valueType.exec(code) ?? [];
    if (header === undefined) return [];
    const isNumber = numberType.test(header);
    const methods = [...code.matchAll(comparison)];
    const texts = methods.length === 0 && isNumber ? [...code.matchAll(numberText)] : [];
    const sign = methods.length > 0 ? compared : shown;
    // The class itself is new, or only a method of it.
    const seen = [...methods, ...texts].map(({ index }) => node.startLine + countLines(code.slice(0, index)));
    return seen.length === 0 ? [] : [node.startLine, ...seen].map((line) => ({ sign, line, text: header }));
  });
}

function countLines(text: string): number {
  return text.split("\n").length - 1;
}
