/** Finds the functions of the repository that a function calls. Uses names and relative imports, but no types. */
import { posix } from "node:path";
import { childOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import type { FoundFunction, ReadFile } from "./javascript-functions.ts";

export interface Callee {
  readonly path: string;
  readonly found: FoundFunction;
}

export interface CalleeSearch {
  readonly files: ReadonlySet<string>;
  /** Undefined for files of other languages. */
  open(path: string): Promise<ReadFile | undefined>;
}

interface Import {
  /** The import's local name; `*` for everything that the other file exports. */
  readonly local: string;
  readonly name: string;
  readonly path: string;
}

const extensions = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];
/** Maximum number of re-exporting files to follow. */
const mostHops = 3;

export async function calleesOf(
  file: ReadFile,
  caller: FoundFunction,
  search: CalleeSearch,
): Promise<Callee[]> {
  const imports = importsOf(file, search.files);
  const found: Callee[] = [];
  for (const { name, isMember, isNew } of calledNames(file.tree, caller.body)) {
    found.push(...named(file, { name, isMember, isNew }));
    const own = imports.filter(({ local }) => isMember || local === name);
    for (const one of own) {
      const target = isMember || one.name === "*" ? name : one.name;
      found.push(...(await exported(one.path, { name: target, isMember, isNew }, search, mostHops)));
    }
  }
  return found.filter((one) => one.found !== caller);
}

interface Called {
  readonly name: string;
  /** True for `x.name()`. */
  readonly isMember: boolean;
  /** True for `new name()`. */
  readonly isNew: boolean;
}

function named(file: ReadFile, { name, isMember, isNew }: Called): Callee[] {
  const names = name === "default" && !isMember ? ["default", ...defaultNames(file)] : [name];
  const wanted = names.map((one) => (isNew ? `${one}.constructor` : one));
  const local = file.functions.filter((one) =>
    wanted.some((end) => one.name === end || one.name.endsWith(`.${end}`)),
  );
  return local.map((found) => ({ path: file.path, found }));
}

/** The local names of a file's default export. */
function defaultNames({ tree }: ReadFile): string[] {
  return tree.root.children.flatMap((node) => {
    const isDefault =
      node.kind === "export_statement" && node.children.some(({ kind }) => kind === "default");
    const value = isDefault ? (childOf(node, "declaration") ?? childOf(node, "value")) : undefined;
    const name =
      value === undefined ? undefined : value.kind === "identifier" ? value : childOf(value, "name");
    if (name !== undefined) return [textOf(tree, name)];
    const [, assigned] = /^module\.exports\s*=\s*([\w$]+);?$/.exec(textOf(tree, node)) ?? [];
    return assigned === undefined ? [] : [assigned];
  });
}

async function exported(path: string, called: Called, search: CalleeSearch, hops: number): Promise<Callee[]> {
  const file = await search.open(path);
  if (file === undefined) return [];
  const here = named(file, called);
  if (here.length > 0 || hops === 0) return here;
  const further: Callee[] = [];
  for (const next of reexports(file, search.files))
    further.push(...(await exported(next, called, search, hops - 1)));
  return further;
}

function calledNames(tree: SyntaxTree, body: SyntaxNode) {
  const names = new Map<string, Called>();
  for (const node of walk(body)) {
    const isNew = node.kind === "new_expression";
    const callee = isNew
      ? childOf(node, "constructor")
      : node.kind === "call_expression"
        ? childOf(node, "function")
        : undefined;
    if (callee === undefined) continue;
    const isMember = callee.kind === "member_expression";
    const last = isMember ? childOf(callee, "property") : callee;
    if (last === undefined || !/identifier$/.test(last.kind)) continue;
    const name = textOf(tree, last);
    names.set(`${name} ${isMember} ${isNew}`, { name, isMember, isNew });
  }
  return names.values();
}

function importsOf({ path, tree }: ReadFile, files: ReadonlySet<string>): Import[] {
  return [...walk(tree.root)].flatMap((node) => {
    if (node.kind === "import_statement")
      return importedBy(tree, node, resolve(path, sourceText(tree, node), files));
    if (node.kind !== "variable_declarator") return [];
    const [, source] =
      /^require\(\s*["'](\.[^"']*)["']\s*\)/.exec(textOf(tree, childOf(node, "value") ?? node)) ?? [];
    const name = childOf(node, "name");
    const target = source === undefined ? undefined : resolve(path, source, files);
    return name === undefined || target === undefined ? [] : bindings(tree, name, target);
  });
}

function importedBy(tree: SyntaxTree, node: SyntaxNode, path: string | undefined): Import[] {
  if (path === undefined) return [];
  return [...walk(node)].flatMap((one): Import[] => {
    if (one.kind === "namespace_import")
      return [{ local: textOf(tree, one).replace(/^\*\s*as\s*/, ""), name: "*", path }];
    if (one.kind === "identifier" && one.parent?.kind === "import_clause")
      return [{ local: textOf(tree, one), name: "default", path }];
    if (one.kind !== "import_specifier") return [];
    const name = textOf(tree, childOf(one, "name") ?? one);
    return [{ local: textOf(tree, childOf(one, "alias") ?? childOf(one, "name") ?? one), name, path }];
  });
}

/** `const { a, b: c } = require("./x")`, `const x = require("./x")`. */
function bindings(tree: SyntaxTree, pattern: SyntaxNode, path: string): Import[] {
  if (pattern.kind === "identifier") return [{ local: textOf(tree, pattern), name: "default", path }];
  return pattern.children.flatMap((one): Import[] => {
    if (one.kind === "shorthand_property_identifier_pattern") {
      return [{ local: textOf(tree, one), name: textOf(tree, one), path }];
    }
    if (one.kind !== "pair_pattern") return [];
    const [key, value] = [childOf(one, "key"), childOf(one, "value")];
    return key && value ? [{ local: textOf(tree, value), name: textOf(tree, key), path }] : [];
  });
}

function reexports({ path, tree }: ReadFile, files: ReadonlySet<string>): string[] {
  return tree.root.children.flatMap((node) => {
    const target =
      node.kind === "export_statement" ? resolve(path, sourceText(tree, node), files) : undefined;
    return target === undefined ? [] : [target];
  });
}

function sourceText(tree: SyntaxTree, node: SyntaxNode): string {
  const source = childOf(node, "source");
  return source === undefined ? "" : textOf(tree, source).slice(1, -1);
}

/** The file of a relative import; `./x.js` may be `./x.ts`. */
function resolve(from: string, source: string, files: ReadonlySet<string>): string | undefined {
  if (!source.startsWith(".")) return undefined;
  const path = posix.join(posix.dirname(from), source);
  const bare = path.replace(/\.[cm]?jsx?$/, "");
  const candidates = [path, bare].flatMap((one) =>
    extensions.flatMap((end) => [one + end, `${one}/index${end}`]),
  );
  return candidates.find((one) => files.has(one));
}
