/**
 * A dialect gives the meaning of a grammar's node kinds, and the spelling of the code that repair templates write. The
 * functions in `src/syntax/` and the repair templates work with every dialect, so another language needs only one more
 * record.
 */

import type { SyntaxNode, SyntaxTree } from "./node.ts";

/** The role of a node, independent of its name in the grammar. Some kinds have no role (punctuation, patterns). */
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
  | "binary" // arithmetic, comparison or boolean, depending on its operator
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
  | "word" // a text without quotes in a list of words: `%w(a b)`
  | "boolean"
  | "null"
  | "collection"
  | "comprehension"
  | "pair"
  | "values" // several values side by side: `a, b = f(), 1`
  | "pattern-test" // a condition that binds: `if let Some(x) = y`
  // statements, and clauses on their own line
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
  | "statement" // any other statement
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

/**
 * A part of a node. Each dialect lists for each part the names of the fields that can hold it. `KIND#1` stands for the
 * second named child of a KIND node, if the grammar has no field for it. "" stands for a child without a field.
 */
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

/**
 * The names that a node of `kind` binds. They are in the node's children with these `fields`, or in all its children if
 * `fields` is empty.
 */
export interface Binding {
  readonly kind: string;
  readonly fields: readonly string[];
  readonly as: Exclude<NameKind, "attribute">;
  /** "around": visible in the scope that contains the node (a function's own name); "inside": only within the node. */
  readonly visible: "around" | "inside";
}

export interface Operators {
  /** Groups of comparisons that programmers easily confuse. */
  readonly comparison: readonly string[];
  readonly arithmetic: readonly string[];
  readonly bitwise: readonly string[];
  /** Operators that are not commutative for all operands: `a op b` may differ from `b op a`. */
  readonly nonCommutative: readonly string[];
  readonly and: string;
  readonly or: string;
  /** The negation as written before its operand, including a space if one is needed. */
  readonly not: string;
  readonly equal: string;
  readonly notEqual: string;
  /** The comparisons among `comparison` that test equality of values. */
  readonly equalities: readonly string[];
  /** Maps each comparison to its opposite. */
  readonly opposite: Readonly<Record<string, string>>;
  /** Further confusable pairs across the groups: `==` and `===`, `==` and `is`. */
  readonly twins: readonly (readonly [string, string])[];
}

/**
 * The shape of a declared type's values. An `array` has no methods; values of `number` and `boolean` are never null.
 */
export type DeclaredShape = "number" | "boolean" | "text" | "sequence" | "array" | "object";

/**
 * A language's spelling of common code. A member is undefined, or returns undefined, if the language has no short form;
 * templates then do not write this code.
 */
export interface Spelling {
  /** A value that never equals the given one, for places that allow any value. */
  readonly unequal?: (value: string) => string;
  /** An expression that maps the values of a name: each `from` to its `to`, and all other values to `other`. */
  readonly exchange?: (
    name: string,
    values: readonly (readonly [from: string, to: string])[],
    other: string,
  ) => string;
  readonly nulls: readonly string[];
  readonly true: string;
  readonly false: string;
  /** Empty values: a function may return them, and a variable may be initialised to them. */
  readonly empties: readonly string[];
  readonly isNull: (expression: string) => string | undefined;
  readonly isNotNull: (expression: string) => string | undefined;
  /** `shape`: the shape of the expression's declared type, if known. The same holds for `sliceFrom` and `sliceTo`. */
  readonly isEmpty: (expression: string, shape?: DeclaredShape) => string | undefined;
  /**
   * For the text of an empty collection: the text of a collection that holds `value`, or of another kind of empty
   * collection.
   */
  readonly holding?: (empty: string, value: string) => string | undefined;
  /**
   * Statements (without `statementEnd`) that add the value `{v}` to the collection `{c}`. Each has a pattern for the
   * text that creates such a collection. The first match counts.
   */
  readonly adding?: readonly (readonly [empty: RegExp, ...ways: string[]])[];
  /** The value that passes a type test for an object although it is null: `x` in `typeof x === "object"`. */
  readonly passedByNull?: (test: string) => string | undefined;
  readonly orDefault: (expression: string, fallback: string) => string | undefined;
  /**
   * Ways to read `rest` (`.field`, `[0]`) of an object only if the object is present, the likeliest first. An expression
   * with spaces may need parentheses.
   */
  readonly safely?: (object: string, rest: string) => readonly string[];
  readonly conditional: (condition: string, then: string, otherwise: string) => string | undefined;
  /**
   * A whole `if` to place before a statement, on one line if the language allows that. Further lines begin with their
   * indentation relative to the first.
   */
  readonly ifLine: (condition: string, statement: string) => string;
  /** The head and tail of an `if` around statements, which get one more level of indentation. */
  readonly ifAround: (condition: string) => { readonly head: string; readonly tail: string | undefined };
  readonly statementEnd: string;
  /** The statement that begins a loop's next round; default `continue`. */
  readonly continue?: string;
  readonly length: (expression: string) => string;
  readonly sliceFrom: (expression: string, from: string, shape?: DeclaredShape) => string | undefined;
  readonly sliceTo: (expression: string, to: string, shape?: DeclaredShape) => string | undefined;
  readonly minimum: (a: string, b: string) => string | undefined;
  readonly maximum: (a: string, b: string) => string | undefined;
}

