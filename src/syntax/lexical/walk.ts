/** The state of the reader for brace languages: its position and the head of the current statement. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import { type LexicalDefinition, lineAt, type Reader, whatAt } from "./reader.ts";
import type { Role, Shape } from "./shapes.ts";
import { codes, mark } from "./tokens.ts";

export type Sort = "file" | "module" | "type" | "enum" | "object" | "group" | "block";

/** A region between braces, or the whole file. */
export interface Scope {
  sort: Sort;
  /** The definition whose body this is, or else the enclosing definition. */
  readonly definition: number;
  /** True if the scope is the body of `definition` itself. */
  readonly isBody: boolean;
  /** The number of brackets open before it. */
  readonly depth: number;
  /** The type to which a block belongs, as the number of its name. */
  readonly owner: number | undefined;
  /** The keyword's role in Go's `const (…)`. */
  readonly role: Role | undefined;
  /** The enclosing statement, resumed after the scope ends. */
  readonly around: Statement;
  /** True if the statement continues after the scope. */
  readonly goesOn: boolean;
}

/**
 * A statement that the reader has begun, from its first token on. The statement's head contains its tokens outside
 * brackets, up to a body or a value.
 */
export interface Statement {
  first: number;
  head: number[];
  inValue: boolean;
  /** The definition whose value or parameters are being read, or -1. */
  valueOf: number;
}

export interface Walk extends Reader {
  readonly shape: Shape;
  /** The role of each name, by the name's number. */
  readonly roles: readonly (Role | undefined)[];
  readonly words: Words;
  readonly scopes: Scope[];
  statement: Statement;
  /** The tokens of the open brackets. */
  readonly brackets: number[];
  /** The opening token of the bracket closed last. */
  lastOpen: number;
  /** Tests whose call is still open: the definition and the number of open brackets around it. */
  readonly calls: { readonly definition: number; readonly depth: number }[];
  /** For each open C `#if`, the number of open scopes. */
  readonly branches: number[];
  /** `TYPE NAME` of the fields that methods assigned. */
  readonly fields: Set<string>;
}

/** The words with a special meaning in a language, each as the number of its name. */
export interface Words {
  readonly public: ReadonlySet<number>;
  readonly private: ReadonlySet<number>;
  readonly tests: ReadonlySet<number>;
  /** Words that continue the head if they start a line. */
  readonly continues: ReadonlySet<number>;
  /** 1 for words that may matter anywhere: those with a role, test functions, `this`. */
  readonly telling: Uint8Array;
  readonly of: Readonly<Record<(typeof wordNames)[number], number>>;
}

export const wordNames = [
  "enum",
  "impl",
  "import",
  "fn",
  "struct",
  "interface",
  "typedef",
  "for",
  "where",
  "final",
  "operator",
  "define",
  "if",
  "ifdef",
  "ifndef",
  "else",
  "elif",
  "endif",
  "function",
  "async",
  "class",
  "new",
  "object",
  "this",
  "const",
  "return",
  "static",
  "unsafe",
  "extern",
] as const;

/** The properties of the scope that a statement's braces or value open. */
export type Opened = Pick<Scope, "sort" | "definition" | "isBody" | "owner"> & { readonly goesOn?: boolean };

/** The token that ends a definition's head. */
export type End = "{" | "=" | ":" | ";" | "," | "}" | "\n";

export const emptyStatement = (): Statement => ({ first: -1, head: [], inValue: false, valueOf: -1 });

/**
 * Opens a scope. Builds every scope with the same object literal. All scopes then have one hidden class, and the engine
 * reads them fast.
 */
export function openScope(walk: Pick<Walk, "scopes">, scope: Scope): void {
  const { sort, definition, isBody, depth, owner, role, around, goesOn } = scope;
  walk.scopes.push({ sort, definition, isBody, depth, owner, role, around, goesOn });
}

export function scopeOf({ scopes }: Walk): Scope {
  const scope = scopes.at(-1);
  if (scope === undefined) throw new RangeError("The walk has no scope, not even the text's own.");
  return scope;
}

