/** Finds the functions of a file that a user requests by name. The same rules apply to several languages. */
import { nearestNames } from "../base/nearest-names.ts";
import type { TracePlan } from "./tracer.ts";

const mostSuggestions = 5;

export interface NamedFunction {
  /** The function's name in the language's qualified form: `Greeter.greet`, `outer.<locals>.inner`. */
  readonly name: string;
}

export interface AskedFunctions<T extends NamedFunction> {
  readonly asked: ReadonlySet<T>;
  readonly unknown: TracePlan["unknown"];
}

/**
 * Finds the requested functions. `*` means all functions. `name` and `Type.name` mean every function with this name, or
 * with this end of its qualified name. `Type::*`, or `Type` if no function has this name, means all functions in the
 * type.
 */
export function findAsked<T extends NamedFunction>(
  path: string,
  names: readonly string[],
  functions: readonly T[],
): AskedFunctions<T> {
  const parts = new Map(functions.map((each) => [each, partsOf(each.name)]));
  const asked = new Set<T>();
  const unknown: TracePlan["unknown"][number][] = [];
  for (const name of names) {
    const found = functions.filter((each) => name === "*" || isMeant(partsOf(name), parts.get(each) ?? []));
    const inside =
      found.length > 0 ? found : functions.filter((each) => stands([...partsOf(name), "*"], parts.get(each)));
    for (const each of inside) asked.add(each);
    if (inside.length > 0 || name === "*") continue;
    const nearest = nearestNames(
      name.replaceAll("::", "."),
      functions.map((each) => each.name),
      mostSuggestions,
    );
    unknown.push({ path, name, nearest, functions: functions.length });
  }
  return { asked, unknown };
}

function isMeant(wanted: readonly string[], parts: readonly string[]): boolean {
  return wanted.at(-1) === "*" ? stands(wanted, parts) : endsWith(parts, wanted);
}

/** True for a function inside anything named like the request's container, at any depth: `Outer.Inner.*`. */
function stands(wanted: readonly string[], parts: readonly string[] = []): boolean {
  const around = wanted.slice(0, -1);
  return parts.some((_, end) => end > 0 && endsWith(parts.slice(0, end), around));
}

function endsWith(parts: readonly string[], wanted: readonly string[]): boolean {
  if (wanted.length === 0 || wanted.length > parts.length) return false;
  return wanted.every((part, index) => parts[parts.length - wanted.length + index] === part);
}

function partsOf(name: string): string[] {
  return name.split(/::|[.#]/).filter((part) => part !== "" && part !== "<locals>");
}
