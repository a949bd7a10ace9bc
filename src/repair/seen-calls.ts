/** Reads the calls of a file as material for repairs: what surrounds the object, and what surrounds an argument. */
import { once } from "../base/once.ts";
import { type SyntaxNode, walk } from "../syntax/node.ts";
import { callOf, codeOf, partOf, roleOf, type Source } from "../syntax/reading.ts";
import { functionAbove } from "../syntax/statements.ts";
import { type FileContext, namesIn } from "./file-context.ts";
import type { Site } from "./template.ts";

/** Code around a hole, which a value can fill. */
interface Around {
  readonly before: string;
  readonly after: string;
  /** Names in this code that are bound in some function of the file. */
  readonly bound: readonly string[];
  /** Number of times that the file has this code. */
  count: number;
  readonly functions: Set<SyntaxNode | undefined>;
}

interface Weighed {
  readonly text: string;
  readonly weight: number;
}

const longest = 60;

interface SeenCalls {
  /** `.replace(" ", "")`. */
  readonly chained: readonly Around[];
  /** `path.normalize(`, `, true)`. */
  readonly wrapping: readonly Around[];
  /** The arguments of each call, by the called name. */
  readonly given: ReadonlyMap<string, readonly (readonly SyntaxNode[])[]>;
  /** The names of keyword arguments. */
  readonly keys: ReadonlySet<string>;
}

/** Kinds of names that all functions of the file see. */
const ofFile = new Set(["function", "class", "import"]);

/** Adds code around a hole. `bound` is called for new code only. */
function add(
  seen: Map<string, Around>,
  { before, after }: Pick<Around, "before" | "after">,
  within: SyntaxNode | undefined,
  bound: () => readonly string[],
): void {
  const key = `${before}\0${after}`;
  const around = seen.get(key) ?? { before, after, bound: bound(), count: 0, functions: new Set() };
  around.count += 1;
  around.functions.add(within);
  seen.set(key, around);
}

