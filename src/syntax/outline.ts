/**
 * What the outline of a language is: how its tree is read into `FileSymbols` (`src/domain/code-symbols.ts`). The engine is
 * `symbols/`; a record is a tree-sitter query with the captures below, and pure functions where a query does not reach.
 *
 * A match has one of these captures, its subject:
 *
 * | capture | on | what the engine does |
 * | --- | --- | --- |
 * | `@definition.KIND` | the definition's node | name, body, parameters and type are its fields of that name, or `@name`, `@body`, `@parameters`, `@type`, or those of `@function`; `@owner` is the type that it belongs to. A function directly in a type is a method, one of `constructors` a constructor |
 * | `@prototype.KIND` | C's declaration of a function | as a definition, with `isDeclaration`; in a function it is a local variable |
| `@binding` | a declaration, or the bound name | in a function a local variable, in a type a field, else a variable or constant; parts as above |
 * | `@local` | the name of a parameter, loop variable … | its uses in the innermost scope are no references; `@type` is its type |
 * | `@scope` | a closure | holds local variables without being a definition |
 * | `@access` | C++'s `private:` | `access` of what follows in the type |
| `@block` | Rust's `impl` | what stands in it belongs to `@owner`; `@type` is the trait |
 * | `@reference.KIND` | the name | `@receiver`, `@arguments`, `@owner` |
 * | `@import` | an import's node | `imports` reads it; nothing in it is a reference |
 * | `@export` | a name | the file's definition of this name is public |
 * | `@package` | a name | `FileSymbols.module` |
 * | `@comment`, `@attribute` | what may stand above a definition | documentation; the first line, tests, visibility |
 * | `@ignore` | a leaf, or all within a node | no reference |
 *
 * Where several patterns match one name, the one that stands first in the query counts.
 */
import type { Node } from "web-tree-sitter";
import type { Definition, DefinitionKind, Import } from "../domain/code-symbols.ts";
import type { Grammar } from "./parser.ts";

/** What the pure functions of a record may look at. */
export interface DefinitionFacts {
  readonly path: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  /** The text before the body, as written and without attributes. */
  readonly header: string;
  /** Decorators, annotations, attributes above or before it, as written. */
  readonly attributes: string;
  /** The innermost definition around it. */
  readonly container: Definition | undefined;
  /** The type that it belongs to, said elsewhere. */
  readonly owner: string | undefined;
  /** The last `@access` before it in its type: `private`. */
  readonly access: string | undefined;
  /** It stands in a block that implements a trait. */
  readonly keepsPromise: boolean;
}

export type MutableDefinition = { -readonly [K in keyof Definition]: Definition[K] };

export interface Outline {
  /** A name of `src/languages/`; several records may have one, for different extensions. */
  readonly language: string;
  /** With the dot; the first is what fixtures use. */
  readonly extensions: readonly string[];
  /** For an extension that two languages share: true where the text is this one's. Records without it are asked last. */
  readonly claims?: (path: string, text: string) => boolean;
  readonly grammar: Grammar;
  readonly query: string;
  /** Other readings of a text that does not parse, of the same length; one counts where it has less than half the errors. */
  readonly readings?: readonly ((text: string) => string)[];
  /** Names that are no references: the language's own types and such. */
  readonly builtin?: ReadonlySet<string>;
  /** Names of methods that are constructors; those called like their type are always. */
  readonly constructors?: readonly string[];
  readonly isPublic: (facts: DefinitionFacts) => boolean;
  readonly isTest?: (facts: DefinitionFacts) => boolean;
  /** A variable is a constant. */
  readonly isConstant?: (facts: DefinitionFacts) => boolean;
  /** A docstring: documentation inside the body, as written. */
  readonly docstring?: (body: Node) => string | undefined;
  readonly imports?: (node: Node, path: string) => readonly Import[];
  /** What a parameter is in `Definition.parameters`, or undefined for one that is none (`self`, `*`). */
  readonly parameter?: (node: Node) => string | undefined;
  /** Last changes: what is known only when the whole file is. */
  readonly finish?: (definitions: MutableDefinition[]) => void;
}

export function defineOutline(outline: Outline): Outline {
  return outline;
}