export interface Signature {
  /** The number of parameters; undefined if any number is accepted. */
  readonly parameters: number | undefined;
  readonly results: readonly string[];
}

/** Reads the types that a file's text states, in languages with written types. A type is represented by its text. */
export interface Types {
  /**
   * The type of the name that a node binds, or of a field of the current object; undefined if the text does not state
   * it.
   */
  readonly ofBinding: (tree: SyntaxTree, node: SyntaxNode) => string | undefined;
  /** The types that a function returns; empty if it returns nothing. */
  readonly ofResults: (tree: SyntaxTree, holder: SyntaxNode) => readonly string[];
  /**
   * The signature of a function or method by its name: of the file's declaration, if there is exactly one, or else of a
   * known built-in function. Otherwise undefined.
   */
  readonly ofFunction?: (tree: SyntaxTree, name: string) => Signature | undefined;
  /** The initial value for a variable of a type; undefined if it has no short spelling. */
  readonly zero: (type: string) => string | undefined;
  /**
   * A condition that is true if a value of the type reports a failure that the caller must pass on. Undefined for types
   * that report no failure.
   */
  readonly failed?: (type: string, value: string) => string | undefined;
  /** Conditions that are true if a value of the type is missing or empty, each with its opposite. */
  readonly missing: (type: string, value: string) => readonly (readonly [string, string])[];
}

export interface Dialect {
  /** The name of the language's record in `src/languages/`. */
  readonly language: string;
  /** True if a condition `0` is false. */
  readonly zeroIsFalse?: true;
  readonly roles: Readonly<Record<string, Role>>;
  /** Returns the role of a node whose kind does not determine it; undefined if `roles` applies. */
  readonly refine?: (node: SyntaxNode, tree: SyntaxTree) => Role | undefined;
  /** Kinds of nodes that only group parts of their parent, such as a loop's clause. */
  readonly through?: readonly string[];
  /** The field of a method that names its own object, for languages in which `selves` does not contain this name. */
  readonly receiver?: string;
  readonly parts: Readonly<Record<Part, readonly string[]>>;
  readonly bindings: readonly Binding[];
  /** Children in these fields (`field` or `kind.field`) of a binding's pattern bind nothing: types, defaults, keys. */
  readonly notBinding: readonly string[];
  /** Matches the names that a pattern binds; the others are constants and variants. Default: all names. */
  readonly boundNames?: RegExp;
  /** Kinds of blocks whose value is their last expression, without a statement around it. */
  readonly valueBlocks?: readonly string[];
  /** True if each expression in `valueBlocks` is a statement, because the grammar has no statement nodes there. */
  readonly bareStatements?: true;
  /** Kinds of names that are fields of the current object without a prefix: Ruby's `@total`. */
  readonly fieldNames?: readonly string[];
  /**
   * Kinds of function expressions that a loop method runs once per round, with `break` and `continue`: Ruby's blocks.
   */
  readonly rounds?: readonly string[];
  /** True if an item of a source file is test code, which is never searched for faults. */
  readonly isTest?: (tree: SyntaxTree, node: SyntaxNode) => boolean;
  /** True if the compiler rejects a function with a result if execution can reach the function's end. */
  readonly needsResult?: true;
  /** True if the scope of a name is the block that declares it; false if it is the whole function. */
  readonly blockScoped: boolean;
  /** Names for the object that a method belongs to. */
  readonly selves: readonly string[];
  readonly types?: Types;
  /** Functions of the language that convert their only argument, the commonest first. */
  readonly conversions?: readonly string[];
  readonly operators: Operators;
  readonly spelling: Spelling;
  /** For languages with declared types: the shape that a type's text implies; undefined if any shape is possible. */
  readonly shapeOfType?: (type: string) => DeclaredShape | undefined;
  /** The language's keywords and global functions, which are usable everywhere. */
  readonly keywords: readonly string[];
  /** Groups of functions and methods that programmers easily confuse. */
  readonly builtinFamilies: readonly (readonly string[])[];
}

export function defineDialect<const T extends Dialect>(dialect: T): T {
  return dialect;
}
