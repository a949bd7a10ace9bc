/** How brace languages write definitions, as tables for `braces.ts`. */
import type { DefinitionKind } from "../../domain/code-symbols.ts";

/** What a keyword introduces. */
export interface Role {
  readonly kind: DefinitionKind;
  /** What its braces contain. */
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

const type = (kind: DefinitionKind): Role => ({ kind, opens: "type", anywhere: true });
const enumeration: Role = { kind: "enum", opens: "enum", anywhere: true };
const callable: Role = { kind: "function", opens: "block", anywhere: true };
const module: Role = { kind: "module", opens: "module" };
const secondary: Role = { kind: "constructor", opens: "block" };
const alias: Role = { kind: "type", opens: "type" };
const value = (kind: DefinitionKind): Role => ({ kind, opens: "block" });

const cTypes: Shape["roles"] = {
  struct: { ...type("struct"), needsBody: true },
  union: { ...type("struct"), needsBody: true },
  enum: { ...enumeration, needsBody: true },
};
const c: Shape = {
  roles: cTypes,
  members: "declarators",
  declaratorsInFiles: true,
  lines: false,
  commas: false,
  privateWords: ["static"],
  hasObjects: false,
  hasDirectives: true,
};
const javascript: Shape = {
  roles: {
    function: callable,
    class: type("class"),
    const: value("variable"),
    let: value("variable"),
    var: value("variable"),
  },
  members: "named",
  declaratorsInFiles: false,
  lines: true,
  commas: true,
  publicWords: ["export"],
  tests: [
    "it",
    "test",
    "describe",
    "suite",
    "context",
    "specify",
    "xit",
    "xtest",
    "fit",
    "xdescribe",
    "fdescribe",
    "bench",
  ],
  hasObjects: true,
  hasDirectives: false,
};

export const shapes: Readonly<Record<string, Shape>> = {
  c,
  cpp: {
    ...c,
    roles: {
      ...cTypes,
      class: { ...type("class"), needsBody: true },
      namespace: module,
      using: value("type"),
      concept: value("type"),
    },
  },
  csharp: {
    roles: {
      class: type("class"),
      record: type("class"),
      struct: type("struct"),
      interface: type("interface"),
      enum: enumeration,
      namespace: { ...module, needsBody: true },
    },
    members: "declarators",
    declaratorsInFiles: false,
    lines: false,
    commas: false,
    publicWords: ["public", "protected"],
    hasObjects: false,
    hasDirectives: true,
  },
  go: {
    roles: {
      func: { kind: "function", opens: "block" },
      type: type("type"),
      var: value("variable"),
      const: value("constant"),
    },
    members: "lines",
    declaratorsInFiles: false,
    lines: true,
    commas: false,
    capitalIsPublic: true,
    hasObjects: false,
    hasDirectives: false,
  },
  java: {
    roles: {
      class: type("class"),
      record: type("class"),
      interface: type("interface"),
      enum: enumeration,
    },
    members: "declarators",
    declaratorsInFiles: false,
    lines: false,
    commas: false,
    publicWords: ["public", "protected"],
    hasObjects: false,
    hasDirectives: false,
  },
  javascript,
  typescript: {
    ...javascript,
    roles: {
      ...javascript.roles,
      interface: type("interface"),
      enum: enumeration,
      namespace: module,
      module,
      type: alias,
    },
  },
  kotlin: {
    roles: {
      fun: { ...callable, lastName: true },
      class: type("class"),
      object: type("class"),
      interface: type("interface"),
      typealias: value("type"),
      val: value("variable"),
      var: value("variable"),
      constructor: secondary,
    },
    members: "none",
    declaratorsInFiles: false,
    lines: true,
    commas: false,
    privateWords: ["private", "internal", "protected"],
    hasObjects: false,
    hasDirectives: false,
  },
  rust: {
    roles: {
      fn: callable,
      struct: type("struct"),
      union: type("struct"),
      enum: enumeration,
      trait: type("trait"),
      impl: { kind: "module", opens: "type", anywhere: true },
      type: { ...value("type"), anywhere: true },
      mod: { ...module, needsBody: true },
      const: { ...value("constant"), anywhere: true },
      static: { ...value("variable"), anywhere: true },
      macro_rules: { kind: "macro", opens: "block", anywhere: true },
    },
    members: "colon",
    declaratorsInFiles: false,
    lines: false,
    commas: true,
    publicWords: ["pub"],
    hasObjects: false,
    hasDirectives: false,
  },
};
