/**
 * Fits the code that templates write to the types that the source declares. If the language has no written types, uses
 * the language's general spellings.
 */
import { namedChildren, type SyntaxNode } from "../syntax/node.ts";
import { codeOf, roleOf } from "../syntax/reading.ts";
import type { ScopeName } from "../syntax/scope.ts";
import { functionAbove } from "../syntax/statements.ts";
import { declaredShapes } from "./declared-types.ts";
import type { Site } from "./template.ts";

export function typeOfName(site: Site, name: string): string | undefined {
  return site.variables.find((variable) => variable.name === name)?.type;
}

/**
 * Compares the types of the variables `name` and `other`. False only if both types are known and differ: `other` then
 * cannot replace `name`.
 */
export function canStandFor(site: Site, name: string, other: ScopeName): boolean {
  const type = typeOfName(site, name);
  return type === undefined || other.type === undefined || type === other.type;
}

/**
 * False if the file's declarations show that `other` cannot replace `name` in a call. `given`: the number of the call's
 * arguments.
 */
export function canBeCalledFor(site: Site, name: string, other: string, given: number): boolean {
  const { types } = site.source.dialect;
  const [first, second] = [name, other].map((one) => types?.ofFunction?.(site.source.tree, one));
  if (second === undefined) return true;
  if (second.parameters !== undefined && second.parameters !== given) return false;
  return first === undefined || first.results.join() === second.results.join();
}

/**
 * Returns conditions that test whether a value is missing or empty, likeliest first. Each comes with its opposite;
 * undefined if there is no short opposite.
 */
export function testsOfAbsence(
  site: Site,
  value: string,
): readonly (readonly [test: string, opposite: string | undefined])[] {
  const { types, spelling } = site.source.dialect;
  const type = types && typeOfName(site, value);
  if (types !== undefined && type !== undefined) return types.missing(type, value);
  const tests = [
    [spelling.isNull(value), spelling.isNotNull(value)] as const,
    [spelling.isEmpty(value, declaredShapes(site).get(value)), undefined] as const,
  ];
  return tests.flatMap(([test, opposite]) => (test === undefined ? [] : [[test, opposite] as const]));
}

/** Returns conditions that test whether a variable in scope reports a failure, such as `err != nil` in Go. */
export function testsOfFailure(site: Site): string[] {
  const { types } = site.source.dialect;
  return site.variables.flatMap(({ name, type }) => (type && types?.failed?.(type, name)) ?? []);
}

/**
 * Returns the result types of the enclosing function. Undefined outside of functions, or if the language does not
 * declare result types.
 */
export function resultTypes(site: Site): readonly string[] | undefined {
  const { source, statement } = site;
  const around = functionAbove(source, statement.node);
  return around && source.dialect.types?.ofResults(source.tree, around);
}

/**
 * Returns at most five statements that leave a function whose language requires a typed result. They return nothing,
 * each result's initial value, an existing error, `true`, or a value that the function returns elsewhere. Undefined if
 * the language allows any value.
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

/** Short `return` statements of the same function whose names are in scope here. */
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
