/** Less of our own text, where the compiler refuses it. */
import { posix } from "node:path";
import type { Choice, ChosenFunction, ChosenType } from "./rust-trace-choice.ts";
import type { RustError, RustErrorPlace } from "./rust-trace-errors.ts";
import { type RustStep, rustSteps, traceInsertions } from "./rust-trace-text.ts";

/** One step less for whatever each error is in, or refers to; undefined where that is nothing of ours. */
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
  if (functions.size === 0 && types.size === 0 && doubled.size === 0) return undefined;
  return {
    ...choice,
    types: choice.types
      .filter((each) => !types.has(each))
      .map((each) => (doubled.has(each) ? { ...each, trait: "Show" } : each)),
    functions: choice.functions.map((each) => {
      const reason = functions.get(each);
      return reason === undefined ? each : { ...each, step: lessThan(each), reason };
    }),
  };
}

/** The types by this name that something shows already. */
function shownTwice({ types }: Choice, { message }: RustError): ChosenType[] {
  const name = /E0119.*Debug.*for type `(?:&|mut )*(?:\w+::)*(\w+)/.exec(message)?.[1];
  if (name === undefined) return [];
  return types.filter(({ type, trait }) => trait === "Debug" && type.name === name);
}

function functionOf({ functions }: Choice, error: RustError, root: string): ChosenFunction | undefined {
  for (const place of error.places) {
    // Of nested functions the inner one is the last.
    const found = functions.findLast(
      ({ step, file, one }) => step !== "none" && isIn(place, file.path, one.node, root),
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The next step that makes another text of the function. */
function lessThan(chosen: ChosenFunction): RustStep {
  const { step } = chosen;
  const textAt = (at: RustStep): string => JSON.stringify(traceInsertions(chosen, at));
  const present = textAt(step);
  const left = rustSteps.slice(rustSteps.indexOf(step) + 1);
  return left.find((at) => textAt(at) !== present) ?? "none";
}

function isIn(
  place: RustErrorPlace,
  file: string,
  node: { readonly startLine: number; readonly endLine: number },
  root: string,
): boolean {
  if (place.line < node.startLine || place.line > node.endLine) return false;
  const path = place.path.replaceAll("\\", "/");
  return path === posix.join(root, file) || file === path || file.endsWith(`/${path}`);
}
