/**
 * The outline of a language: the rules that convert its tree to `FileSymbols` (`src/domain/code-symbols.ts`). The
 * engine is `symbols/`. A record is a tree-sitter query with the captures below, and pure functions for facts that a
 * query cannot express.
 *
 * A match has one of these captures, its subject:
 *
 * | capture | on | what the engine does |
 * | --- | --- | --- |
 * | `@definition.KIND` | the definition's node | name, body, parameters and type are its fields of that name, or `@name`, `@body`, `@parameters`, `@type`, or those of `@function`; `@owner` is the type that it belongs to. A function directly in a type is a method, one of `constructors` a constructor |
 * | `@prototype.KIND` | C's declaration of a function | adds a definition with `isDeclaration`; in a function, a local variable |
 * | `@binding` | a declaration, or the bound name | adds a local variable in a function, a field in a type, otherwise a variable or constant; parts as above |
 * | `@local` | the name of a parameter, loop variable … | its uses in the innermost scope are not references; `@type` is its type |
 * | `@scope` | a closure | holds local variables without being a definition |
 * | `@access` | C++'s `private:` | sets `access` of the following members of the type |
 * | `@block` | Rust's `impl` | definitions in it belong to `@owner`; `@type` is the trait |
 * | `@reference.KIND` | the name | `@receiver`, `@arguments`, `@owner` |
 * | `@import` | an import's node | `imports` reads it; nothing in it is a reference |
 * | `@export` | a name | makes the file's definition of this name public |
 * | `@package` | a name | sets `FileSymbols.module` |
 * | `@comment`, `@attribute` | text above a definition | reads documentation, the first line, tests, visibility |
 * | `@ignore` | a leaf, or all leaves within a node | makes no references |
 *
 * If several patterns match one name, the first in the query counts.
 */
import type { Node } from "web-tree-sitter";
import type { Definition, DefinitionKind, Import } from "../domain/code-symbols.ts";
import type { Lexicon } from "./lexical/lexicon.ts";
import type { NameRules } from "./name-rules.ts";
import type { Grammar } from "./parser.ts";

/** Facts about a definition, as input for the pure functions of an outline. */
export interface DefinitionFacts {
  readonly path: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  /** The text before the body, as written, without attributes. */
  readonly header: string;
  /** Decorators, annotations and attributes above or before the definition, as written. */
  readonly attributes: string;
  /** The innermost enclosing definition. */
  readonly container: Definition | undefined;
  /** The type to which the definition belongs, if the definition is outside the type's text. */
  readonly owner: string | undefined;
  /** The last `@access` before the definition in its type, such as `private`. */
  readonly access: string | undefined;
  /** True if a block that implements a trait contains the definition. */
  readonly keepsPromise: boolean;
}

/** Possible places of an imported module, likeliest first. */
export interface ModulePlaces {
  /** Paths from the repository's root. */
  readonly paths?: readonly string[];
  /** Ends of paths, with the file extension, because imports do not contain the folders that the language searches. */
  readonly endings?: readonly string[];
  /**
   * The parts of a name. Its longest beginning that is a file's `module`, joined by `separator`, names the module. The
   * other parts name members of this module.
   */
  readonly parts?: readonly string[];
  /** The separator of a module's path; default: a dot. */
  readonly separator?: string;
}

export type MutableDefinition = { -readonly [K in keyof Definition]: Definition[K] };

export interface Outline {
  /**
   * The language's name: that of its record in `src/languages/`, if it has one. Outlines for different extensions may
   * share it.
   */
  readonly language: string;
  /** File extensions with the dot. Fixtures use the first. */
  readonly extensions: readonly string[];
  /**
   * For an extension that two languages share: true if the text is in this language. Millwright tries outlines without
   * `claims` last.
   */
  readonly claims?: (path: string, text: string) => boolean;
  readonly grammar: Grammar;
  readonly query: string;
  /**
   * Alternative texts of the same length for a text that does not parse. Millwright uses one that at least halves the
   * errors.
   */
  readonly readings?: readonly ((text: string) => string)[];
  /** Names that are not references, such as built-in types. */
  readonly builtin?: ReadonlySet<string>;
  /** Method names that are constructors. Methods named like their type always are. */
  readonly constructors?: readonly string[];
  readonly isPublic: (facts: DefinitionFacts) => boolean;
  readonly isTest?: (facts: DefinitionFacts) => boolean;
  /** True if a variable is a constant. */
  readonly isConstant?: (facts: DefinitionFacts) => boolean;
  /** Returns the documentation inside the body, as written; undefined if there is none. */
  readonly docstring?: (body: Node) => string | undefined;
  readonly imports?: (node: Node, path: string) => readonly Import[];
  /** The parameter's entry in `Definition.parameters`; undefined for parameters such as `self` and `*`. */
  readonly parameter?: (node: Node) => string | undefined;
  /**
   * Rules to read a file's words before it is parsed. Without these rules, the index knows a file only once it is
   * parsed.
   */
  readonly words?: Lexicon;
  /** Rules for the meaning of names. By default, imports are strict and objects are called `this`. */
  readonly names?: NameRules;
  /**
   * The possible places of the module that a file at `path` imports as `source`. More complex rules are in
   * `src/graph/imports/`.
   */
  readonly modules?: (source: string, path: string) => ModulePlaces;
  /** True if callers may write the names of parameters: `f(width=1)`. */
  readonly namedArguments?: true;
  /** Makes final changes, which need the whole file. */
  readonly finish?: (definitions: MutableDefinition[]) => void;
}

export function defineOutline(outline: Outline): Outline {
  return outline;
}
