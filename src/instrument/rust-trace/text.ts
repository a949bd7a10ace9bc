/** The text that makes a Rust function record its calls; see `src/languages/runtime/rust-trace/`. */
import { childOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { attributesOf } from "../../syntax/rust-test-code.ts";
import { quoteRust } from "../rust-places.ts";
import type { Insertion } from "../text-insertions.ts";
import type { RustFunction } from "./functions.ts";
import { changedArguments } from "./leaving.ts";
import { argumentsOf, type Returned, returnedBy, tailsOf } from "./signature.ts";
import { spawnInsertions } from "./spawn.ts";

/**
 * Levels of recording, from the most detailed to none. If a function does not compile, Millwright tries the next level.
 *
 * - "whole": as "after"; if a macro may return from the function, its returns instead of final values
 * - "after": as "all", and the final values of mutable arguments, except in async functions
 * - "all": as "plain", and values that `?` returns
 * - "plain": arguments and the returned value
 * - "return": the returned value, without arguments
 * - "calls": only the call and its end
 * - "none": nothing
 */
export const rustSteps = ["whole", "after", "all", "plain", "return", "calls", "none"] as const;
export type RustStep = (typeof rustSteps)[number];

const lib = "millwright_trace";
/** Code outside the function itself: `return` and `?` there leave something else. */
const apart =
  /^(?:closure_expression|async_block|gen_block|try_block|const_block|array_type|macro_invocation|.*_item)$/;

export interface InsertedFunction {
  readonly file: { readonly tree: SyntaxTree };
  readonly one: RustFunction;
  readonly id: number;
  /** True if macros in the body may return from the function. */
  readonly leavesByMacro: boolean;
}

interface Part {
  readonly tree: SyntaxTree;
  readonly node: SyntaxNode;
  readonly returned: Returned;
  readonly step: RustStep;
  /** The arguments whose targets the trace shows again at the function's end. */
  readonly changed: readonly string[];
  /** True if the body becomes a closure, so that the trace records every exit. */
  readonly isInside: boolean;
}

/**
 * Returns the insertions that make one function record its calls, at the given level. Empty for a function without a
 * body, and for the level `none`.
 */
export function traceInsertions({ file, ...rest }: InsertedFunction, step: RustStep): Insertion[] {
  const { tree } = file;
  const { one, id, leavesByMacro } = rest;
  const { body } = one;
  if (body === undefined || step === "none") return [];
  const returned = returnedBy(tree, one.node);
  const isInside = step === "whole" && leavesByMacro && canBeInside(tree, one, returned);
  const isChanged = !one.isAsync && !isInside && (step === "whole" || step === "after");
  const changed = isChanged ? changedArguments(tree, one.node, body, returned) : [];
  const part: Part = { tree, node: one.node, returned, step, changed, isInside };
  const at = entryOf(body);
  const entry = `${makeGuard(part, one, id)}${makeArguments(part)}`;
  const spawns = showsTries(step) ? spawnInsertions(tree, body) : [];
  if (one.isAsync) return [...asyncInsertions(part, body, at, entry), ...spawns];
  const { kind } = returned;
  const open: Insertion = { at, text: entry, side: "open", order: -1 };
  if (step === "calls" || kind === "never") return [open, ...spawns];
  if (kind === "unit" && at === body.end - 1) return [{ ...open, text: `${entry}__mw.end();` }];
  const ways = [...exitsOf(part, body), ...spawns];
  const end = (text: string): Insertion => ({ at: body.end - 1, text, side: "close", order: -1 });
  if (isInside) return [{ ...open, text: entry + openInside(part) }, ...ways, end(closeInside(part))];
  if (kind !== "unit") return [open, ...ways];
  return [open, ...ways, end(`;__mw.end();${tellChanged(part)}`)];
}

function showsTries(step: RustStep): boolean {
  return step === "whole" || step === "after" || step === "all";
}

/**
 * True if the body can become a closure. The function must not be `async`, its caller must not matter (`track_caller`),
 * and its result type must have a name.
 */
function canBeInside(tree: SyntaxTree, one: RustFunction, { kind }: Returned): boolean {
  const isTracked = attributesOf(one.node).some((mark) => /\btrack_caller\b/.test(textOf(tree, mark)));
  return (kind === "unit" || kind === "value") && !one.isAsync && !isTracked;
}

function openInside({ returned: { kind, type } }: Part): string {
  return kind === "unit" ? `${lib}::once(move||{` : `let __mw_v: ${type}=${lib}::once(move||->${type}{`;
}

function closeInside({ returned: { kind } }: Part): string {
  if (kind === "unit") return ";});if !__mw.told(){__mw.end();}";
  return `});if !__mw.told(){${endWith("&__mw_v")}}__mw_v`;
}

/** Records the final values of mutable arguments. */
function tellChanged({ changed }: Part): string {
  if (changed.length === 0) return "";
  return `if __mw.on(){${changed.map((name) => showNamed("after", name, true)).join("")}}`;
}

function showNamed(method: "enters" | "after", name: string, isReference: boolean): string {
  const value = `${isReference ? "&*" : "&"}${name}`;
  return `${lib}::Of(${value}).${method}(&__mw,${quoteRust(name.replace(/^r#/, ""))});`;
}

/** The text that records the end of the call. `value`: a reference to the result. */
function endWith(value: string): string {
  return `if __mw.ends(${lib}::Ends(${value}).failed()){${lib}::Of(${value}).leaves(&__mw);}`;
}

function entryOf(body: SyntaxNode): number {
  const inner = body.children.findLast((child) => child.kind === "inner_attribute_item");
  return inner?.end ?? body.start + 1;
}

function makeGuard({ step, returned, isInside }: Part, one: RustFunction, id: number): string {
  const parts = [`let __mw=${isInside ? "&" : ""}${lib}::enter(${id})`];
  // An attribute that rewrites asynchronous functions takes the word for a use of the type.
  if (one.isOfType && !one.isAsync && showsTries(step)) parts.push(".of::<Self>()");
  if (one.isCase) parts.push(`.test(module_path!(),${quoteRust(one.last.replace(/^r#/, ""))})`);
  if (one.isAsync) parts.push(".task()");
  // Without values the exit is not seen, and a function that cannot fail returns.
  else if (step === "calls" || !returned.mayFail) parts.push(".plain()");
  return `${parts.join("")};`;
}

function makeArguments({ tree, node, step, changed }: Part): string {
  if (!showsTries(step) && step !== "plain") return "if __mw.on(){__mw.go_bare();}";
  const values = argumentsOf(tree, node).map(({ name, isReference }) =>
    showNamed("enters", name, isReference),
  );
  return `if __mw.on(){${values.join("")}__mw.go${changed.length > 0 ? "_mut" : ""}();}`;
}

/** The text around an expression that records its value as the function's own. */
function around(part: Part, isEnd = true): [open: string, close: string] {
  const { returned } = part;
  const after = isEnd ? tellChanged(part) : "";
  switch (returned.kind) {
    case "unit":
      return ["{let __mw_v:()=", `;__mw.end();${after}__mw_v}`];
    case "opaque":
      return [`{__mw.tell(${quoteRust(returned.shown)});`, "}"];
    default:
      return [`{let __mw_v: ${returned.type}=`, `;${endWith("&__mw_v")}${after}__mw_v}`];
  }
}

function exitsOf(part: Part, body: SyntaxNode): Insertion[] {
  const found: Insertion[] = [];
  const [open, close] = around(part);
  // A closure's own value is recorded after it.
  const tails = part.returned.kind === "unit" || part.isInside ? [] : tailsOf(body);
  const wrap = (node: SyntaxNode, order: number): void => {
    found.push({ at: node.start, text: open, side: "open", order });
    found.push({ at: node.end, text: close, side: "close", order });
  };
  let order = 0;
  for (const node of walk(body, (inner) => inner === body || !apart.test(inner.kind))) {
    order += 1;
    if (tails.includes(node)) wrap(node, order - 0.5);
    if (node.kind === "return_expression") {
      const value = node.children.find((child) => child.named && !/comment/.test(child.kind));
      if (value !== undefined) wrap(value, order);
      else if (part.returned.kind === "unit")
        found.push({ at: node.end, text: ` {__mw.end();${tellChanged(part)}}`, side: "close", order });
    } else if (node.kind === "try_expression" && showsTries(part.step) && attributesOf(node).length === 0)
      found.push(...tryInsertions(part, node, order));
  }
  return found;
}

/** Turns `x?` into a `match` that records the returned value. The operator itself becomes a comment. */
function tryInsertions(part: Part, node: SyntaxNode, order: number): Insertion[] {
  const mark = node.children.findLast((child) => child.kind === "?");
  if (mark === undefined) return [];
  const [open, close] = part.returned.kind === "opaque" ? ["{__mw.fail();", "}"] : around(part, false);
  const stop = `${lib}::Flow::Stop(__mw_r)=>return ${open}${lib}::convert(__mw_r)${failing(part, close)}`;
  return [
    { at: node.start, text: `(match ${lib}::branch(`, side: "open", order },
    { at: mark.start, text: "/*", side: "close", order },
    { at: mark.end, text: `*/){${lib}::Flow::Go(__mw_r)=>__mw_r,${stop}})`, side: "close", order },
  ];
}

/** The text that ends the body. It records leaving by `?` as a failure, also with `None`. */
function failing(part: Part, close: string): string {
  return part.returned.kind === "value"
    ? `;if __mw.fails(){${lib}::Of(&__mw_v).leaves(&__mw);}__mw_v}`
    : close;
}

function asyncInsertions(part: Part, body: SyntaxNode, at: number, entry: string): Insertion[] {
  const { kind, type } = part.returned;
  const typed = part.step !== "calls" && kind !== "never" && type !== "_";
  const hint = typed ? `if false{return ${lib}::never::<${type === "" ? "()" : type}>();}` : "";
  const shown =
    part.step === "calls" || kind === "unit" || kind === "never"
      ? "|__mw,_|__mw.end()"
      : `|__mw,__mw_v|{${endWith("__mw_v")}}`;
  const open = `${entry}${lib}::poll(__mw,async move{${hint}`;
  const close = `},${shown}).await`;
  if (at === body.end - 1) return [{ at, text: open + close, side: "open", order: -1 }];
  return [
    { at, text: open, side: "open", order: -1 },
    { at: body.end - 1, text: close, side: "close", order: -1 },
  ];
}

/** Returns the line of a function's own name in its text. */
export function nameLine(one: RustFunction): number {
  return (childOf(one.node, "name") ?? one.node).startLine;
}
