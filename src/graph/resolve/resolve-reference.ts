/** Resolves references of all kinds to definitions, with a confidence. */
import type { Reference } from "../../domain/code-symbols.ts";
import { confidences } from "../confidence.ts";
import { importRulesOf } from "../imports/rules.ts";
import { plainName } from "../store/identify.ts";
import { withDefinitions } from "./headers.ts";
import { resolveMention } from "./resolve-mention.ts";
import {
  choose,
  enclosingType,
  type Place,
  type Resolved,
  resolveAnywhere,
  resolveBare,
  resolved,
  type Wanted,
} from "./resolve-name.ts";
import type { Def } from "./symbol-table.ts";
import { isCallable, isDocument, isType, isValue, traitsOf } from "./traits.ts";
import { bindingsOf, findMember, memberOf, type World } from "./world.ts";

const mostSegments = 6;

export function resolveReference(place: Place, reference: Reference): Resolved | undefined {
  if (isDocument(place.file.language)) return resolveMention(place.world, reference);
  const found = resolveCode(place, reference);
  return found !== undefined && traitsOf(place.file.language).hasHeaders
    ? withDefinitions(place.world, found)
    : found;
}

function resolveCode(place: Place, reference: Reference): Resolved | undefined {
  const { name, kind, receiver, receiverType, headType, arity } = reference;
  const wanted: Wanted = { name, kind, arity };
  if (receiver === undefined) return resolveBare(place, wanted) ?? fallback(place, wanted, false);
  const typed = receiverType === undefined ? undefined : resolveThroughType(place, receiverType, wanted);
  if (typed !== undefined) return typed;
  const member = resolveMember(place, receiver, wanted, headType);
  if (member !== undefined) return member;
  return isForeignType(place, receiver) ? undefined : fallback(place, wanted, true);
}

/** True for a receiver that is written like a type, but is no type of the code base: `Vec::new()`, `Math.max(a, b)`. */
function isForeignType({ world }: Place, receiver: string): boolean {
  const last = plainName(receiver).replace(/^.*\./, "");
  return (
    /^\p{Lu}[\p{L}\p{N}_]*$/u.test(last) &&
    !world.symbols.named(last).all.some(({ kind }) => isType(kind) || isValue(kind))
  );
}

/**
 * Searches the whole code base. Skips members and short names that are not a call, type or base class, because they
 * carry too little information.
 */
function fallback(place: Place, wanted: Wanted, isMember: boolean): Resolved | undefined {
  if (wanted.kind === "name" && (isMember || wanted.name.length < 4)) return undefined;
  return (
    resolveAnywhere(place, wanted, isMember) ?? (isMember ? resolveAnywhere(place, wanted, false) : undefined)
  );
}

/**
 * Resolves a member through its receiver's written type. Without targets if the type comes from outside the code base.
 */
function resolveThroughType(place: Place, written: string, wanted: Wanted): Resolved | undefined {
  const type = resolveType(place, written);
  if (type === undefined) return undefined;
  const members = type.defs.flatMap((def) => findMember(place.world, def, wanted.name)?.defs ?? []);
  const found = choose(members, wanted);
  if (found.length > 0) return resolved(found, confidences.typed * type.confidence);
  const files = type.files.length > 0 ? choose(memberOf(place.world, type, wanted.name), wanted) : [];
  if (files.length > 0) return resolved(files, confidences.receiver);
  return type.defs.length === 0 ? resolved([], 0) : undefined;
}

/**
 * Resolves a type as written in code: `List<Item>` to `List`, but `Box<Item>` to `Item`. Replaces wrappers such as
 * `Box` and `Promise` by the type inside. Undefined for an unknown type, or for text that is no name.
 */
