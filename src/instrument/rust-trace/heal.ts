/** Reduces inserted code that the compiler refuses. */
import { posix } from "node:path";
import { parentsOf, type SyntaxNode } from "../../syntax/node.ts";
import { attributesOf } from "../../syntax/rust-test-code.ts";
import type { Choice, ChosenFunction, ChosenType } from "./choice.ts";
import type { RustError, RustErrorPlace } from "./errors.ts";
import { type RustStep, rustSteps, traceInsertions } from "./text.ts";

/**
 * Reduces by one level each insertion that contains an error, or that an error refers to. For a type with two
 * implementations of `Debug`, replaces ours by our own trait. If no insertion is at an error, removes all insertions in
 * the module, `impl` or file that contains the error. As a last resort, removes the code that shows the fields of
 * types. Undefined if no insertion is left, or there is no error.
 */
export function weaken(choice: Choice, errors: readonly RustError[], root: string): Choice | undefined {
  const functions = new Map<ChosenFunction, string>();
  const types = new Set<ChosenType>();
  const doubled = new Set<ChosenType>();
  for (const error of errors) {
    const twice = shownTwice(choice, error);
    for (const type of twice) doubled.add(type);
    if (twice.length > 0) continue;
    const faulty = functionOf(choice, error, root);
    if (faulty !== undefined && !functions.has(faulty)) functions.set(faulty, error.message);
    if (faulty === undefined)
      for (const each of choice.types)
        if (error.places.some((place) => isIn(place, each.file.path, each.type.node, root))) types.add(each);
  }
  if (functions.size === 0 && types.size === 0 && doubled.size === 0)
    return withoutHolders(choice, errors, root) ?? withoutTypes(choice, errors);
  return {
    ...choice,
    types: choice.types
      .filter((each) => !types.has(each))
      .map((each) => (doubled.has(each) ? { ...each, trait: "Show" } : each)),
    functions: choice.functions.map((each) => {
      const reason = functions.get(each);
      return reason === undefined ? each : { ...each, step: lessThan(each, reason), reason };
    }),
  };
}

/**
 * Removes insertions from the container of an error outside functions: an `impl` with a macro attribute, a module, else
 * the file.
 */
function withoutHolders(choice: Choice, errors: readonly RustError[], root: string): Choice | undefined {
  const own = [
    ...choice.functions
      .filter(({ step }) => step !== "none")
      .map(({ file, one }) => ({ file, node: one.node })),
    ...choice.types.map(({ file, type }) => ({ file, node: type.node })),
  ];
  const held = new Map<SyntaxNode, string>();
  for (const { places, message } of errors)
    for (const place of places) {
      const beside = own.filter(({ file }) => isFile(place, file.path, root));
      const holders = beside.flatMap(({ node }) =>
        [...parentsOf(node)].filter((each) => each.parent === undefined || hasLine(each, place)),
      );
      const least = holders.sort((a, b) => a.end - a.start - (b.end - b.start))[0];
      for (const { node } of beside)
        if (least !== undefined && isWithin(node, least) && !held.has(node)) held.set(node, message);
    }
  if (held.size === 0) return undefined;
  return {
    ...choice,
    types: choice.types.filter(({ type }) => !held.has(type.node)),
    functions: choice.functions.map((each) => {
      const reason = each.step === "none" ? undefined : held.get(each.one.node);
      return reason === undefined ? each : { ...each, step: "none", reason };
    }),
  };
}

function isWithin(node: SyntaxNode, holder: SyntaxNode): boolean {
  return node.start >= holder.start && node.end <= holder.end;
}

/** Stops displaying types, because a new `Debug` may make code elsewhere ambiguous. */
function withoutTypes(choice: Choice, errors: readonly RustError[]): Choice | undefined {
  return errors.length === 0 || choice.types.length === 0 ? undefined : { ...choice, types: [] };
}

/** The types with this name that already have a display. */
function shownTwice({ types }: Choice, { message }: RustError): ChosenType[] {
  const name = /E0119.*Debug.*for type `(?:&|mut )*(?:\w+::)*(\w+)/.exec(message)?.[1];
  if (name === undefined) return [];
  return types.filter(({ type, trait }) => trait === "Debug" && type.name === name);
}

function functionOf({ functions }: Choice, error: RustError, root: string): ChosenFunction | undefined {
  for (const place of error.places) {
    // The inner one of nested functions is last.
    const found = functions.findLast(
      ({ step, file, one }) => step !== "none" && isIn(place, file.path, one.node, root),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * The next step that changes the function's text. If the last reduction did not change the error, skips to a step
 * without arguments.
 */
function lessThan(chosen: ChosenFunction, reason: string): RustStep {
  const { step } = chosen;
  const textAt = (at: RustStep): string => JSON.stringify(traceInsertions(chosen, at));
  const present = textAt(step);
  const next = rustSteps.indexOf(step) + 1;
  const left = rustSteps.slice(chosen.reason === reason ? Math.max(next, rustSteps.indexOf("return")) : next);
  return left.find((at) => textAt(at) !== present) ?? "none";
}

function isIn(place: RustErrorPlace, file: string, node: SyntaxNode, root: string): boolean {
  return isFile(place, file, root) && hasLine(node, place);
}

/** True if the node or its attributes contain the line. Code from an attribute macro has the attribute's place. */
function hasLine(node: SyntaxNode, { line }: RustErrorPlace): boolean {
  if (line > node.endLine) return false;
  return line >= node.startLine || attributesOf(node).some(({ startLine }) => line >= startLine);
}

function isFile(place: RustErrorPlace, file: string, root: string): boolean {
  const path = place.path.replaceAll("\\", "/");
  return path === posix.join(root, file) || file === path || file.endsWith(`/${path}`);
}