/** True if a statement in the scope may define something without a keyword. */
export function declares({ sort }: Scope): boolean {
  return sort !== "block";
}

interface NewDefinition {
  readonly kind: DefinitionKind;
  readonly name: number;
  readonly headEnd: number;
  readonly owner?: number | undefined;
  readonly isTest?: boolean;
}

/** Adds a definition in the current scope, and returns its index. */
export function addDefinition(
  walk: Walk,
  { kind, name, headEnd, owner, isTest = false }: NewDefinition,
): number {
  const { found, statement } = walk;
  const scope = scopeOf(walk);
  const inType = scope.sort === "type" || scope.sort === "enum";
  const own = kind === "function" && inType ? "method" : kind === "variable" && inType ? "field" : kind;
  const definition: LexicalDefinition = {
    kind: own,
    name,
    first: statement.first >= 0 ? statement.first : name,
    headEnd,
    container: scope.definition,
    owner: owner ?? scope.owner,
    endLine: lineAt(walk, Math.max(headEnd - 1, name)),
    isPublic: isPublic(walk, name),
    isTest,
  };
  return found.push(definition) - 1;
}

function isPublic(walk: Walk, name: number): boolean {
  const { shape, words, statement, tokens } = walk;
  const isSaid = (said: ReadonlySet<number>): boolean =>
    statement.head.some((token) => said.has(whatAt(walk, token)));
  if (shape.capitalIsPublic === true) return /^\p{Lu}/u.test(walk.names.textOf(tokens.what[name] ?? 0));
  if (isSaid(words.private)) return false;
  if (shape.publicWords === undefined || isSaid(words.public)) return true;
  const scope = scopeOf(walk);
  const around = walk.found[scope.definition];
  return (
    around?.isPublic === true &&
    (shape.hasObjects
      ? scope.sort !== "block"
      : scope.sort === "enum" || around.kind === "interface" || around.kind === "trait")
  );
}

/** Returns the role of a token that is used as a keyword; undefined if the token is a name there. */
export function roleAt(walk: Walk, token: number): Role | undefined {
  const role = walk.roles[whatAt(walk, token)];
  if (role === undefined) return undefined;
  const before = whatAt(walk, token - 1);
  if (before === codes.dot || (before === codes.colon && whatAt(walk, token - 2) === codes.colon))
    return undefined;
  const next = whatAt(walk, token + 1);
  if (next === codes.openBrace)
    return role.needsBody === true || walk.shape.members === "none" ? role : undefined;
  return next >= 0 || openers.has(next) ? role : undefined;
}

const openers: ReadonlySet<number> = new Set(["(", "<", "*", "!", "["].map(mark));

/**
 * Returns the index after the bracket that closes the bracket at `open`. If no closing bracket follows within `most`
 * tokens, returns `open` itself.
 */
export function afterBracket(walk: Walk, open: number, most = 2000): number {
  let depth = 0;
  for (let index = open; index < walk.tokens.count && index < open + most; index++) {
    const what = whatAt(walk, index);
    if (what === codes.openRound || what === codes.openSquare || what === codes.openBrace) depth++;
    else if (
      (what === codes.closeRound || what === codes.closeSquare || what === codes.closeBrace) &&
      --depth === 0
    )
      return index + 1;
  }
  return open;
}

/**
 * Returns the index after the type arguments that begin at `open`. If none begin there, or they do not end within 200
 * tokens, returns `open` itself.
 */
export function afterAngle(walk: Walk, open: number): number {
  let depth = 0;
  for (let index = open; index < walk.tokens.count && index < open + 200; index++) {
    const what = whatAt(walk, index);
    if (what === codes.less) depth++;
    else if (what === codes.more) {
      const before = whatAt(walk, index - 1);
      if (before === codes.dash || before === codes.equals) continue;
      if (--depth === 0) return index + 1;
    } else if (what === codes.semicolon || (what === codes.openBrace && !walk.shape.hasObjects)) return open;
  }
  return open;
}
