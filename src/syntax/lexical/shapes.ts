/** The forms of definitions in brace languages, as tables for `braces.ts`. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";

/** The kind of definition that a keyword begins, and the form of this definition. */
export interface Role {
  readonly kind: DefinitionKind;
  /** The content of its braces. */
  readonly opens: "type" | "enum" | "module" | "block";
  /** Also valid inside functions. */
  readonly anywhere?: true;
  /** Counts only with braces: `struct a b;` uses a type. */
  readonly needsBody?: true;
  /** The name is the last one before the parameters, as in Kotlin's `fun Type.name(`. */
  readonly lastName?: true;
}

export interface Shape {
  readonly roles: Readonly<Record<string, Role>>;
  /** Type members have no keyword: a name before `(` is a method, one before `=`, `;` or `:` a field. */
  readonly members: "declarators" | "named" | "colon" | "lines" | "none";
  /** The same at file level, as in C. */
  readonly declaratorsInFiles: boolean;
  /** A statement may end at the end of its line. */
  readonly lines: boolean;
  /** A comma ends a statement in types too, not only in enums. */
  readonly commas: boolean;
  /** A head with one of these words is public. If absent, everything without one of `privateWords` is public. */
  readonly publicWords?: readonly string[];
  readonly privateWords?: readonly string[];
  readonly capitalIsPublic?: true;
  /** Functions whose first argument is a test's name. */
  readonly tests?: readonly string[];
  /** Objects and functions are values, as in JavaScript. */
  readonly hasObjects: boolean;
  /** `#define`, `#if`. */
  readonly hasDirectives: boolean;
}

export const typeRole = (kind: DefinitionKind): Role => ({ kind, opens: "type", anywhere: true });
export const enumRole: Role = { kind: "enum", opens: "enum", anywhere: true };
export const callableRole: Role = { kind: "function", opens: "block", anywhere: true };
export const moduleRole: Role = { kind: "module", opens: "module" };
export const constructorRole: Role = { kind: "constructor", opens: "block" };
export const aliasRole: Role = { kind: "type", opens: "type" };
export const valueRole = (kind: DefinitionKind): Role => ({ kind, opens: "block" });
