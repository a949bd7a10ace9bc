/** Renders a tree as text: nested lists of node kinds and tokens, without formatting. */
import type { Node, Tree, TreeCursor } from "web-tree-sitter";
import type { Outline } from "../outline.ts";
import type { Rename } from "./rename.ts";

interface Work {
  readonly outline: Outline;
  readonly path: string;
  readonly text: string;
  readonly rename: Rename;
}

/** A node whose children are being read. */
interface Open {
  readonly kind: string;
  readonly parts: Part[];
  readonly isParameter: boolean;
  /** True if the last token was a comma. */
  afterComma: boolean;
}

interface Part {
  readonly text: string;
  readonly isImport: boolean;
}

export function renderTree({ tree, ...work }: Work & { readonly tree: Tree }): string {
  return renderNode(work, tree.rootNode);
}

/** Renders the normal form of a node. */
export function renderNode(work: Work, node: Node): string {
  const cursor = node.walk();
  try {
    return render(work, cursor);
  } finally {
    cursor.delete();
  }
}

/** Not recursive, because a chain of ten thousand operands makes a tree of that depth. */
function render(work: Work, cursor: TreeCursor): string {
  const open: Open[] = [{ kind: "", parts: [], isParameter: false, afterComma: false }];
  for (;;) {
    const parent = open.at(-1);
    if (parent === undefined) return "";
    const whole = wholePart(work, cursor, parent);
    if (whole === undefined && cursor.gotoFirstChild()) continue;
    if (whole !== undefined) parent.parts.push(...whole);
    while (!cursor.gotoNextSibling()) {
      if (!cursor.gotoParent()) return texts(open[0]?.parts ?? []).join("\n");
      const done = open.pop();
      if (done !== undefined) open.at(-1)?.parts.push(...closed(done, open.at(-1)?.kind ?? ""));
    }
  }

  /** Returns the node's parts if its children need no processing. Otherwise opens the node and returns undefined. */
  function wholePart({ text }: Work, at: TreeCursor, parent: Open): readonly Part[] | undefined {
    const kind = at.nodeType;
    const written = text.slice(at.startIndex, at.endIndex);
    // Code that does not parse is kept as written, because its comments cannot be recognised.
    if (kind === "ERROR") return [part(written)];
    if (at.nodeIsMissing) return [part(`(missing ${kind})`)];
    if (!at.nodeIsNamed && isFormatting(kind, parent)) return [];
    parent.afterComma = kind === ",";
    if (!at.nodeIsNamed) return [part(written)];
    if (isDropped(work, kind, parent, at)) return [];
    if (importKinds.test(kind)) {
      const found = importParts(work, at.currentNode);
      if (found !== undefined) return found;
    }
    const leaf = leafText(work, at, kind, written, parent);
    if (leaf !== undefined) return [part(leaf)];
    open.push({
      kind,
      parts: [],
      afterComma: false,
      isParameter: (parent.isParameter || /parameter/.test(kind)) && !/lambda|type_param/.test(kind),
    });
    return undefined;
  }
}

const part = (text: string): Part => ({ text, isImport: false });

function isFormatting(token: string, parent: Open): boolean {
  if (token === ";") return !keepsSemicolons.test(parent.kind);
  if (token !== ",") return token === "\n" || token === "";
  // Two commas enclose a hole in an array, and `x[a,]` differs from `x[a]`.
  const isMeant = parent.afterComma || parent.parts.at(-1)?.text === "[";
  parent.afterComma = true;
  return !isMeant && parent.kind !== "token_tree" && parent.kind !== "subscript";
}

/** Nodes in which semicolons matter: heads of `for`, `if` and `switch`, and Rust's `[0; 5]`. */
const keepsSemicolons = /^(?:for|if|switch|expression_switch|type_switch|array|token_tree)/;

/** True for comments, docstrings and statements without effect. */
function isDropped(work: Work, kind: string, parent: Open, at: TreeCursor): boolean {
  if (/comment/.test(kind) || kind === "pass_statement") return true;
  if (kind === "empty_statement") return !parent.kind.startsWith("for");
  // A string on its own does nothing in Python, but may be a directive in JavaScript.
  return kind === "expression_statement" && work.outline.language === "python" && isString(at.currentNode);
}