const seenCalls = once((context: FileContext): SeenCalls => {
  const { source } = context;
  const known = new Set(context.scopes.bound.filter(({ kind }) => !ofFile.has(kind)).map(({ name }) => name));
  const chained = new Map<string, Around>();
  const wrapping = new Map<string, Around>();
  const given = new Map<string, (readonly SyntaxNode[])[]>();
  const keys = new Set<string>();
  const boundIn = (nodes: readonly SyntaxNode[]): string[] =>
    nodes.flatMap((node) => namesIn(source, node)).filter((name) => known.has(name));
  for (const node of walk(source.tree.root)) {
    const call = callOf(source, node);
    if (call === undefined || roleOf(source, call.list) !== "arguments") continue;
    for (const argument of call.arguments) {
      const key = keyOf(source, argument);
      if (key !== undefined) keys.add(key);
    }
    const others = given.get(call.name);
    if (others === undefined) given.set(call.name, [call.arguments]);
    else others.push(call.arguments);
    const around = functionAbove(source, node);
    const { text } = source.tree;
    const tail = call.receiver && text.slice(call.receiver.end, node.end);
    if (tail !== undefined && tail.length <= longest && !/[\n{]/.test(tail))
      add(chained, { before: "", after: tail }, around, () => boundIn(call.arguments));
    for (const argument of call.arguments.slice(0, 2)) {
      const [before, after] = [text.slice(node.start, argument.start), text.slice(argument.end, node.end)];
      const isShort = before.length + after.length <= longest && !/[\n{]/.test(before + after);
      if (!isShort || call.arguments.length > 3 || (call.receiver && callOf(source, call.receiver))) continue;
      if (roleOf(source, argument) === "keyword-argument") continue;
      add(wrapping, { before, after }, around, () =>
        boundIn([
          ...call.arguments.filter((one) => one !== argument),
          ...(call.receiver ? [call.receiver] : []),
        ]),
      );
    }
  }
  return { chained: [...chained.values()], wrapping: [...wrapping.values()], given, keys };
});

/** The name of a keyword argument: `key` in `key=1`. */
function keyOf(source: Source, node: SyntaxNode): string | undefined {
  if (roleOf(source, node) !== "keyword-argument") return undefined;
  return codeOf(source, partOf(source, node, "name") ?? node).split("=")[0];
}

/**
 * Selects the seen code whose names are in scope. The most frequent code, and code of the same function, comes first.
 * Each weight is from 0.3 to 1.
 */
function usable(site: Site, seen: readonly Around[]): { around: Around; weight: number }[] {
  const names = new Set(site.variables.map(({ name }) => name));
  const here = functionAbove(site.source, site.statement.node);
  const isUsable = (name: string): boolean => names.has(name) || site.source.dialect.selves.includes(name);
  return seen
    .filter(({ bound }) => bound.every(isUsable))
    .map((around) => ({
      around,
      weight:
        (here !== undefined && around.functions.has(here) ? 0.6 : 0.3) + 0.1 * Math.min(4, around.count - 1),
    }))
    .sort((a, b) => b.weight - a.weight);
}

/** Returns calls of the file that can be appended to a value: `.trim()`. */
export function chainedCallsIn(site: Site): Weighed[] {
  return usable(site, seenCalls(site.context).chained)
    .filter(({ around }) => !site.source.tree.text.startsWith(around.after, site.node.end))
    .map(({ around, weight }) => ({ text: around.after, weight }));
}

/** Puts the value into calls that the file applies to other values: `path.normalize(x)`, `round(x, 2)`. */
export function wrappingCallsIn(site: Site, written: string): Weighed[] {
  return usable(site, seenCalls(site.context).wrapping)
    .filter(({ around }) => !written.startsWith(around.before))
    .map(({ around, weight }) => ({ text: around.before + written + around.after, weight }));
}

/**
 * Returns the five most frequent arguments that other calls of this name pass and this call lacks. All names in these
 * arguments are in scope. Adds parameters of the function as arguments of the same name (`key=key`).
 */
export function furtherArguments(site: Site, name: string, given: readonly SyntaxNode[]): Weighed[] {
  const { source, context } = site;
  const names = new Set([...source.dialect.selves, ...site.variables.map((variable) => variable.name)]);
  const functions = new Set(
    context.scopes.bound.filter(({ kind }) => ofFile.has(kind)).map((one) => one.name),
  );
  const written = new Set(given.map((node) => codeOf(source, node)));
  const keys = new Set(given.map((node) => keyOf(source, node)));
  const counts = new Map<string, number>();
  for (const other of seenCalls(context).given.get(name) ?? [])
    for (const [at, node] of other.entries()) {
      const [text, key] = [codeOf(source, node), keyOf(source, node)];
      const isFurther = key === undefined ? at === given.length : !keys.has(key);
      const isUsable = namesIn(source, node).every((one) => names.has(one) || functions.has(one));
      if (!isFurther || !isUsable || written.has(text) || text.length > longest || text.includes("\n"))
        continue;
      counts.set(text, (counts.get(text) ?? 0) + 1);
    }
  const seen = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([text, count]) => ({ text, weight: 0.8 + 0.05 * Math.min(4, count) }));
  return [...seen, ...passedOn(site, given)];
}

/** The function's parameters as arguments of the same name (`key=key`), if the file passes an argument of this name. */
function passedOn({ source, context, variables }: Site, given: readonly SyntaxNode[]): Weighed[] {
  const written = given.map((node) => codeOf(source, node)).join(" ");
  const passed = variables
    .filter(
      ({ name, kind }) =>
        kind === "parameter" && seenCalls(context).keys.has(name) && !written.includes(name),
    )
    .slice(0, 3)
    .map(({ name }) => ({ text: `${name}=${name}`, weight: 0.7 }));
  const all = passed.map(({ text }) => text).join(", ");
  return passed.length > 1 ? [...passed, { text: all, weight: 0.7 }] : passed;
}
