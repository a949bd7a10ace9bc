/** State that all readers of definitions share: the tokens of one text and the definitions found so far. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import type { Names } from "./names.ts";
import type { Tokens } from "./tokens.ts";

/** A definition read from words alone. Positions are token indices. */
export interface LexicalDefinition {
  kind: DefinitionKind;
  /** The token with its name. */
  readonly name: number;
  /** The first token of its statement. */
  readonly first: number;
  /** The token that ends its head: the start of its body, or one past its last token. */
  readonly headEnd: number;
  readonly container: number;
  /** The number of the name of the type to which it belongs, if it is outside the type's text. */
  readonly owner: number | undefined;
  endLine: number;
  readonly isPublic: boolean;
  readonly isTest: boolean;
}

export interface Reader {
  readonly tokens: Tokens;
  readonly names: Names;
  readonly found: LexicalDefinition[];
}

export function whatAt({ tokens }: Reader, index: number): number {
  return index >= 0 && index < tokens.count ? (tokens.what[index] ?? 0) : nothing;
}

export function lineAt({ tokens }: Reader, index: number): number {
  return tokens.line[Math.min(Math.max(index, 0), Math.max(tokens.count - 1, 0))] ?? 1;
}

/** The value that `whatAt` returns for an index without a token. No token has this value. */
export const nothing = -1000;
