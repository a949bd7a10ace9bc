/** A repair template: a record that replaces a piece of code, in any dialect. */
import type { Role } from "../syntax/dialect.ts";
import type { SyntaxNode } from "../syntax/node.ts";
import { codeOf, type Source } from "../syntax/reading.ts";
import type { ScopeName } from "../syntax/scope.ts";
import type { Statement } from "../syntax/statements.ts";
import type { FileContext } from "./file-context.ts";

/** A node that a template may change, and the node's context. */
export interface Site {
  readonly source: Source;
  readonly node: SyntaxNode;
  readonly role: Role;
  /** The statement that contains the node, or that is the node. */
  readonly statement: Statement;
  readonly context: FileContext;
  /** Variables (no functions, classes, imports) usable before the statement, those of its function first. */
  readonly variables: readonly ScopeName[];
}

export interface Edit {
  /** UTF-16 offsets into the file's text. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** A factor for the template's prior, 0..1; default 1. */
  readonly weight?: number;
  /** A description for people. Default: derived from the texts. */
  readonly description?: string;
}

export interface Template {
  /** The template's name, in kebab-case. */
  readonly name: string;
  readonly description: string;
  /** The tool or paper that introduced the template. */
  readonly source: string;
  /** The frequency with which the template gives the correct repair, relative to the other templates: 0..1. */
  readonly prior: number;
  /** The roles of the template's nodes; "any-statement" stands for a whole statement of any role. */
  readonly at: readonly (Role | "any-statement")[];
  /** Edits at one site, the likeliest first. Millwright drops undefined, and edits beyond its limit per site. */
  readonly apply: (site: Site) => Iterable<Edit | undefined>;
}

export function defineTemplate<const T extends Template>(template: T): T {
  return template;
}

export function textAt(site: Site, node: SyntaxNode = site.node): string {
  return codeOf(site.source, node);
}

/**
 * Returns an edit that replaces the node with `replacement`. Undefined if `replacement` is undefined, because the
 * language has no short form for it. `weight`: a factor for the template's prior.
 */
export function replaceNode(node: SyntaxNode, replacement: string, weight?: number): Edit;
export function replaceNode(
  node: SyntaxNode,
  replacement: string | undefined,
  weight?: number,
): Edit | undefined;
export function replaceNode(node: SyntaxNode, replacement: string | undefined, weight = 1): Edit | undefined {
  return replacement === undefined ? undefined : { start: node.start, end: node.end, replacement, weight };
}
