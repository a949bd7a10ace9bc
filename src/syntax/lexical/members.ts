/**
 * Reads definitions in statements that do not begin with a keyword: members of types and enums, C's declarations,
 * JavaScript's assignments.
 */
import { whatAt } from "./reader.ts";
import { codes, mark, marks } from "./tokens.ts";
import { isFunctionValue } from "./values.ts";
import { addDefinition, declares, type End, type Opened, scopeOf, type Walk } from "./walk.ts";

export function readMember(walk: Walk, end: End, index: number): Opened | undefined {
  const { shape } = walk;
  const scope = scopeOf(walk);
  if (scope.sort === "enum") return enumMember(walk, end, index);
  if (scope.sort === "object") return objectMember(walk, end, index);
  if (shape.hasObjects && scope.sort === "file") return assignment(walk, end, index);
  if (!declares(scope) || (scope.sort !== "type" && !shape.declaratorsInFiles)) return undefined;
  if (shape.members === "colon") return colonField(walk, index);
  if (shape.members === "lines") return goMember(walk, index);
  if (shape.members === "named") return namedMember(walk, end, index);
  return shape.members === "declarators" ? declarator(walk, end, index) : undefined;
}

function headOf(walk: Walk, place: number): number {
  return whatAt(walk, walk.statement.head[place] ?? -1);
}

function body(walk: Walk, definition: number, sort: Opened["sort"], goesOn = false): Opened {
  const owner = sort === "block" ? undefined : scopeOf(walk).owner;
  return { sort, definition, isBody: true, owner, goesOn };
}

function enumMember(walk: Walk, end: End, index: number): Opened | undefined {
  const { head } = walk.statement;
  if (headOf(walk, 0) < 0) return undefined;
  const definition = addDefinition(walk, { kind: "field", name: head[0] ?? 0, headEnd: index });
  return end === "{" ? body(walk, definition, "type") : undefined;
}

/**
 * Reads a member of an object. In the value of a top-level variable, every member counts; elsewhere, only functions
 * count.
 */
function objectMember(walk: Walk, end: End, index: number): Opened | undefined {
  const { statement, found } = walk;
  const { head } = statement;
  const scope = scopeOf(walk);
  const called = head.findIndex((token) => whatAt(walk, token) === codes.openRound);
  if (end === "{" && called > 0 && headOf(walk, called - 1) >= 0) {
    const name = head[called - 1] ?? 0;
    return body(walk, addDefinition(walk, { kind: "method", name, headEnd: index }), "block");
  }
  if (end !== ":" || headOf(walk, head.length - 1) < 0) return undefined;
  const name = head.at(-1) ?? 0;
  if (isFunctionValue(walk, index + 1))
    return body(walk, addDefinition(walk, { kind: "function", name, headEnd: index }), "block");
  const holder = scope.isBody ? found[scope.definition] : undefined;
  if (holder?.container === -1 && (holder.kind === "constant" || holder.kind === "variable"))
    addDefinition(walk, { kind: "field", name, headEnd: index });
  return undefined;
}

/** Reads `exports.name = function` and `Type.prototype.name = () =>`. */
function assignment(walk: Walk, end: End, index: number): Opened | undefined {
  const { head } = walk.statement;
  const name = head.at(-1) ?? -1;
  if (end !== "=" || whatAt(walk, name) < 0 || headOf(walk, head.length - 2) !== codes.dot) return undefined;
  if (!isFunctionValue(walk, index + 1)) return undefined;
  return body(walk, addDefinition(walk, { kind: "function", name, headEnd: index }), "block");
}

/** Reads a field such as Rust's `pub name: Type`. */
function colonField(walk: Walk, index: number): undefined {
  const { head } = walk.statement;
  const colon = head.findIndex((token) => whatAt(walk, token) === codes.colon);
  const name = head[colon - 1] ?? -1;
  if (colon > 0 && whatAt(walk, name) >= 0 && whatAt(walk, (head[colon] ?? 0) + 1) !== codes.colon)
    addDefinition(walk, { kind: "field", name, headEnd: index });
}

/** Reads a struct's `A, B int` and an interface's `Name(…)`. Embedded types define nothing. */
function goMember(walk: Walk, index: number): undefined {
  const { head } = walk.statement;
  if (headOf(walk, 0) < 0 || head.length < 2 || headOf(walk, 1) === codes.dot) return;
  if (headOf(walk, 1) === codes.openRound) {
    addDefinition(walk, { kind: "method", name: head[0] ?? 0, headEnd: index });
    return;
  }
  if (whatAt(walk, (head[0] ?? 0) + 1) === marks.string) return;
  for (let place = 0; headOf(walk, place) >= 0; place += 2) {
    addDefinition(walk, { kind: "field", name: head[place] ?? 0, headEnd: index });
    if (headOf(walk, place + 1) !== codes.comma) break;
  }
}

const endsName: ReadonlySet<number> = new Set(["(", "=", ":", "?", "!"].map(mark));

