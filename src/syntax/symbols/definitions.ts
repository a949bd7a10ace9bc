/** Converts the findings of a query to `Definition`s. */
import type { Definition } from "../../domain/code-symbols.ts";
import type { DefinitionFacts, MutableDefinition, Outline } from "../outline.ts";
import { type Above, aboveOf } from "./above.ts";
import { type TextOf, textWithoutComments } from "./comments.ts";
import type { Found } from "./found.ts";
import { isTypeKind, type NestedDefinition } from "./regions.ts";
import {
  declaredOnOneLine,
  folded,
  onOneLine,
  splitAttributes,
  withoutCommentMarks,
  withoutOpening,
  withoutQuotes,
} from "./written.ts";

interface Work {
  readonly outline: Outline;
  readonly path: string;
  readonly text: string;
  readonly above: Above;
  readonly withoutComments: TextOf;
  readonly exported: ReadonlySet<string>;
}

export function buildDefinitions(
  outline: Outline,
  path: string,
  text: string,
  found: Found,
  nested: readonly NestedDefinition[],
): Definition[] {
  const exported = new Set(found.exported.map(({ start, end }) => text.slice(start, end)));
  const withoutComments = textWithoutComments(found, text);
  const work: Work = { outline, path, text, exported, above: aboveOf(found, text), withoutComments };
  const definitions: MutableDefinition[] = [];
  for (const one of nested) definitions.push(buildDefinition(work, one, definitions));
  adoptOwned(definitions);
  outline.finish?.(definitions);
  return definitions;
}

function buildDefinition(
  work: Work,
  { found, kind, isBinding, container, access, block }: NestedDefinition,
  before: readonly Definition[],
): MutableDefinition {
  const { outline, text } = work;
  const { bodyStart, docstring, parameters, type } = found;
  const name = nameText(text.slice(found.name.start, found.name.end));
  const above = work.above(found);
  const bodyAt = bodyStart === undefined ? found.end : Math.max(found.start, bodyStart);
  const [attributes, written] = splitAttributes(
    prefixOf(text, found.start) + work.withoutComments(found.start, bodyAt),
  );
  const header = isTypeKind(kind) ? (written.split("{", 1)[0] ?? "") : written;
  const around = before[container];
  const owner = found.owner ?? block?.owner;
  const facts: DefinitionFacts = {
    path: work.path,
    name,
    kind,
    header,
    attributes: `${above.attributes}\n${attributes}`,
    container: around,
    owner,
    access,
    keepsPromise: block?.keepsPromise === true,
  };
  const isCode = kind === "function" || kind === "method" || kind === "macro";
  const shown = shownOf(header, { kind, isLine: isBinding && bodyStart === undefined });
  const isTest = outline.isTest?.(facts) === true;
  const documentation =
    (docstring === undefined ? undefined : withoutQuotes(docstring)) ??
    (above.comment === undefined ? undefined : withoutCommentMarks(above.comment));
  return {
    kind: finalKind(outline, facts, isBinding),
    name,
    container,
    ...(owner === undefined ? {} : { owner }),
    startLine: Math.min(above.startRow, found.row) + 1,
    endLine: found.lastRow + 1,
    at: { line: found.name.row + 1, column: found.name.column },
    signature: declaredOnOneLine(
      found.name.start < bodyAt ? withoutOpening(shown) : `${withoutOpening(shown)} ${name}`,
    ),
    ...(documentation === undefined ? {} : { documentation }),
    ...(isCode || kind === "constructor" ? parametersOf(parameters) : {}),
    ...(type === undefined || isTypeKind(kind) || kind === "module" || kind === "type" ? {} : { type }),
    ...(isTest ? { isTest } : {}),
    ...(found.isPrototype ? { isDeclaration: true } : {}),
    isPublic: (container === -1 && work.exported.has(name)) || outline.isPublic(facts),
  };
}

/** The declaration to show. For a value, a field or an alias, omits the contents of brackets over several lines. */
function shownOf(
  header: string,
  { kind, isLine }: { readonly kind: Definition["kind"]; readonly isLine: boolean },
): string {
  if (isLine || kind === "macro") return header.split(/\\?\n/, 1)[0] ?? "";
  const isWhole = isTypeKind(kind) || kind === "function" || kind === "method" || kind === "constructor";
  return isWhole ? header : folded(header);
}

function finalKind(outline: Outline, facts: DefinitionFacts, isBinding: boolean): Definition["kind"] {
  if (isBinding) return outline.isConstant?.(facts) === true ? "constant" : facts.kind;
  if (facts.kind !== "method" && (facts.kind !== "function" || facts.owner === undefined)) return facts.kind;
  const type = facts.owner ?? facts.container?.name;
  return outline.constructors?.includes(facts.name) === true || facts.name === type
    ? "constructor"
    : facts.kind;
}

/** A test's name without quotes and brackets. It is a string or `TEST(Suite, name)`. */
function nameText(written: string): string {
  const inner = /^["'`]/.test(written)
    ? written.slice(1, -1)
    : written.startsWith("(")
      ? written.slice(1, -1).replaceAll(/\s*,\s*/g, ".")
      : written;
  return onOneLine(inner, 200);
}

/** The words before a declaration on its line: `export const`. */
function prefixOf(text: string, start: number): string {
  const near = text.slice(Math.max(0, start - 60), start);
  const line = near.slice(near.lastIndexOf("\n") + 1);
  return /^\s*(?!return\b|yield\b|await\b|throw\b)[a-z][\w\s]*$/.test(line) ? line.trimStart() : "";
}

function parametersOf(parameters: readonly string[] | undefined): Pick<Definition, "arity" | "parameters"> {
  return parameters === undefined ? {} : { arity: parameters.length, parameters: parameters.join(",") };
}

/** Makes a type of the same file the container of its members, and of the fields that its methods assign. */
function adoptOwned(definitions: MutableDefinition[]): void {
  if (!definitions.some((one) => one.owner !== undefined)) return;
  const places = typePlaces(definitions);
  for (const one of definitions) {
    const place = one.owner === undefined ? undefined : places.get(lastSegment(one.owner));
    if (place !== undefined && definitions[place] !== one) one.container = place;
    const around = definitions[one.container];
    if (one.kind === "field" && around?.owner !== undefined) one.container = around.container;
  }
}

/**
 * Maps the names of definitions that can have members to the definitions' indices. These are types, and functions and
 * variables, because JavaScript's functions and tables have members. Leaves out definitions with an owner. Of several
 * definitions with one name, the first counts.
 */
export function typePlaces(definitions: readonly Definition[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [index, one] of definitions.entries()) {
    const isHolder = isTypeKind(one.kind) || ["type", "variable", "constant", "function"].includes(one.kind);
    if (isHolder && one.owner === undefined && !places.has(one.name)) places.set(one.name, index);
  }
  return places;
}

export function lastSegment(name: string): string {
  return name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":")) + 1);
}