function isString(statement: Node): boolean {
  const only = statement.namedChildCount === 1 ? statement.firstNamedChild : null;
  return only?.type === "string" && !only.namedChildren.some((child) => insertions.test(child.type));
}

const strings = /string|template|char_literal|character_literal|rune_literal|regex/;
const insertions = /interpolation|substitution|format_expression|replacement_field/;

/** A leaf's text; undefined for a node with children that matter. */
function leafText(
  work: Work,
  at: TreeCursor,
  kind: string,
  written: string,
  parent: Open,
): string | undefined {
  const node = at.currentNode;
  if (strings.test(kind) && !/^(?:concatenated_string|template_(?!string)|string_(?!literal))/.test(kind))
    return node.namedChildren.some((child) => insertions.test(child.type))
      ? undefined
      : quoted(kind, written);
  if (node.childCount > 0) return undefined;
  const name = work.rename(at.startIndex, written, parent.isParameter) ?? written;
  if (parent.kind === "shorthand_field_initializer") return `(field_initializer ${written} : ${name})`;
  return shorthands[kind]?.(written, name) ?? name;
}

/** `{ a }` names both a property and a variable: `{ a: a }`. */
const shorthands: Readonly<Record<string, (property: string, variable: string) => string>> = {
  shorthand_property_identifier: (property, variable) => `(pair ${property} : ${variable})`,
  shorthand_property_identifier_pattern: (property, variable) => `(pair_pattern ${property} : ${variable})`,
  shorthand_field_identifier: (property, variable) => `${property} : ${variable}`,
};

/** Unifies quote styles, if nothing inside the quotes depends on them. */
function quoted(kind: string, written: string): string {
  const single = kind === "string" ? /^'([^'"\\\n]*)'$/.exec(written) : null;
  return single === null ? written : `"${single[1]}"`;
}

const importKinds = /^(?:import_|import$|use_declaration$|using_directive$|preproc_include$|import_spec$)/;

/** The names that an import binds, one by one; undefined if the outline does not read the import. */
function importParts(work: Work, node: Node): Part[] | undefined {
  if (node.type === "import_spec_list" || node.namedChildren.some((child) => /import_spec/.test(child.type)))
    return undefined;
  const imports = work.outline.imports?.(node, work.path) ?? [];
  if (imports.length === 0) return undefined;
  return imports.map(({ source, name, alias, exported }) => ({
    text: `(import ${source} ${name ?? ""} ${alias ?? ""} ${exported === true})`,
    isImport: true,
  }));
}

/**
 * A closed node's parts. Replaces Go's import lists, redundant parentheses, and blocks of one statement under a
 * condition or loop by their contents.
 */
function closed(node: Open, parent: string): readonly Part[] {
  const parts = sortedImports(node.parts);
  if (/^import_(?:declaration|spec_list)$/.test(node.kind) && parts.some((one) => one.isImport))
    return parts.filter((one) => one.isImport);
  const inner = parts.filter((one) => !/^[{}()]$/.test(one.text));
  if (
    node.kind === "parenthesized_expression" &&
    inner.length === 1 &&
    !meantParentheses.test(inner[0]?.text ?? "")
  )
    return inner;
  const isBranch = /^(?:if|else|for|while|do|enhanced_for|foreach)(?:_|$)/.test(parent);
  if (isBranch && /^(?:block|statement_block|compound_statement)$/.test(node.kind) && inner.length === 1)
    return inner;
  if (node.kind === "shorthand_field_initializer") return parts;
  return [part(`(${node.kind} ${texts(parts).join(" ")})`)];
}

/** Contents whose parentheses matter: JavaScript's `(a?.b).c`, and Lua's `(f())`, which is one value. */
const meantParentheses = /optional_chain|\?\.|^\((?:function_call|vararg_expression) |^\.\.\.$/;

/** Sorts each run of consecutive imports, and removes duplicates in the run. */
function sortedImports(parts: readonly Part[]): Part[] {
  const out: Part[] = [];
  let run: string[] = [];
  const flush = (): void => {
    for (const text of [...new Set(run)].sort()) out.push({ text, isImport: true });
    run = [];
  };
  for (const one of parts) {
    if (one.isImport) run.push(one.text);
    else {
      flush();
      out.push(one);
    }
  }
  flush();
  return out;
}

function texts(parts: readonly Part[]): string[] {
  return parts.map((one) => one.text);
}