/** Reads JavaScript's `static async name(…) {`, `name = value` and `name?: Type`. */
function namedMember(walk: Walk, end: End, index: number): Opened | undefined {
  const { head } = walk.statement;
  let place = head.findIndex((token) => endsName.has(whatAt(walk, token)));
  if (place === -1) place = head.length;
  const name = head[place - 1] ?? -1;
  if (whatAt(walk, name) < 0) return undefined;
  const mayBeMethod =
    headOf(walk, place) === codes.openRound ||
    (headOf(walk, place) === codes.question && headOf(walk, place + 1) === codes.openRound);
  // `name: { … }`, `name(): { … }` before its body.
  const isType = end === "{" && whatAt(walk, index - 1) === codes.colon;
  if (isType || (end === "{" && !mayBeMethod))
    return {
      sort: "block",
      definition: scopeOf(walk).definition,
      isBody: false,
      owner: undefined,
      goesOn: true,
    };
  const isMethod = mayBeMethod || (end === "=" && isFunctionValue(walk, index + 1));
  walk.fields.add(`${scopeOf(walk).definition} ${whatAt(walk, name)}`);
  const definition = addDefinition(walk, { kind: isMethod ? "method" : "field", name, headEnd: index });
  return body(walk, definition, "block");
}

const attributes =
  /^(?:__\w+|alignas|noexcept|decltype|throw|requires|explicit|if|for|while|switch|return|catch|static_assert|sizeof|defined)$/;

/** Reads `static int name(…) {`, `Type name = value;` and C#'s `Type Name { get; }`. */
function declarator(walk: Walk, end: End, index: number): Opened | undefined {
  const { statement, shape, names, words } = walk;
  const { head } = statement;
  if (end === "{" && head.length === 1 && headOf(walk, 0) === words.of.extern)
    return { ...scopeOf(walk), isBody: false };
  const isTypedef = headOf(walk, 0) === words.of.typedef;
  const called = head.findIndex(
    (token, place) =>
      whatAt(walk, token) === codes.openRound &&
      headOf(walk, place - 1) >= 0 &&
      !attributes.test(names.textOf(headOf(walk, place - 1))),
  );
  const pointer = head.findIndex(
    (token) => whatAt(walk, token) === codes.openRound && whatAt(walk, token + 1) === codes.star,
  );
  if (pointer >= 0 && (called === -1 || pointer <= called) && whatAt(walk, (head[pointer] ?? 0) + 2) >= 0) {
    addDefinition(walk, {
      kind: isTypedef ? "type" : "variable",
      name: (head[pointer] ?? 0) + 2,
      headEnd: index,
    });
    return undefined;
  }
  if (called > 0 && !isTypedef) return callable(walk, called, end, index);
  if (called === 0) return undefined;
  const last = lastName(walk);
  if (last < 1 && !(isTypedef && last >= 0)) return undefined;
  if (end === "{" && (shape.declaratorsInFiles || scopeOf(walk).sort !== "type")) return undefined;
  if (scopeOf(walk).sort === "file" || scopeOf(walk).sort === "module")
    if (/^(?:using|friend|import|package|public|template)$/.test(names.textOf(headOf(walk, 0))))
      return undefined;
  const definition = addDefinition(walk, {
    kind: isTypedef ? "type" : "variable",
    name: head[last] ?? 0,
    headEnd: index,
  });
  return end === "{" ? { ...body(walk, definition, "block"), goesOn: true } : undefined;
}

/** The last name in the head before an array's brackets or a bit field's colon. */
function lastName(walk: Walk): number {
  const { head } = walk.statement;
  const colon = head.findIndex((token) => whatAt(walk, token) === codes.colon);
  const before =
    colon > 0 &&
    whatAt(walk, (head[colon] ?? 0) + 1) !== codes.colon &&
    whatAt(walk, (head[colon] ?? 0) - 1) !== codes.colon
      ? colon
      : head.length;
  return head.findLastIndex((token, place) => place < before && whatAt(walk, token) >= 0);
}

/** Reads a function, or a method inside its type or outside it (`A::name(…)`). */
function callable(walk: Walk, called: number, end: End, index: number): Opened | undefined {
  const { statement, found, tokens } = walk;
  const { head } = statement;
  const scope = scopeOf(walk);
  const name = head[called - 1] ?? 0;
  const type = found[scope.definition];
  const isOutside = headOf(walk, called - 2) === codes.colon && headOf(walk, called - 4) >= 0;
  const owner = isOutside ? headOf(walk, called - 4) : undefined;
  const typeName =
    owner ?? (scope.sort === "type" && type !== undefined ? tokens.what[type.name] : undefined);
  if (headOf(walk, called - 2) === codes.tilde) return end === "{" ? body(walk, -1, "block") : undefined;
  const isConstructor = typeName !== undefined && typeName === whatAt(walk, name);
  // A macro's call, or a call in a value.
  if (called < 2 && !isConstructor && end !== "{") return undefined;
  const definition = addDefinition(walk, {
    kind: isConstructor ? "constructor" : isOutside ? "method" : "function",
    name,
    headEnd: index,
    owner,
  });
  return body(walk, definition, "block");
}
