/** What one file says of the code base, as syntax alone tells it: what it defines, what it names, what it imports. */

/** `type` is an alias. */
export const typeKinds = ["class", "struct", "trait", "interface", "enum", "type"] as const;
export const callableKinds = ["function", "method", "constructor", "macro"] as const;
/** `field`: of a class, struct or interface; properties and enum members too. */
export const valueKinds = ["variable", "constant", "field"] as const;
/**
 * `module`: a namespace, package or module block inside a file; `test`: a test that is no function (`it("…", …)`, `TEST(…)`); `section`:
 * of a document.
 */
export type DefinitionKind =
  | "module"
  | (typeof typeKinds)[number]
  | (typeof callableKinds)[number]
  | (typeof valueKinds)[number]
  | "test"
  | "section";

/** A place in a text: lines from 1, columns from 0 in UTF-16 code units, as language servers count them. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

export interface Definition {
  readonly kind: DefinitionKind;
  /** As it is written; a document's section has its heading. */
  readonly name: string;
  /** Index in `definitions` of the innermost definition around it, or -1: the file. A Go method or an `impl` block's function
   *  has the type as its container where that stands in the same file. */
  readonly container: number;
  /** The type that it belongs to where that is said in another place than around it: Go's receiver, Rust's `impl`, C++'s `A::f`. */
  readonly owner?: string;
  /** Lines from 1, both included; with decorators and attributes, without the comment above. */
  readonly startLine: number;
  readonly endLine: number;
  /** Where its name stands. */
  readonly at: Place;
  /** One line without the body, spaces collapsed, at most 300 characters: `def pick(self, items, *, limit=10) -> list`. */
  readonly signature: string;
  /** Its docstring or doc comment without comment marks, at most 2,000 characters. */
  readonly documentation?: string;
  /** Of functions and methods: how many parameters, without `self`; what tells overloads apart is `parameters`. */
  readonly arity?: number;
  /** The parameters' types, else names, as written, joined by ",". */
  readonly parameters?: string;
  /** The declared type of a variable or field, what a function returns; as written. */
  readonly type?: string;
  /** Is run by a test framework: a test function or method. */
  readonly isTest?: boolean;
  /** It is only declared here and defined in another place: a prototype of C or C++. */
  readonly isDeclaration?: boolean;
  /** Can be named from another file: `export`, `pub`, `public`, a capital in Go, no leading underscore in Python. */
  readonly isPublic: boolean;
}

export type ReferenceKind =
  | "call" // also `new A()` and macros
  | "inherits" // extends, implements, a supertrait, a base class, an embedded struct
  | "implements" // Rust's `impl Trait for Type`: `within` is the type where it is in this file, else `owner`
  | "type" // a name in a type's place
  | "name"; // any other use of a name that is not a local variable's

export interface Reference {
  readonly kind: ReferenceKind;
  /** The last segment: `c` of `a.b.c()`. */
  readonly name: string;
  /** What stands before it, as written: `a.b`, `self`, `super`, `this`, `Foo::<T>` without arguments as `Foo`. */
  readonly receiver?: string;
  /** The type of a receiver that is a local variable or parameter, where its declaration says it: `Parcel`, `new Parcel()` too. */
  readonly receiverType?: string;
  /** Of a receiver with several parts: the type of its first, where that is a local variable or parameter whose declaration says it. */
  readonly headType?: string;
  /** Of calls: how many arguments. */
  readonly arity?: number;
  readonly at: Place;
  /** Index in `definitions` of the innermost definition around it, or -1: the file. */
  readonly within: number;
  /** For `implements`: the type that the block is for. */
  readonly owner?: string;
}

export interface Import {
  /** What is imported from, as written and without quotes: `./a.js`, `..pkg.mod`, `crate::util`, `<vector>`. */
  readonly source: string;
  /** The name there; undefined is the module itself, "*" everything. */
  readonly name?: string;
  /** The name here; undefined where none is bound (`import "x"`, `#include`, `*`). */
  readonly alias?: string;
  /** It is exported again under its name here. */
  readonly exported?: boolean;
  readonly line: number;
}

export interface FileSymbols {
  /** A name of `src/languages/`, or "c", "markdown", "restructuredtext". */
  readonly language: string;
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
  readonly imports: readonly Import[];
  /** The package, namespace or module that the file says it belongs to: `package a.b;`, `package main`. */
  readonly module?: string;
  /** Places that do not parse; 0 for correct text. */
  readonly syntaxErrors: number;
  /** Why nothing was read of the text: binary, minified, too large, too slow. */
  readonly skipped?: string;
}
