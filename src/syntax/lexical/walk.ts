/** The state of a reader of languages with braces: where it is, and the head of the statement that it is in. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import { type LexicalDefinition, lineAt, type Reader, whatAt } from "./reader.ts";
import type { Role, Shape } from "./shapes.ts";
import { codes, mark } from "./tokens.ts";

export type Sort = "file" | "module" | "type" | "enum" | "object" | "group" | "block";

/** What stands between braces. */
export interface Scope {
  sort: Sort;
  /** What it is the body of, or that of what is around it. */
  readonly definition: number;
  /** The body of `definition` itself. */
  readonly isBody: boolean;
  /** How many brackets were open before. */
  readonly depth: number;
  /** The type that a block is for, as a name's number. */
  readonly owner: number | undefined;
  /** Of Go's `const (…)`. */
  readonly role: Role | undefined;
  /** The statement in which it stands, for what follows its end. */
  readonly around: Statement;
  /** The statement goes on after it. */
  readonly goesOn: boolean;
}

/** From its first token; the head are those outside of brackets, up to a body or a value. */
export interface Statement {
  first: number;
  head: number[];
  inValue: boolean;
  /** The definition whose value or parameters are read, or -1. */
  valueOf: number;
}

export interface Walk extends Reader {
  readonly shape: Shape;
  /** By a name's number. */
  readonly roles: readonly (Role | undefined)[];
  readonly words: Words;
  readonly scopes: Scope[];
  statement: Statement;
  /** Tokens of the brackets that are open. */
  readonly brackets: number[];
  /** Where the bracket opened that was closed last. */
  lastOpen: number;
  /** Tests whose call is not closed: definition, and how many brackets are open around it. */
  readonly calls: { readonly definition: number; readonly depth: number }[];
  /** C's `#if`: how many scopes were open. */
  readonly branches: number[];
  /** `TYPE NAME` of the fields that methods made. */
  readonly fields: Set<string>;
}

/** Numbers of words with a meaning of their own. */
export interface Words {
  readonly public: ReadonlySet<number>;
  readonly private: ReadonlySet<number>;
  readonly tests: ReadonlySet<number>;
  /** On the next line they continue a head. */
  readonly continues: ReadonlySet<number>;
  /** 1 for a word that may tell something wherever it stands: one with a role, of a test, `this`. */
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

/** What the braces or the value after a head belong to. */
export type Opened = Pick<Scope, "sort" | "definition" | "isBody" | "owner"> & { readonly goesOn?: boolean };

/** What a head ends with. */
export type End = "{" | "=" | ":" | ";" | "," | "}" | "\n";

export const emptyStatement = (): Statement => ({ first: -1, head: [], inValue: false, valueOf: -1 });

/** One literal: objects that are made in one place are read faster. */
export function openScope(walk: Pick<Walk, "scopes">, scope: Scope): void {
  const { sort, definition, isBody, depth, owner, role, around, goesOn } = scope;
  walk.scopes.push({ sort, definition, isBody, depth, owner, role, around, goesOn });
}

export function scopeOf({ scopes }: Walk): Scope {
  const scope = scopes.at(-1);
  if (scope === undefined) throw new RangeError("A text is a scope itself.");
  return scope;
}

/** A statement of it may define without a keyword that is valid anywhere. */
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

/** Its number among those found. */
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

/** The role of a token as a keyword: names of that spelling stand elsewhere. */
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

/** After the bracket that closes the one at `open`; its own place where it is not closed soon. */
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

/** After the type arguments at `open`; its own place where they are none. */
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
