/** The names that code at a given place may use. */
import type { Binding, NameKind } from "./dialect.ts";
import { parentsOf, type SyntaxNode, walk } from "./node.ts";
import { codeOf, partOf, roleOf, type Source } from "./reading.ts";
import { functionAbove, isFunction } from "./statements.ts";

export interface ScopeName {
  /** The name as written: `total`, or `self.total` for a field. */
  readonly name: string;
  /** The kind, guessed from the syntax alone. */
  readonly kind: NameKind;
  /** UTF-16 offset of the name's first binding; for a field, of its first mention. */
  readonly boundAt: number;
  /** The type in the text, in languages that write types. */
  readonly type?: string;
}

interface BoundName extends ScopeName {
  /** The node in which the name can be used. */
  readonly within: SyntaxNode;
}

export interface Scopes {
  readonly source: Source;
  readonly bound: readonly BoundName[];
  readonly fields: readonly BoundName[];
}

/** Reads all bindings of a file, for `namesAt`. */
export function readScopes(source: Source): Scopes {
  const byKind = new Map<string, Binding>(source.dialect.bindings.map((binding) => [binding.kind, binding]));
  const bound: BoundName[] = [];
  const fields: BoundName[] = [];
  const receivers = readReceivers(source);
  for (const node of walk(source.tree.root)) {
    const binding = node.named ? byKind.get(node.kind) : undefined;
    if (binding !== undefined) bound.push(...readBinding(source, node, binding));
    fields.push(...readFields(source, node, receivers));
  }
  return { source, bound, fields };
}

/**
 * Returns the names that code at `node` may use, each once. Names of the innermost scope come first. A local variable
 * of the same function must be bound before the node. The place of the binding does not matter for outer variables,
 * functions, classes and imports. Leaves out names that a class body binds, if the node is in one of its methods.
 */
export function namesAt(scopes: Scopes, node: SyntaxNode): ScopeName[] {
  const around = new Set<SyntaxNode>([node, ...parentsOf(node)]);
  const here = isFunction(scopes.source, node) ? node : functionAbove(scopes.source, node);
  const found = new Map<string, BoundName>();
  const visible = scopes.bound.filter(
    (name) => around.has(name.within) && isUsable(scopes, name, node, here),
  );
  const fields = scopes.fields.filter((field) => around.has(field.within));
  for (const name of [...visible, ...fields]) {
    const known = found.get(name.name);
    if (known === undefined || name.within.start > known.within.start) found.set(name.name, name);
  }
  return [...found.values()]
    .sort((a, b) => b.within.start - a.within.start || a.boundAt - b.boundAt)
    .map(({ name, kind, boundAt, type }) => ({ name, kind, boundAt, ...(type && { type }) }));
}

function isUsable(scopes: Scopes, name: BoundName, node: SyntaxNode, here: SyntaxNode | undefined): boolean {
  // A name bound in a class body is not a plain name inside its methods.
  const inClass = roleOf(scopes.source, name.within) === "class";
  if (inClass && here !== undefined && here.start >= name.within.start) return false;
  if (name.kind !== "local" && name.kind !== "loop") return true;
  if (name.boundAt < node.start || roleOf(scopes.source, name.within) === "comprehension") return true;
  const owner = isFunction(scopes.source, name.within)
    ? name.within
    : functionAbove(scopes.source, name.within);
  return owner !== here;
}

function readBinding(source: Source, node: SyntaxNode, binding: Binding): BoundName[] {
  const patterns =
    binding.fields.length === 0
      ? [node]
      : node.children.filter((child) => child.field !== undefined && binding.fields.includes(child.field));
  const within = scopeOf(source, node, binding);
  return patterns
    .flatMap((pattern) => boundIdentifiers(source, pattern))
    .map((identifier) => ({
      name: codeOf(source, identifier),
      kind: binding.as,
      boundAt: identifier.start,
      within,
      ...typeOf(source, identifier),
    }));
}

function typeOf(source: Source, node: SyntaxNode): { type?: string } {
  const type = source.dialect.types?.ofBinding(source.tree, node);
  return type === undefined ? {} : { type };
}

function scopeOf(source: Source, node: SyntaxNode, binding: Binding): SyntaxNode {
  const parent = node.parent ?? source.tree.root;
  if (binding.visible === "inside") {
    // Parameters and a comprehension's clause bind in the node around them; a loop or a handler in itself.
    const holdsBody = roleOf(source, node) !== "parameters" && binding.fields.length > 0;
    const clause =
      roleOf(source, parent) === "comprehension" || source.dialect.through?.includes(node.kind) === true;
    return holdsBody && !clause ? node : parent;
  }
  for (const outer of parentsOf(node)) {
    const role = roleOf(source, outer);
    if (isFunction(source, outer) || role === "module") return outer;
    if (role === "class" || (source.dialect.blockScoped && (role === "block" || role === "for")))
      return outer;
  }
  return source.tree.root;
}

