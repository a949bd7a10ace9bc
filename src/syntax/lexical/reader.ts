/** State that all readers of definitions share: the tokens of one text and the definitions found so far. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import type { Names } from "./names.ts";
import type { Tokens } from "./tokens.ts";

/** A definition read from words alone. Positions are token indices. */
export interface LexicalDefinition {
  kind: DefinitionKind;
  /** The token that contains the definition's name. */
  readonly name: number;
  /** The first token of the definition's statement. */
  readonly first: number;
  /** The token that ends the definition's head: the start of the body, or one past the definition's last token. */
  readonly headEnd: number;
  readonly container: number;
  /**
   * The type to which the definition belongs, as the number of the type's name, if the definition is outside the type's
   * text.
   */
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
