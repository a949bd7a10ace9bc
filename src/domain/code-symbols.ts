/**
 * The symbols of one file: definitions, references and imports. Millwright reads them from the file's syntax alone.
 */

/** The kinds of types. `type`: a type alias. */
export const typeKinds = ["class", "struct", "trait", "interface", "enum", "type"] as const;
export const callableKinds = ["function", "method", "constructor", "macro"] as const;
/** The kinds of values. `field`: a field or property of a class, struct or interface, or an enum member. */
export const valueKinds = ["variable", "constant", "field"] as const;
/**
 * The kind of a definition. `module`: a namespace, package or module block inside a file. `test`: a test that is not a
 * function (`it("…", …)`, `TEST(…)`). `section`: a section of a document.
 */
export type DefinitionKind =
  | "module"
  | (typeof typeKinds)[number]
  | (typeof callableKinds)[number]
  | (typeof valueKinds)[number]
  | "test"
  | "section";

/**
 * A place in a text. Lines count from 1. Columns count UTF-16 code units from 0. In contrast, a language server counts
 * lines from 0.
 */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Definition {
  readonly kind: DefinitionKind;
  /** The name in the source; for a section of a document, its heading. */
  readonly name: string;
  /**
   * Index in `definitions` of the innermost enclosing definition, or -1 for the file. Go methods and functions of
   * `impl` blocks have their type as container, if the file defines the type.
   */
  readonly container: number;
  /**
   * The type to which the definition belongs, if the definition is outside the type's body: Go's receiver, Rust's
   * `impl`, C++'s `A::f`.
   */
  readonly owner?: string;
  /** Lines from 1, inclusive. Includes decorators and attributes, not the comment above. */
  readonly startLine: number;
  readonly endLine: number;
  /** The position of the definition's name. */
  readonly at: Place;
  /**
   * One line without the body, spaces collapsed, at most 300 characters: `def pick(self, items, *, limit=10) -> list`.
   */
  readonly signature: string;
  /** The definition's docstring or doc comment without comment marks, at most 2,000 characters. */
  readonly documentation?: string;
  /** For functions and methods: the number of parameters, without `self`. `parameters` distinguishes overloads. */
  readonly arity?: number;
  /** The parameters' types as in the source, joined by ","; a parameter without a type contributes its name. */
  readonly parameters?: string;
  /** The declared type of a variable or field, or the return type of a function, as written. */
  readonly type?: string;
  /** True for a test function or method that a test framework runs. */
  readonly isTest?: boolean;
  /** True for a declaration whose definition is elsewhere: a prototype in C or C++. */
  readonly isDeclaration?: boolean;
  /**
   * True if other files can name the definition: `export`, `pub`, `public`, a capital in Go, no leading underscore in
   * Python.
   */
  readonly isPublic: boolean;
}

export type ReferenceKind =
  | "call" // also `new A()` and macros
  | "inherits" // extends, implements, a supertrait, a base class, an embedded struct
  | "implements" // Rust's `impl Trait for Type`: `within` is the type if it is in this file, else `owner`
  | "type" // a name used as a type
  | "name"; // any other use of a name that is not a local variable's

export interface Reference {
  readonly kind: ReferenceKind;
  /** The last segment: `c` of `a.b.c()`. */
  readonly name: string;
  /** The text before the name, as written: `a.b`, `self`, `super`, `this`; `Foo::<T>` without arguments as `Foo`. */
  readonly receiver?: string;
  /**
   * The type of a receiver that is a local variable or parameter, if its declaration states the type: `Parcel`, also
   * `new Parcel()`.
   */
  readonly receiverType?: string;
  /**
   * For a receiver with several parts: the type of the first part, if it is a local variable or parameter with a
   * declared type.
   */
  readonly headType?: string;
  /** The number of arguments of a call. */
  readonly arity?: number;
  readonly at: Place;
  /** Index in `definitions` of the innermost enclosing definition, or -1 for the file. */
  readonly within: number;
  /** The type that the block of an `implements` reference extends. */
  readonly owner?: string;
}

export interface Import {
  /** The import's source, as written and without quotes: `./a.js`, `..pkg.mod`, `crate::util`, `<vector>`. */
  readonly source: string;
  /** The imported name; undefined for the module itself, "*" for everything. */
  readonly name?: string;
  /** The local name; undefined if the import binds none (`import "x"`, `#include`, `*`). */
  readonly alias?: string;
  /** True if the file re-exports the import under its local name. */
  readonly exported?: boolean;
  readonly line: number;
}

export interface FileSymbols {
  /** The language of the file's outline in `src/syntax/outlines/`; otherwise "markdown" or "restructuredtext". */
  readonly language: string;
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
  readonly imports: readonly Import[];
  /** The package, namespace or module declared by the file: `package a.b;`, `package main`. */
  readonly module?: string;
  /** Number of syntax errors; 0 for correct text. */
  readonly syntaxErrors: number;
  /** The reason why Millwright did not parse the text: binary, minified, too large, too slow. */
  readonly skipped?: string;
}
