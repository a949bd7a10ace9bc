/** The forms of definitions in brace languages, as tables for `braces.ts`. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";

/** The kind of definition that a keyword begins, and the form of this definition. */
export interface Role {
  readonly kind: DefinitionKind;
  /** The kind of code between the definition's braces. */
  readonly opens: "type" | "enum" | "module" | "block";
  /** True if the definition may also be inside functions. */
  readonly anywhere?: true;
  /** True if only a text with braces is a definition: `struct a b;` only uses a type. */
  readonly needsBody?: true;
  /** True if the last name before the parameters is the definition's name, as in Kotlin's `fun Type.name(`. */
  readonly lastName?: true;
}

export interface Shape {
  readonly roles: Readonly<Record<string, Role>>;
  /**
   * The form of type members without a keyword; "none" if each member has a keyword. A name before `(` is a method, and
   * a name before `=`, `;` or `:` is a field.
   */
  readonly members: "declarators" | "named" | "colon" | "lines" | "none";
  /** True if such declarators may also be at file level, as in C. */
  readonly declaratorsInFiles: boolean;
  /** True if a statement may end at the end of its line. */
  readonly lines: boolean;
  /** True if a comma ends a statement in all types, not only in enums. */
  readonly commas: boolean;
  /** A head with one of these words is public; if absent, every head. Words in `privateWords` have precedence. */
  readonly publicWords?: readonly string[];
  readonly privateWords?: readonly string[];
  readonly capitalIsPublic?: true;
  /** Functions whose first argument is a test's name. */
  readonly tests?: readonly string[];
  /** True if objects and functions are values, as in JavaScript. */
  readonly hasObjects: boolean;
  /** True if the language has `#define` and `#if`. */
  readonly hasDirectives: boolean;
}

export const typeRole = (kind: DefinitionKind): Role => ({ kind, opens: "type", anywhere: true });
export const enumRole: Role = { kind: "enum", opens: "enum", anywhere: true };
export const callableRole: Role = { kind: "function", opens: "block", anywhere: true };
export const moduleRole: Role = { kind: "module", opens: "module" };
export const constructorRole: Role = { kind: "constructor", opens: "block" };
export const aliasRole: Role = { kind: "type", opens: "type" };
export const valueRole = (kind: DefinitionKind): Role => ({ kind, opens: "block" });
