/** What readers of definitions share: the tokens of one text, and the definitions found so far. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";
import type { Names } from "./names.ts";
import type { Tokens } from "./tokens.ts";

/** A definition as words tell it; indices of tokens. */
export interface LexicalDefinition {
  kind: DefinitionKind;
  /** The token of its name. */
  readonly name: number;
  /** The first token of its statement. */
  readonly first: number;
  /** Where its head ends: the token of its body, or after its last. */
  readonly headEnd: number;
  readonly container: number;
  /** Name's number of the type that it belongs to, where another place says it. */
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

/** No token has it. */
export const nothing = -1000;
