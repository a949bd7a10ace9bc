/**
 * A dialect says what a grammar's node kinds mean to us and how the language spells what we write. With it the
 * readings of `src/syntax/` and the repair templates are written once; a language more is one record more.
 */

import type { SyntaxNode, SyntaxTree } from "./node.ts";

/** What a node is, whatever its grammar calls it. A kind without a role is of no interest (punctuation, patterns). */
export type Role =
  // expressions
  | "identifier"
  | "self"
  | "attribute"
  | "subscript"
  | "slice"
  | "call"
  | "arguments"
  | "keyword-argument"
  | "spread"
  | "binary" // arithmetic, comparison and boolean: its operator tells
  | "unary"
  | "update"
  | "parentheses"
  | "conditional"
  | "function-expression"
  | "await"
  | "yield"
  | "cast"
  | "number"
  | "string"
  | "boolean"
  | "null"
  | "collection"
  | "comprehension"
  | "pair"
  | "values" // several side by side: `a, b = f(), 1`
  | "pattern-test" // a condition that binds: `if let Some(x) = y`
  // statements, and clauses with a line of their own
  | "expression-statement"
  | "assignment"
  | "augmented-assignment"
  | "declaration"
  | "declarator"
  | "return"
  | "raise"
  | "assert"
  | "if"
  | "else-if"
  | "while"
  | "for"
  | "for-each"
  | "break"
  | "continue"
  | "pass"
  | "statement" // any other
  // structure
  | "block"
  | "module"
  | "function"
  | "class"
  | "parameters"
  | "import"
  | "decorator"
  | "comment"
  | "type";

/** A part of a node; each dialect names the fields that can hold it; where the grammar has none, `KIND#1` is the second named child, and "" one in no field. */
export type Part =
  | "callee"
  | "arguments"
  | "object" // of an attribute or a subscript
  | "member"
  | "index"
  | "condition"
  | "left"
  | "right"
  | "operand"
  | "target" // of an assignment or a declarator
  | "value" // of an assignment, a declarator or a parameter with a default
  | "name"
  | "parameters"
  | "iterable";

export type NameKind = "parameter" | "local" | "loop" | "function" | "class" | "import" | "attribute";

/** A node of `kind` binds the names in its children of `fields` (all its children when there are none). */
export interface Binding {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly as: Exclude<NameKind, "attribute">;
  /** "around": in the scope that holds the node (a function's own name); "inside": within it only. */
  readonly visible: "around" | "inside";
}

export interface Operators {
  /** Groups within which one is easily written for another; all are comparisons. */
  readonly comparison: readonly string[];
  readonly arithmetic: readonly string[];
  readonly bitwise: readonly string[];
  /** `a op b` differs from `b op a` for each of these, for some operands at least. */
  readonly nonCommutative: readonly string[];
  readonly and: string;
  readonly or: string;
  /** As it stands before its operand, with a space where one is needed. */
  readonly not: string;
  readonly equal: string;
  readonly notEqual: string;
  /** Those of `comparison` that ask for equality of values. */
  readonly equalities: readonly string[];
  /** The comparison that is the opposite of each. */
  readonly opposite: Readonly<Record<string, string>>;
  /** Confusable twins beyond the groups: `==` and `===`, `==` and `is`. */
  readonly twins: readonly (readonly [string, string])[];
}

/** What a declared type says of the values: `array` has no methods, `number` and `boolean` are never null. */
export type DeclaredShape = "number" | "boolean" | "text" | "sequence" | "array" | "object";

/** What a language has no short form for is undefined: templates leave it out. */
export interface Spelling {
  readonly nulls: readonly string[];
  readonly true: string;
  readonly false: string;
  /** What a function may return, or a variable start with, when it has nothing. */
  readonly empties: readonly string[];
  readonly isNull: (expression: string) => string | undefined;
  readonly isNotNull: (expression: string) => string | undefined;
  readonly isEmpty: (expression: string) => string | undefined;
  /** The value that a test takes for an object though it is null: `x` of `typeof x === "object"`. */
  readonly passedByNull?: (test: string) => string | undefined;
  readonly orDefault: (expression: string, fallback: string) => string | undefined;
  readonly conditional: (condition: string, then: string, otherwise: string) => string | undefined;
  /**
   * A whole `if`, on one line where the language lets it stand on one, to be placed before a statement. Further lines begin
   * with their indentation below the first.
   */
  readonly ifLine: (condition: string, statement: string) => string;
  /** The head and tail of an `if` around statements that get one level of indentation more. */
  readonly ifAround: (condition: string) => { readonly head: string; readonly tail: string | undefined };
  readonly statementEnd: string;
  /** How a loop's next round is begun; `continue` unless said. */
  readonly continue?: string;
  readonly length: (expression: string) => string;
  readonly sliceFrom: (expression: string, from: string) => string | undefined;
  readonly sliceTo: (expression: string, to: string) => string | undefined;
  readonly minimum: (a: string, b: string) => string | undefined;
  readonly maximum: (a: string, b: string) => string | undefined;
}

