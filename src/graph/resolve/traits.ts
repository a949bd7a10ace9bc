/** What resolution has to know of a language beside its imports. */
import type { DefinitionKind, ReferenceKind } from "../../domain/code-symbols.ts";

export interface Traits {
  /** Receivers that mean the object or type that the code belongs to. */
  readonly self: ReadonlySet<string>;
  readonly parent: ReadonlySet<string>;
  /** A bare name may be a member of the enclosing type. */
  readonly bareMembers: boolean;
  /** Namespaces in a file do not hide what is in them from those who import it. */
  readonly openModules: boolean;
  /** What a file imports can be imported from it. */
  readonly importsAreExports: boolean;
  /** A name of another file needs no import to be called: the linker finds it. */
  readonly linked: boolean;
  /** A file is a table of its one value's members: what it returns. */
  readonly returnsTable: boolean;
  /** Declared in headers and defined elsewhere under the same name. */
  readonly hasHeaders: boolean;
}

function traits(given: Partial<Traits>): Traits {
  return {
    self: new Set(["this"]),
    parent: new Set(["super"]),
    bareMembers: false,
    openModules: false,
    importsAreExports: false,
    linked: false,
    returnsTable: false,
    hasHeaders: false,
    ...given,
  };
}

const c = traits({
  bareMembers: true,
  openModules: true,
  importsAreExports: true,
  linked: true,
  hasHeaders: true,
});
const ecmascript = traits({});
const known: Readonly<Record<string, Traits>> = {
  c,
  cpp: c,
  csharp: traits({ bareMembers: true, openModules: true, parent: new Set(["base"]) }),
  go: traits({ self: new Set(), parent: new Set() }),
  java: traits({ bareMembers: true }),
  kotlin: traits({ bareMembers: true }),
  lua: traits({ self: new Set(["self"]), linked: true, returnsTable: true }),
  python: traits({
    self: new Set(["self", "cls"]),
    parent: new Set(["super()", "super"]),
    importsAreExports: true,
  }),
  rust: traits({ self: new Set(["self", "Self"]), parent: new Set() }),
};

export function traitsOf(language: string): Traits {
  return known[language] ?? ecmascript;
}

const types = new Set<DefinitionKind>(["class", "struct", "trait", "interface", "enum", "type"]);
const callables = new Set<DefinitionKind>(["function", "method", "constructor", "macro"]);
const values = new Set<DefinitionKind>(["variable", "constant", "field"]);

export function isDocument(language: string): boolean {
  return language === "markdown" || language === "restructuredtext";
}

export function isType(kind: DefinitionKind): boolean {
  return types.has(kind);
}

export function isCallable(kind: DefinitionKind): boolean {
  return callables.has(kind);
}

export function isValue(kind: DefinitionKind): boolean {
  return values.has(kind);
}

/** How well a definition of this kind can be meant: 0 not at all, larger is better. */
export function fitOf(reference: ReferenceKind, kind: DefinitionKind): number {
  if (kind === "section" || kind === "test") return 0;
  switch (reference) {
    case "call":
      return kind === "module" ? 0 : kind === "constructor" ? 1 : isValue(kind) ? 1 : 2;
    case "inherits":
    case "implements":
    case "type":
      return isType(kind) ? 2 : kind === "module" || kind === "variable" || kind === "constant" ? 1 : 0;
    case "name":
      return kind === "constructor" ? 1 : isValue(kind) ? 3 : 2;
  }
}

/** Members that objects of the languages' own libraries have: alone, the name says little about whose it is. */
export const everydayMembers: ReadonlySet<string> = new Set(
  `add all any append apply assert at bind call catch clear clone close collect concat contains copy count create
  data debug delete done each emit encode decode end entries equals error exists exit expect extend fetch filter find first
  flush fmt forEach format from get getattr group has hash hasNext index indexOf info init insert into is_empty isEmpty items iter
  join key keys last len length list load lock log lower map match max message min name new next none ok on open or order
  parse path pop print push put raise read remove replace reset resolve result reverse run save send set setdefault shift
  size slice some sort splice split start startsWith state status stop strip sub substring sum text then throw title to toString
  trim type unwrap update upper value values wait warn with write`.split(/\s+/),
);
