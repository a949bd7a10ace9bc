/** Finds the place that a task is about, `FILE:SYMBOL`, in a tree. */
import { MillwrightError } from "../../base/errors.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Definition } from "../../domain/code-symbols.ts";
import type { Task, TaskKind } from "../../domain/task.ts";
import { symbolsOf } from "../code/symbols-of.ts";
import type { Span } from "../measure/executable-lines.ts";

export interface Target {
  readonly file: string;
  readonly symbol: string;
  /**
   * The spans of the target's definitions. There are several if a name has several parts, such as a getter and a
   * setter.
   */
  readonly spans: readonly Span[];
  readonly text: string;
}

export type ReadText = (path: string) => Promise<string | undefined>;

const needing: ReadonlySet<TaskKind> = new Set(["test-generation", "code-generation"]);

/** Kinds that need a statement: their gate compares with it, or only the statement describes the request. */
const stated: ReadonlySet<TaskKind> = new Set(["regression-test", "feature"]);

/** Throws MillwrightError("usage") if the task lacks what its kind requires: a statement, or an existing target. */
export async function checkTarget(
  { kind, target, statement }: Pick<Task, "kind" | "target" | "statement">,
  read: ReadText,
): Promise<void> {
  if (stated.has(kind) && statement.trim() === "")
    throw new MillwrightError("usage", `A task of the kind ${kind} needs a statement`, {
      hint: "Describe the problem or the request in words, or give the text of an issue.",
    });
  if (!needing.has(kind)) return;
  const found = await findTarget(target, read);
  if (found.ok) return;
  throw new MillwrightError("usage", found.message, {
    hint: `Tasks of the kind ${kind} need a function as their target: give FILE:SYMBOL, such as src/cart.py:Cart.total.`,
  });
}

export async function findTarget(
  target: string | undefined,
  read: ReadText,
): Promise<Result<Target, "no-target">> {
  if (target === undefined) return fail("no-target", "No target is given");
  const [, file, symbol] = /^([^:]+):+(.+)$/.exec(target) ?? [];
  if (file === undefined || symbol === undefined)
    return fail("no-target", `The target ${target} does not have the form FILE:SYMBOL`);
  const path = file.replace(/^(?:\.\/)+/, "");
  const text = await read(path);
  if (text === undefined) return fail("no-target", `There is no file ${path}`);
  const definitions = (await symbolsOf(path, text))?.definitions ?? [];
  const named = definitions.filter((definition) => isNamed(definitions, definition, symbol));
  const spans = named.map(({ startLine, endLine }) => ({ startLine, endLine }));
  if (spans.length > 0) return succeed({ file: path, symbol, spans, text });
  const known = definitions.filter(({ kind }) => /^(?:function|method|constructor)$/.test(kind));
  const names = known.slice(0, 8).map((each) => pathOf(definitions, each).join("."));
  const has =
    names.length === 0 ? "the file defines no known function" : `its functions include ${names.join(", ")}`;
  return fail("no-target", `${path} has no ${symbol}: ${has}`);
}

/**
 * True if the symbol names the definition: `total`, `Cart.total`, `Cart::total`, `Cart#total`. Compares the names from
 * the innermost.
 */
function isNamed(all: readonly Definition[], definition: Definition, symbol: string): boolean {
  if (definition.isDeclaration === true || /^(?:variable|constant|field|section)$/.test(definition.kind))
    return false;
  const wanted = symbol.split(/::|[.#:>]/).filter((part) => part !== "");
  return wanted.join("\n") === pathOf(all, definition).slice(-wanted.length).join("\n");
}

export function pathOf(all: readonly Definition[], definition: Definition): string[] {
  const { name, owner, container } = definition;
  const around = all[container];
  if (around !== undefined) return [...pathOf(all, around), name];
  return owner === undefined ? [name] : [owner, name];
}