function boundIdentifiers(source: Source, pattern: SyntaxNode): SyntaxNode[] {
  const skipped = new Set(source.dialect.notBinding);
  const found: SyntaxNode[] = [];
  const enter = (node: SyntaxNode): boolean =>
    node === pattern || !(skipped.has(node.field ?? "") || skipped.has(`${node.parent?.kind}.${node.field}`));
  for (const node of walk(pattern, (inner) => enter(inner) && roleOf(source, inner) !== "type")) {
    if (!enter(node) || node.children.length > 0) continue;
    const binds =
      roleOf(source, node) === "identifier" || node.kind === "shorthand_property_identifier_pattern";
    if (binds && isBoundName(source, node) && !isRenamed(node)) found.push(node);
  }
  return found;
}

/** False for a constant or variant that a pattern compares with. */
function isBoundName(source: Source, node: SyntaxNode): boolean {
  const { boundNames } = source.dialect;
  if (boundNames === undefined) return true;
  const isPart = node.parent !== undefined && roleOf(source, node.parent) === "attribute";
  return !isPart && (node.field === "name" || boundNames.test(codeOf(source, node)));
}

/**
 * True for a name of an import that is not bound: `a` in `import { a as b }` and `from m import a as b`, `b` in
 * `import a.b`.
 */
function isRenamed(node: SyntaxNode): boolean {
  for (const parent of parentsOf(node)) {
    if (!/import|dotted/.test(parent.kind)) return false;
    const alias = parent.children.find((child) => child.field === "alias");
    if (alias !== undefined) return !(alias.start <= node.start && node.end <= alias.end);
    if (/dotted/.test(parent.kind) && parent.children[0] !== node) return true;
  }
  return false;
}

/** Reads fields of the enclosing class: `self.total`, `this.total`. */
function readFields(source: Source, node: SyntaxNode, receivers: Receivers): BoundName[] {
  if (source.dialect.fieldNames?.includes(node.kind) === true) return ownField(source, node);
  if (roleOf(source, node) !== "attribute") return [];
  const object = partOf(source, node, "object");
  if (object === undefined) return [];
  const isCalled = node.parent !== undefined && partOf(source, node.parent, "callee") === node;
  if (isCalled) return [];
  const places = source.dialect.selves.includes(codeOf(source, object))
    ? [...parentsOf(node)].filter((parent) => roleOf(source, parent) === "class").slice(0, 1)
    : ownMethods(source, object, receivers);
  return places.map((within) => ({
    // A chain may span several lines.
    name: codeOf(source, node).replace(/\s+/g, ""),
    kind: "attribute",
    boundAt: node.start,
    within,
    ...typeOf(source, node),
  }));
}

function ownField(source: Source, node: SyntaxNode): BoundName[] {
  const within = [...parentsOf(node)].find((parent) => roleOf(source, parent) === "class");
  const name = codeOf(source, node);
  return within === undefined ? [] : [{ name, kind: "attribute", boundAt: node.start, within }];
}

/** The methods of a type that use the same name for their object, by type and name: `s Stack`. */
type Receivers = ReadonlyMap<string, readonly SyntaxNode[]>;

function readReceivers(source: Source): Receivers {
  const found = new Map<string, SyntaxNode[]>();
  if (source.dialect.receiver === undefined) return found;
  for (const node of source.tree.root.children) {
    const text = receiverOf(source, node);
    if (text !== undefined) found.set(text, [...(found.get(text) ?? []), node]);
  }
  return found;
}

function receiverOf(source: Source, method: SyntaxNode): string | undefined {
  const receiver = method.children.find(
    (child) => child.field !== undefined && child.field === source.dialect.receiver,
  );
  return (
    receiver &&
    codeOf(source, receiver)
      .replace(/[()*\s]+/g, " ")
      .trim()
  );
}

/** The scope of a receiver's field: all methods of its type with the same receiver name. */
function ownMethods(source: Source, object: SyntaxNode, receivers: Receivers): readonly SyntaxNode[] {
  if (receivers.size === 0 || roleOf(source, object) !== "identifier") return [];
  const method = [...parentsOf(object)].find((parent) => receiverOf(source, parent) !== undefined);
  const text = method && receiverOf(source, method);
  return text?.startsWith(`${codeOf(source, object)} `) ? (receivers.get(text) ?? []) : [];
}
