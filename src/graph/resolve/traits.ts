/** The properties of a language that the resolution of names needs in addition to the import rules. */
import {
  callableKinds,
  type DefinitionKind,
  type ReferenceKind,
  typeKinds,
  valueKinds,
} from "../../domain/code-symbols.ts";
import type { NameRules } from "../../syntax/name-rules.ts";
import { ecmascriptNames } from "../../syntax/outlines/ecmascript.ts";
import { outlineOf } from "../../syntax/outlines/index.ts";

export type Traits = Required<NameRules>;

const usual: Traits = {
  self: new Set(["this"]),
  parent: new Set(["super"]),
  bareMembers: false,
  openModules: false,
  importsAreExports: false,
  linked: false,
  elsewhere: "nothing",
  membersNeedType: false,
  returnsTable: false,
  hasHeaders: false,
};

const known = new Map<string, Traits>();

export function traitsOf(language: string): Traits {
  const before = known.get(language);
  if (before !== undefined) return before;
  const rules = outlineOf(language)?.names ?? ecmascriptNames;
  const traits = { ...usual, ...rules };
  known.set(language, traits);
  return traits;
}

const types = new Set<DefinitionKind>(typeKinds);
const callables = new Set<DefinitionKind>(callableKinds);
const values = new Set<DefinitionKind>(valueKinds);

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

/** Rates how well a definition of this kind fits the reference. 0: it does not fit. A larger number is a better fit. */
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

/** Names of common members in standard libraries. Such a name is weak evidence for a definition in the code base. */
export const everydayMembers: ReadonlySet<string> = new Set(
  `abs add all and_then any append as_mut as_ref as_slice as_str apply assert at bind call catch clear chain chars clone cloned close collect concat contains contains_key containsKey copied copy count create
  data debug delete done each emit encode decode end entries equals error exists exit expect extend fetch filter filter_map find first flat_map flatten fold
  flush fmt forEach format from get get_mut get_or_insert_with getattr getClass group has hash hasNext index indexOf info init insert into into_iter is_empty is_err is_none is_ok is_some isEmpty items iter iter_mut
  join key keys last lines len length list load lock log lower map map_err match max message min name new next none ok ok_or ok_or_else on open or or_else or_insert order
  parse parent path peek pop print push push_str put raise read remove replace reset resolve result reverse run save send set setdefault shift
  size skip slice some sort splice split start startsWith state status stop strip sub substring sum take text then then_some throw title to to_owned to_string to_vec toList toLowerCase toString toUpperCase
  trim type unwrap unwrap_or unwrap_or_default unwrap_or_else update upper value values wait warn with with_capacity write writeln zip`.split(
    /\s+/,
  ),
);
