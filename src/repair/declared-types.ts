/** Uses declared types to reject edits that a compiler would certainly refuse. */
import { once } from "../base/once.ts";
import type { DeclaredShape } from "../syntax/dialect.ts";
import { childOf, nodeAt, parentsOf, type SyntaxNode } from "../syntax/node.ts";
import { codeOf, type Source } from "../syntax/reading.ts";
import { functionAbove } from "../syntax/statements.ts";
import type { Edit, Site } from "./template.ts";

/**
 * True if declared types prove that the edit does not compile. Calls, and names without a declared type, count as
 * correctly typed.
 */
export function isIllTyped(site: Site, edit: Edit): boolean {
  if (site.source.dialect.shapeOfType === undefined) return false;
  const shapes = declaredShapes(site);
  const text = edit.replacement.trim();
  const before = site.source.tree.text.slice(edit.start, edit.end).trim();
  return (
    testsAgainstType(text, shapes) ||
    calculatesWithOthers(text, shapes) ||
    decidesByValue(before, text, shapes) ||
    swapsKinds(before, text, shapes) ||
    leavesWrongly(site, edit, before, text, shapes)
  );
}

type Shapes = ReadonlyMap<string, DeclaredShape>;
/** Returns the shapes of the variables at the site by their declared types. Leaves out variables without one. */
export const declaredShapes = ({ variables, source }: Site): Shapes => shapesOf(variables, source);

const shapesOf = once((variables: Site["variables"], source: Site["source"]): Shapes => {
  const shapes = new Map<string, DeclaredShape>();
  for (const { name, boundAt, kind } of variables) {
    const type = kind === "attribute" ? undefined : declaredType(source, boundAt);
    const shape = type === undefined ? undefined : source.dialect.shapeOfType?.(type);
    if (shape !== undefined) shapes.set(name, shape);
  }
  return shapes;
});

/** The type next to a name in the declaration, parameter or loop that binds it. */
function declaredType(source: Source, boundAt: number): string | undefined {
  const name = nodeAt(source.tree.root, boundAt, boundAt + 1);
  let distance = 0;
  for (const parent of parentsOf(name)) {
    const type = childOf(parent, "type");
    // `int a[]` and `int... a` add to their type.
    if (type !== undefined) return parent.kind === "spread_parameter" ? undefined : codeOf(source, type);
    distance += 1;
    if (distance > 2) return undefined;
  }
  return undefined;
}

const isPlain = (shape: DeclaredShape | undefined): boolean => shape === "number" || shape === "boolean";

/**
 * True for a test against the declared type: `a == null` or `a.isEmpty()` for a number, `!a` for a value that is not a
 * boolean.
 */
function testsAgainstType(text: string, shapes: Shapes): boolean {
  const nulls = [...text.matchAll(/(?<![\w.])([A-Za-z_]\w*) [!=]= null\b/g)];
  const empties = [...text.matchAll(/(?<![\w.])([A-Za-z_]\w*)\.isEmpty\(\)/g)];
  const negated = [...text.matchAll(/!([A-Za-z_]\w*)(?![\w.([])/g)];
  const shapeOf = (match: RegExpMatchArray): DeclaredShape | undefined => shapes.get(match[1] ?? "");
  return (
    nulls.some((match) => isPlain(shapeOf(match))) ||
    empties.some((match) => isPlain(shapeOf(match)) || shapeOf(match) === "array") ||
    negated.some((match) => (shapeOf(match) ?? "boolean") !== "boolean")
  );
}

function calculatesWithOthers(text: string, shapes: Shapes): boolean {
  const isOther = (name: string | undefined): boolean => (shapes.get(name ?? "") ?? "number") !== "number";
  const sums = [...text.matchAll(/^\(?([A-Za-z_]\w*) [-*/%] ([A-Za-z_]\w*|\d+)\)?$/g)];
  const steps = /^([A-Za-z_]\w*) \+ 1$/.exec(text);
  return sums.some((match) => isOther(match[1]) || isOther(match[2])) || isOther(steps?.[1]);
}

/** True if the edit uses a variable that is not a boolean as a condition, or combines it with one. */
function decidesByValue(before: string, text: string, shapes: Shapes): boolean {
  const isOther = (name: string | undefined): boolean => (shapes.get(name ?? "") ?? "boolean") !== "boolean";
  const operands = [...text.matchAll(/(?:^|&& |\|\| )!?([A-Za-z_]\w*)(?= &&| \|\||$)/g)].map(
    (match) => match[1],
  );
  const isCondition = /&&|\|\||[<>=!]=|[<>]/.test(before) && !/["'{;]/.test(before);
  return (/&&|\|\|/.test(text) || isCondition) && !text.includes(";") && operands.some(isOther);
}

/** True if the edit replaces a variable with one of another shape. The shape "object" fits every other. */
function swapsKinds(before: string, text: string, shapes: Shapes): boolean {
  const [first, second] = [shapes.get(before), shapes.get(text)];
  return (
    first !== undefined &&
    second !== undefined &&
    first !== second &&
    !(first === "object" || second === "object")
  );
}

/** True for a `return` without a required value, with a forbidden one, or with a constant of another type. */
function leavesWrongly(site: Site, edit: Edit, before: string, text: string, shapes: Shapes): boolean {
  const type = returnType(site);
  if (type === undefined) return false;
  const isValue = site.role === "return" && edit.start > site.node.start && edit.end < site.node.end;
  const written =
    isValue && before !== "" && textOfReturn(site) === before ? text : /\breturn\b ?([^;]*);/.exec(text)?.[1];
  if (written === undefined || (!isValue && before.includes("return"))) return false;
  if (type === "void") return written !== "";
  return written === "" || !canReturn(site, type, written, shapes);
}

function canReturn(site: Site, type: string, written: string, shapes: Shapes): boolean {
  const shape = site.source.dialect.shapeOfType?.(type);
  if (written === "null") return !isPlain(shape);
  if (shape === undefined) return true;
  const value = shapes.get(written) ?? shapeOfConstant(written);
  if (value === undefined || value === shape || value === "object") return true;
  return shape === "object" && !isPlain(value) && (type === "Object" || type.length === 1);
}

function shapeOfConstant(written: string): DeclaredShape | undefined {
  if (/^-?\d+$/.test(written)) return "number";
  if (/^(true|false)$|^[^"]* [<>!=]=? [^"]*$/.test(written)) return "boolean";
  if (/^"[^"]*"$/.test(written)) return "text";
  return written.startsWith("Collections.") ? "sequence" : undefined;
}

function returnType(site: Site): string | undefined {
  const around: SyntaxNode | undefined = functionAbove(site.source, site.statement.node);
  if (around === undefined) return undefined;
  const type = childOf(around, "type");
  if (type !== undefined) return codeOf(site.source, type);
  return /constructor/.test(around.kind) ? "void" : undefined;
}

function textOfReturn(site: Site): string {
  const code = codeOf(site.source, site.node);
  return code
    .replace(/^return\b\s*/, "")
    .replace(/;$/, "")
    .trim();
}
