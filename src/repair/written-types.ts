/** What templates make of types, where a language writes them; without types, what the language's spelling has for all. */
import { namedChildren, type SyntaxNode } from "../syntax/node.ts";
import { codeOf, roleOf } from "../syntax/reading.ts";
import type { ScopeName } from "../syntax/scope.ts";
import { functionAbove } from "../syntax/statements.ts";
import type { Site } from "./template.ts";

export function typeOfName(site: Site, name: string): string | undefined {
  return site.variables.find((variable) => variable.name === name)?.type;
}

/** False only where both types are known, and differ. */
export function canStandFor(site: Site, name: string, other: ScopeName): boolean {
  const type = typeOfName(site, name);
  return type === undefined || other.type === undefined || type === other.type;
}

/** False where the file's declarations show that `other` cannot be called in the place of `name`. */
export function canBeCalledFor(site: Site, name: string, other: string, given: number): boolean {
  const { types } = site.source.dialect;
  const [first, second] = [name, other].map((one) => types?.ofFunction?.(site.source.tree, one));
  if (second === undefined) return true;
  if (second.parameters !== undefined && second.parameters !== given) return false;
  return first === undefined || first.results.join() === second.results.join();
}

/** Tests that a value is missing or empty, each with its opposite; the likelier first. */
export function testsOfAbsence(
  site: Site,
  value: string,
): readonly (readonly [test: string, opposite: string | undefined])[] {
  const { types, spelling } = site.source.dialect;
  const type = types && typeOfName(site, value);
  if (types !== undefined && type !== undefined) return types.missing(type, value);
  const tests = [
    [spelling.isNull(value), spelling.isNotNull(value)] as const,
    [spelling.isEmpty(value), undefined] as const,
  ];
  return tests.flatMap(([test, opposite]) => (test === undefined ? [] : [[test, opposite] as const]));
}

/** Tests of the values in scope that tell of a failure. */
export function testsOfFailure(site: Site): string[] {
  const { types } = site.source.dialect;
  return site.variables.flatMap(({ name, type }) => (type && types?.failed?.(type, name)) ?? []);
}

/** What the function around returns; undefined where the language does not say. */
export function resultTypes(site: Site): readonly string[] | undefined {
  const { source, statement } = site;
  const around = functionAbove(source, statement.node);
  return around && source.dialect.types?.ofResults(source.tree, around);
}

/**
 * Statements that leave the function with what it has to return: nothing, what each result starts with, the error that is
 * there, what it returns elsewhere. Undefined where the language lets a function return anything.
 */
export function typedReturns(site: Site): readonly string[] | undefined {
  const types = resultTypes(site);
  if (types === undefined) return undefined;
  if (types.length === 0) return ["return"];
  const { zero } = site.source.dialect.types ?? {};
  const zeros = types.map((type) => zero?.(type));
  const found: string[] = [];
  if (zeros.every((value) => value !== undefined)) {
    found.push(`return ${zeros.join(", ")}`);
    const error = types.at(-1) === "error" && typeOfName(site, "err") === "error";
    if (error) found.push(`return ${[...zeros.slice(0, -1), "err"].join(", ")}`);
    if (types.length === 1 && types[0] === "bool") found.push("return true");
  }
  return [...new Set([...found, ...returnsNearby(site)])].slice(0, 5);
}

/** The short returns of the same function whose names are known here. */
function returnsNearby(site: Site): string[] {
  const { source, context, statement } = site;
  const around = functionAbove(source, statement.node);
  const usable = new Set(site.variables.map((variable) => variable.name));
  return context.statements
    .filter(
      (other) =>
        other.role === "return" &&
        functionAbove(source, other.node) === around &&
        other.node !== statement.node,
    )
    .filter(({ node }) => node.startLine === node.endLine && node.end - node.start < 60)
    .filter(({ node }) => identifiersOf(site, node).every((name) => usable.has(name) || !isLocal(site, name)))
    .map(({ node }) => codeOf(source, node));
}

function identifiersOf(site: Site, node: SyntaxNode): string[] {
  const own = roleOf(site.source, node) === "identifier" ? [codeOf(site.source, node)] : [];
  return [...own, ...namedChildren(node).flatMap((child) => identifiersOf(site, child))];
}

function isLocal(site: Site, name: string): boolean {
  return site.context.scopes.bound.some(
    (bound) => bound.name === name && !["function", "class", "import"].includes(bound.kind),
  );
}