export interface Signature {
  /** How many; undefined where any number is taken. */
  readonly parameters: number | undefined;
  readonly results: readonly string[];
}

/** What a file's text says of types, in a language that writes them; a type is its text. */
export interface Types {
  /** Of the name that a node binds, or of a field of the own object; undefined where the text leaves it open. */
  readonly ofBinding: (tree: SyntaxTree, node: SyntaxNode) => string | undefined;
  /** Of what a function returns; none where it returns nothing. */
  readonly ofResults: (tree: SyntaxTree, holder: SyntaxNode) => readonly string[];
  /** Of a function or method by its own name, where the file declares one of that name. */
  readonly ofFunction?: (tree: SyntaxTree, name: string) => Signature | undefined;
  /** The value that a variable of a type starts with; undefined where it has no short spelling. */
  readonly zero: (type: string) => string | undefined;
  /** A test that a value tells of a failure, which the caller has to hand on; undefined for types that do not. */
  readonly failed?: (type: string, value: string) => string | undefined;
  /** Tests that a value of a type is missing or empty, each with its opposite. */
  readonly missing: (type: string, value: string) => readonly (readonly [string, string])[];
}

export interface Dialect {
  /** The name of the language's record in `src/languages/`. */
  readonly language: string;
  readonly roles: Readonly<Record<string, Role>>;
  /** The role of a node whose kind alone does not tell it; undefined where `roles` holds. */
  readonly refine?: (node: SyntaxNode, tree: SyntaxTree) => Role | undefined;
  /** Kinds of nodes that only hold parts of the node around them: the clause of a loop. */
  readonly through?: readonly string[];
  /** The field of a method in which its own object is named, where that is not one of `selves`. */
  readonly receiver?: string;
  readonly parts: Readonly<Record<Part, readonly string[]>>;
  readonly bindings: readonly Binding[];
  /** Children in these fields (`field`, or `kind.field`) of a binding's pattern bind nothing: types, defaults, keys. */
  readonly notBinding: readonly string[];
  /** Which names in a pattern bind; the others are constants and variants. All where it is left out. */
  readonly boundNames?: RegExp;
  /** Kinds of blocks whose last expression is their value, without a statement around it. */
  readonly valueBlocks?: readonly string[];
  /** In `valueBlocks` each expression is a statement: the grammar has no node around one. */
  readonly bareStatements?: true;
  /** Kinds of names that are fields of the object around them without a word before: Ruby's `@total`. */
  readonly fieldNames?: readonly string[];
  /** Kinds of function expressions that a loop's method runs once a round, with `break` and `continue`: Ruby's blocks. */
  readonly rounds?: readonly string[];
  /** True for an item of a source file that is test code: no fault is looked for in it. */
  readonly isTest?: (tree: SyntaxTree, node: SyntaxNode) => boolean;
  /** True where a name lives in the block that declares it; false where it lives in the function. */
  readonly blockScoped: boolean;
  /** Spellings of the object that a method belongs to. */
  readonly selves: readonly string[];
  readonly types?: Types;
  readonly operators: Operators;
  readonly spelling: Spelling;
  /** For languages whose declarations carry types: the shape that a type's text shows; undefined where it may be any. */
  readonly shapeOfType?: (type: string) => DeclaredShape | undefined;
  /** Words of the language itself, and functions that every program may use: they are at home everywhere. */
  readonly keywords: readonly string[];
  /** Functions and methods that are mistaken for one another; each group is a family. */
  readonly builtinFamilies: readonly (readonly string[])[];
}

export function defineDialect<const T extends Dialect>(dialect: T): T {
  return dialect;
}
