/** Finds the definition in a statement's head, by its keyword or else by its form. */
import { readMember } from "./members.ts";
import { whatAt } from "./reader.ts";
import type { Role } from "./shapes.ts";
import { codes } from "./tokens.ts";
import { isFunctionValue } from "./values.ts";
import { addDefinition, afterAngle, type End, type Opened, roleAt, scopeOf, type Walk } from "./walk.ts";

/**
 * Finds the definition in the current statement's head; undefined if there is none. The head ends at the token `end`,
 * whose number is `index`.
 */
export function classify(walk: Walk, end: End, index: number): Opened | undefined {
  const { head } = walk.statement;
  const scope = scopeOf(walk);
  if (whatAt(walk, head[0] ?? -1) === walk.words.of.import) return undefined;
  if (scope.sort === "group" && scope.role !== undefined) return named(walk, scope.role, 0, index, end);
  if (walk.shape.members === "lines" && scope.sort === "type") return readMember(walk, end, index);
  for (const [place, token] of head.entries()) {
    const role = roleAt(walk, token);
    if (role === undefined) continue;
    const read = readRole(walk, role, place, end, index);
    if (read !== "none") return read;
    break;
  }
  return readMember(walk, end, index);
}

/** Reads the definition that a keyword introduces. Returns "none" if the keyword is only part of a type. */
function readRole(
  walk: Walk,
  first: Role,
  start: number,
  end: End,
  index: number,
): Opened | undefined | "none" {
  const { statement, shape, words } = walk;
  const { head } = statement;
  const { of } = words;
  let [role, place] = [first, start];
  // `const fn`, `enum class`, `fun interface`, `record struct`: the later word is more specific, except after C++'s
  // `enum`.
  for (let next = place + 1; next < head.length; next++) {
    const other = roleAt(walk, head[next] ?? -1);
    const what = whatAt(walk, head[next] ?? -1);
    if (other !== undefined && role.kind !== "enum") [role, place] = [other, next];
    else if (other !== undefined && role.kind === "enum") place = next;
    else if (what !== of.unsafe && what !== of.async && what !== of.extern && what !== codes.star) break;
  }
  if (whatAt(walk, head[place] ?? -1) === words.of.impl) return implementation(walk, place, end);
  if (role.needsBody === true) {
    if (role.kind === "module") return end === "{" ? named(walk, role, place + 1, index, end) : undefined;
    const called = head.some((token) => whatAt(walk, token) === codes.openRound);
    if (end !== "{" || called) return "none";
    return cType(walk, role, place, index);
  }
  const isEnum =
    role.opens === "type" && head.slice(0, place).some((token) => whatAt(walk, token) === of.enum);
  if (isEnum) role = { ...role, kind: "enum", opens: "enum" };
  if (shape.members === "lines" && role.kind === "function") return goFunction(walk, role, place, index, end);
  return named(walk, role, place + 1, index, end);
}

function named(walk: Walk, role: Role, from: number, index: number, end: End): Opened | undefined {
  const { statement, shape } = walk;
  const { head } = statement;
  let place = head.findIndex((token, at) => at >= from && whatAt(walk, token) >= 0);
  if (place === -1 || (shape.members === "lines" && place > from + 1)) {
    if (role.kind === "constructor")
      return opened(
        walk,
        role,
        addDefinition(walk, { kind: "constructor", name: head[from - 1] ?? 0, headEnd: index }),
        end,
      );
    return unnamed(walk, role, end);
  }
  let owner: number | undefined;
  if (role.lastName === true) {
    const called = head.findIndex((token, at) => at > place && whatAt(walk, token) === codes.openRound);
    const last = called === -1 ? place : called - 1;
    if (whatAt(walk, head[last] ?? -1) >= 0) {
      if (last > place && whatAt(walk, head[last - 1] ?? -1) === codes.dot)
        owner = whatAt(walk, head[last - 2] ?? -1);
      place = last;
    }
  }
  const name = head[place] ?? 0;
  if (shape.declaratorsInFiles && role.kind === "type" && end !== "=") return undefined; // `using a::b;`
  const own = {
    kind: role.kind,
    name,
    headEnd: index,
    owner: owner !== undefined && owner >= 0 ? owner : undefined,
  };
  const isBefore =
    whatAt(walk, head[place + 1] ?? -1) === codes.dot && role.opens === "block" && role.kind === "variable";
  if (isBefore) own.name = head[place + 2] ?? name; // Kotlin's `val Type.name`
  const [kind, opens] = refine(walk, role, place, index, end);
  const definition = addDefinition(walk, { ...own, kind });
  if (role.kind === "class") readParameters(walk, name, definition);
  if (shape.members === "lines" && role.opens === "block") moreNames(walk, role, place);
  return opened(walk, { ...role, opens }, definition, end);
}

/** A scope without a definition, whose contents count: `companion object {`, `object : Type {`, `extern "C" {`. */
function unnamed(walk: Walk, role: Role, end: End): Opened | undefined {
  if (end !== "{" || role.opens === "block") return undefined;
  const scope = scopeOf(walk);
  return { sort: role.opens, definition: scope.definition, isBody: false, owner: scope.owner };
}