export function resolveType(place: Place, written: string): Resolved | undefined {
  const inner =
    /^(?:Optional|Box|Rc|Arc|RefCell|Ref|unique_ptr|shared_ptr|std::(?:unique|shared)_ptr|Type|type|Awaited|Promise|Final|ClassVar|Annotated)\s*[[<]\s*(?:'\w+\s*,\s*)?(.*)[\]>]$/s.exec(
      written.trim(),
    )?.[1];
  if (inner !== undefined) return resolveType(place, inner.split(",", 1)[0] ?? inner);
  const bare = written.replace(
    /^(?:const|final|mut|dyn|impl|struct|class|new|typename)\s+|^(?:&\s*(?:'\w+\s+)?(?:mut\s+)?|\*\s*(?:const|mut)?\s*)+|[\s*&?!]+$|\s*\|\s*(?:None|null|undefined)$|^["']|["']$/g,
    "",
  );
  const plain = plainName(bare.replace(/\(.*$/s, ""));
  if (!/^[\p{L}_$][\p{L}\p{N}_$.]*$/u.test(plain)) return undefined;
  const at = plain.lastIndexOf(".");
  const wanted: Wanted = { name: plain.slice(at + 1), kind: "type", arity: undefined };
  if (at < 0) return resolveBare(place, wanted) ?? resolveAnywhere(place, wanted, false);
  return resolveMember(place, plain.slice(0, at), wanted) ?? resolveAnywhere(place, wanted, false);
}

/**
 * Resolves a member's name by the meaning of its receiver. Undefined if the receiver is unknown or has no such member.
 * The result has no targets if the receiver comes from outside the code base.
 */
export function resolveMember(
  place: Place,
  receiver: string,
  wanted: Wanted,
  headType?: string,
): Resolved | undefined {
  const space = resolveReceiver(place, receiver, headType);
  if (space === undefined) return undefined;
  if (space.defs.length === 0 && space.files.length === 0) return resolved([], 0);
  const { world } = place;
  const defs: Def[] = [];
  let isInherited = false;
  for (const def of space.defs) {
    const member = findMember(world, def, wanted.name);
    if (member !== undefined) defs.push(...member.defs);
    isInherited ||= member?.isInherited === true;
  }
  if (space.files.length > 0) defs.push(...memberOf(world, { defs: [], files: space.files }, wanted.name));
  const found = choose([...new Set(defs)], wanted);
  if (found.length > 0)
    return resolved(
      found,
      isInherited ? Math.min(space.confidence, confidences.inherited) : space.confidence,
    );
  const below = moduleBelow(place, receiver, wanted.name);
  return below === undefined ? undefined : { defs: [], files: below, confidence: confidences.import };
}

/** Finds the module `a.b` below the module `a`: `import a.b`, `crate::a::b`. */
function moduleBelow({ world, file }: Place, receiver: string, name: string) {
  const rules = importRulesOf(file.language);
  if (rules.below === undefined) return undefined;
  const [first = "", ...rest] = plainName(receiver).split(".");
  const binding = bindingsOf(world, file).byAlias.get(first)?.[0];
  const separator = file.language === "rust" ? "::" : ".";
  const source =
    binding === undefined
      ? file.language === "rust" || file.family === "jvm" || file.language === "csharp"
        ? [first, ...rest].join(separator)
        : undefined
      : [sourceOf(binding.written.source, binding.written.name, first, rules.below), ...rest].join(separator);
  if (source === undefined) return undefined;
  const target = rules.find({ file, source: rules.below(source, name) }, world.files);
  return target === undefined || target.inside.length > 0 ? undefined : target.files;
}

function sourceOf(
  source: string,
  name: string | undefined,
  alias: string,
  below: (source: string, name: string) => string,
): string {
  if (name !== undefined && name !== "*") return below(source, name);
  return source.startsWith(`${alias}.`) ? alias : source;
}

/** The text before the last name: a type, a module, or a value of a known type. Undefined if unknown. */
function resolveReceiver(place: Place, receiver: string, headType?: string): Resolved | undefined {
  const { world, file, within } = place;
  const traits = traitsOf(file.language);
  const plain = plainName(receiver);
  if (traits.parent.has(plain)) {
    const type = enclosingType(world, within);
    const supertypes = (type === undefined ? [] : world.symbols.supertypes(type.id)).flatMap(
      (id) => world.symbols.def(id) ?? [],
    );
    return supertypes.length === 0 ? undefined : resolved(supertypes, confidences.inherited);
  }
  const segments = plain.split(".");
  if (
    segments.length > mostSegments ||
    !segments.every((one) => /^@?[\p{L}_$][\p{L}\p{N}_$]*!?(?:\(.*\))?$/u.test(one))
  )
    return undefined;
  const [first = "", ...rest] = segments;
  let at = headType === undefined ? resolveHead(place, first) : typedHead(place, headType);
  for (const [index, segment] of rest.entries()) {
    if (at === undefined) break;
    at = step(place, at, segment) ?? moduleStep(place, segments.slice(0, index + 1), segment);
  }
  return at ?? resolvePath(place, segments);
}

function resolveHead(place: Place, first: string): Resolved | undefined {
  const { world, file, within } = place;
  if (traitsOf(file.language).self.has(first)) {
    const type = enclosingType(world, within);
    return type === undefined ? undefined : resolved([type], confidences.scope);
  }
  const name = first.replace(/!?\(.*$/s, "");
  const wanted: Wanted = { name, kind: first === name ? "name" : "call", arity: undefined };
  const found = resolveBare(place, wanted);
  if (found === undefined) return resolveNamedType(place, name);
  const space = toSpace(place, found, first !== name);
  if (space !== undefined || first !== name) return space;
  // A constructor or a field with the same name as its type.
  const type = resolveBare(place, { ...wanted, kind: "type" });
  return type === undefined ? undefined : toSpace(place, type, false);
}

function typedHead(place: Place, written: string): Resolved | undefined {
  const type = resolveType(place, written);
  return type === undefined ? undefined : { ...type, confidence: type.confidence * confidences.typed };
}

function step(place: Place, at: Resolved, segment: string): Resolved | undefined {
  const name = segment.replace(/!?\(.*$/s, "");
  const defs = memberOf(place.world, at, name);
  if (defs.length === 0) return embedded(place.world, at, name);
  return toSpace(place, { defs, files: [], confidence: at.confidence }, segment !== name);
}

/** Go's `e.Parcel`: the embedded type itself. */
function embedded(world: World, at: Resolved, name: string): Resolved | undefined {
  const supertypes = at.defs
    .flatMap((def) => world.symbols.supertypes(def.id))
    .flatMap((id) => world.symbols.def(id) ?? []);
  const found = supertypes.filter((def) => def.name === name);
  return found.length === 0 ? undefined : resolved(found, Math.min(at.confidence, confidences.inherited));
}

function moduleStep(place: Place, before: readonly string[], segment: string): Resolved | undefined {
  const files = moduleBelow(place, before.join("."), segment);
  return files === undefined ? undefined : { defs: [], files, confidence: confidences.receiver };
}

/** A path from an explicit root: `crate::a::b`, `a.b.C`. */
function resolvePath(place: Place, segments: readonly string[]): Resolved | undefined {
  const { world, file } = place;
  const rules = importRulesOf(file.language);
  if (rules.below === undefined || file.language === "python") return undefined;
  const source = segments.join(file.language === "rust" ? "::" : ".");
  const target = rules.find({ file, source }, world.files);
  if (target === undefined) return undefined;
  let at: Resolved = { defs: [], files: target.files, confidence: confidences.receiver };
  for (const name of target.inside) {
    const next = step(place, at, name);
    if (next === undefined) return undefined;
    at = next;
  }
  return at;
}

/** The spaces in which to look for members: types and modules themselves, and the types of values and results. */
function toSpace(
  place: Place,
  { defs, files, confidence }: Resolved,
  isCalled: boolean,
): Resolved | undefined {
  const spaces: Def[] = [];
  let certainty = Math.min(confidence, confidences.receiver);
  let isOutside = defs.length === 0 && files.length === 0;
  for (const def of defs.slice(0, 4)) {
    if (isType(def.kind) || def.kind === "module") {
      spaces.push(def);
      continue;
    }
    const isResult = isCallable(def.kind) && isCalled;
    if (def.type === undefined || !(isResult || isValue(def.kind))) continue;
    const home = place.world.files.byNumber(def.file);
    const type =
      home === undefined ? undefined : typeOf({ world: place.world, file: home, within: def }, def.type);
    if (type === undefined) continue;
    spaces.push(...type.defs);
    certainty = Math.min(certainty, confidences.typed);
    isOutside ||= type.defs.length === 0;
  }
  if (spaces.length > 0 || files.length > 0) return { defs: spaces, files, confidence: certainty };
  return isOutside ? resolved([], 0) : undefined;
}

/** Limit on recursion: a value's type may refer to the value itself, `const a = a.b`. */
const deepest = 12;
let depth = 0;

function typeOf(place: Place, written: string): Resolved | undefined {
  if (depth >= deepest) return undefined;
  depth++;
  try {
    return resolveType(place, written);
  } finally {
    depth--;
  }
}

/** The only type or module of the code base with that name. */
function resolveNamedType({ world, file }: Place, name: string): Resolved | undefined {
  const { all } = world.symbols.named(name);
  if (all.length > 50) return undefined;
  const fitting = all.filter(
    (def) =>
      (isType(def.kind) || def.kind === "module") && world.files.byNumber(def.file)?.family === file.family,
  );
  return fitting.length === 1 ? resolved(fitting, confidences.named) : undefined;
}

/**
 * Resolves the type that owns a definition, as named in the definition's head: Go's receiver, Rust's `impl`. Undefined
 * if no type is known, or if several files define it and the place's own file does not.
 */
export function resolveOwner(world: World, place: Place, written: string): Def | undefined {
  const found = resolveType({ ...place, world }, written)?.defs ?? [];
  return found.length === 1 ? found[0] : found.find((def) => def.file === place.file.id);
}