function opened(walk: Walk, role: Role, definition: number, end: End): Opened {
  const { owner } = scopeOf(walk);
  const isVariable =
    role.opens === "block" &&
    role.kind !== "function" &&
    role.kind !== "constructor" &&
    role.kind !== "macro";
  return {
    sort: role.opens,
    definition,
    isBody: true,
    owner: role.opens === "type" ? undefined : owner,
    ...(isVariable && end === "{" ? { goesOn: true } : {}),
  };
}

/** Refines a variable by its value, and Go's `type Name` by what follows. */
function refine(
  walk: Walk,
  role: Role,
  place: number,
  index: number,
  end: End,
): [Role["kind"], Role["opens"]] {
  const { statement, shape, words } = walk;
  const { head } = statement;
  if (shape.members === "lines" && role.kind === "type") {
    const next = whatAt(walk, head[place + 1] ?? -1);
    if (next === words.of.struct) return ["struct", "type"];
    if (next === words.of.interface) return ["interface", "type"];
    return ["type", "block"];
  }
  if (shape.hasObjects && role.kind === "variable" && end === "=") {
    let at = index + 1;
    if (whatAt(walk, at) === words.of.async) at++;
    if (whatAt(walk, at) === words.of.class) return ["class", "type"];
    if (isFunctionValue(walk, index + 1)) return ["function", "block"];
  }
  if (role.kind !== "variable") return [role.kind, role.opens];
  const isConstant = head.slice(0, place).some((token) => whatAt(walk, token) === words.of.const);
  return [isConstant ? "constant" : "variable", role.opens];
}

/** Adds the further names of Go's `A, B int`. */
function moreNames(walk: Walk, role: Role, place: number): void {
  const { head } = walk.statement;
  for (
    let at = place + 1;
    whatAt(walk, head[at] ?? -1) === codes.comma && whatAt(walk, head[at + 1] ?? -1) >= 0;
    at += 2
  )
    addDefinition(walk, { kind: role.kind, name: head[at + 1] ?? 0, headEnd: (head[at + 1] ?? 0) + 1 });
}

/** The fields in Kotlin's `class A(val b: C)`. */
function readParameters(walk: Walk, name: number, definition: number): void {
  if (walk.shape.members !== "none") return;
  let at = name + 1;
  if (whatAt(walk, at) === codes.less) at = afterAngle(walk, at);
  const { head } = walk.statement;
  const round = head.find((token) => token >= at && whatAt(walk, token) === codes.openRound);
  if (round === undefined) return;
  let depth = 0;
  for (let token = round; token < walk.tokens.count; token++) {
    const what = whatAt(walk, token);
    if (what === codes.openRound) depth++;
    else if (what === codes.closeRound && --depth === 0) return;
    const role = depth === 1 ? walk.roles[what] : undefined;
    if (role?.kind !== "variable" || whatAt(walk, token + 1) < 0) continue;
    const field = addDefinition(walk, { kind: "field", name: token + 1, headEnd: token + 2 });
    const added = walk.found[field];
    if (added !== undefined) walk.found[field] = { ...added, container: definition, first: token };
  }
}

/** Reads a type's head in C or C++: `struct EXPORT Name final : Base {`, or no name before `{`. */
function cType(walk: Walk, role: Role, place: number, index: number): Opened {
  const { statement, words } = walk;
  const scope = scopeOf(walk);
  const stop = statement.head.findIndex((token, at) => at > place && whatAt(walk, token) === codes.colon);
  const own = statement.head
    .slice(place + 1, stop === -1 ? undefined : stop)
    .filter(
      (token) =>
        whatAt(walk, token) >= 0 &&
        whatAt(walk, token) !== words.of.final &&
        walk.roles[whatAt(walk, token)] === undefined,
    );
  const name = own.at(-1);
  // `typedef struct {…} Name;` continues after its braces.
  if (name === undefined)
    return {
      sort: role.opens === "enum" ? "enum" : "type",
      definition: scope.definition,
      isBody: false,
      owner: undefined,
      goesOn: true,
    };
  const definition = addDefinition(walk, { kind: role.kind, name, headEnd: index });
  return {
    sort: role.opens === "enum" ? "enum" : "type",
    definition,
    isBody: true,
    owner: undefined,
    goesOn: true,
  };
}

function goFunction(walk: Walk, role: Role, place: number, index: number, end: End): Opened | undefined {
  const { head } = walk.statement;
  const round = head[place + 1] ?? -1;
  if (whatAt(walk, round) !== codes.openRound) return named(walk, role, place + 1, index, end);
  const name = head[place + 2] ?? -1;
  if (whatAt(walk, name) < 0) return undefined;
  let owner: number | undefined;
  for (
    let at = round + 1;
    at < name && whatAt(walk, at) !== codes.openSquare && whatAt(walk, at) !== codes.closeRound;
    at++
  )
    if (whatAt(walk, at) >= 0) owner = whatAt(walk, at);
  const definition = addDefinition(walk, { kind: "method", name, headEnd: index, owner });
  return { sort: "block", definition, isBody: true, owner: undefined };
}

/** Reads Rust's `impl<T> Trait for a::Type<T> where … {`. */
function implementation(walk: Walk, place: number, end: End): Opened | undefined {
  if (end !== "{") return undefined;
  const { statement, words } = walk;
  let owner: number | undefined;
  for (const token of statement.head.slice(place + 1)) {
    const what = whatAt(walk, token);
    if (what === words.of.where) break;
    if (what === words.of.for) owner = undefined;
    else if (what >= 0) owner = what;
  }
  return { sort: "type", definition: -1, isBody: false, owner };
}
