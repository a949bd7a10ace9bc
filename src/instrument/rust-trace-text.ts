/** The text that makes a Rust function record its calls; see `src/languages/runtime/rust-trace/`. */
import { childOf, type SyntaxNode, type SyntaxTree, walk } from "../syntax/node.ts";
import { attributesOf } from "../syntax/rust-test-code.ts";
import { quoteRust } from "./rust-places.ts";
import type { RustFunction } from "./rust-trace-functions.ts";
import { argumentsOf, type Returned, returnedBy, tailsOf } from "./rust-trace-signature.ts";
import { spawnInsertions } from "./rust-trace-spawn.ts";
import type { Insertion } from "./text-insertions.ts";

/** From all to nothing: what is tried in turn where a function does not compile. */
export const rustSteps = ["all", "plain", "return", "calls", "none"] as const;
export type RustStep = (typeof rustSteps)[number];

const lib = "millwright_trace";
/** What is not of the function itself: `return` and `?` there leave something else. */
const apart =
  /^(?:closure_expression|async_block|gen_block|try_block|const_block|array_type|macro_invocation|.*_item)$/;

interface Part {
  readonly tree: SyntaxTree;
  readonly returned: Returned;
  readonly step: RustStep;
}

/** The insertions for one function under this number. */
export function traceInsertions(
  tree: SyntaxTree,
  one: RustFunction,
  id: number,
  step: RustStep,
): Insertion[] {
  const { body } = one;
  if (body === undefined || step === "none") return [];
  const part: Part = { tree, returned: returnedBy(tree, one.node), step };
  const at = entryOf(body);
  const entry = `${makeGuard(part, one, id)}${makeArguments(part, one.node)}`;
  const spawns = step === "all" ? spawnInsertions(tree, body) : [];
  if (one.isAsync) return [...asyncInsertions(part, body, at, entry), ...spawns];
  const { kind } = part.returned;
  const open: Insertion = { at, text: entry, side: "open", order: -1 };
  if (step === "calls" || kind === "never") return [open, ...spawns];
  if (kind === "unit" && at === body.end - 1) return [{ ...open, text: `${entry}__mw.end();` }];
  const ways = [...exitsOf(part, body), ...spawns];
  if (kind !== "unit") return [open, ...ways];
  return [open, ...ways, { at: body.end - 1, text: ";__mw.end();", side: "close", order: -1 }];
}

function entryOf(body: SyntaxNode): number {
  const inner = body.children.findLast((child) => child.kind === "inner_attribute_item");
  return inner?.end ?? body.start + 1;
}

function makeGuard({ step, returned }: Part, one: RustFunction, id: number): string {
  const parts = [`let __mw=${lib}::enter(${id})`];
  // An attribute that rewrites asynchronous functions takes the word for a use of the type.
  if (one.isOfType && !one.isAsync && step === "all") parts.push(".of::<Self>()");
  if (one.isCase) parts.push(`.test(module_path!(),${quoteRust(one.last.replace(/^r#/, ""))})`);
  if (one.isAsync) parts.push(".task()");
  // Without its values the way out is not seen, and what cannot fail returns.
  else if (step === "calls" || !returned.mayFail) parts.push(".plain()");
  return `${parts.join("")};`;
}

function makeArguments({ tree, step }: Part, node: SyntaxNode): string {
  const shown = step === "all" || step === "plain" ? argumentsOf(tree, node) : [];
  const values = shown.map(
    ({ name, isReference }) =>
      `(${quoteRust(name.replace(/^r#/, ""))},${lib}::v!(${isReference ? "&*" : "&"}${name}))`,
  );
  return `if __mw.on(){__mw.go(&[${values.join(",")}]);}`;
}

/** An expression's surroundings that show its value as the function's own. */
function around({ returned }: Part): [open: string, close: string] {
  switch (returned.kind) {
    case "unit":
      return ["{let __mw_v:()=", ";__mw.end();__mw_v}"];
    case "opaque":
      return [`{__mw.tell(${quoteRust(returned.shown)});`, "}"];
    default:
      return [`{let __mw_v:${returned.type}=`, `;${lib}::r!(__mw,&__mw_v);__mw_v}`];
  }
}

function exitsOf(part: Part, body: SyntaxNode): Insertion[] {
  const found: Insertion[] = [];
  const [open, close] = around(part);
  const tails = part.returned.kind === "unit" ? [] : tailsOf(body);
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
        found.push({ at: node.end, text: " __mw.end()", side: "close", order });
    } else if (node.kind === "try_expression" && part.step === "all" && attributesOf(node).length === 0)
      found.push(...tryInsertions(part, node, order));
  }
  return found;
}

/** `x?` as a `match` that shows what it returns; the mark itself becomes a comment. */
function tryInsertions(part: Part, node: SyntaxNode, order: number): Insertion[] {
  const mark = node.children.findLast((child) => child.kind === "?");
  if (mark === undefined) return [];
  const [open, close] = part.returned.kind === "opaque" ? ["{__mw.fail();", "}"] : around(part);
  const stop = `${lib}::Flow::Stop(__mw_r)=>return ${open}${lib}::convert(__mw_r)${failing(part, close)}`;
  return [
    { at: node.start, text: `(match ${lib}::branch(`, side: "open", order },
    { at: mark.start, text: "/*", side: "close", order },
    { at: mark.end, text: `*/){${lib}::Flow::Go(__mw_r)=>__mw_r,${stop}})`, side: "close", order },
  ];
}

/** What leaves by `?` fails, also as `None`. */
function failing(part: Part, close: string): string {
  return part.returned.kind === "value" ? `;${lib}::f!(__mw,&__mw_v);__mw_v}` : close;
}

function asyncInsertions(part: Part, body: SyntaxNode, at: number, entry: string): Insertion[] {
  const { kind, type } = part.returned;
  const typed = part.step !== "calls" && kind !== "never" && type !== "_";
  const hint = typed ? `if false{return ${lib}::never::<${type === "" ? "()" : type}>();}` : "";
  const shown =
    part.step === "calls" || kind === "unit" || kind === "never"
      ? "|__mw,_|__mw.end()"
      : `|__mw,__mw_v|${lib}::r!(__mw,__mw_v)`;
  const open = `${entry}${lib}::poll(__mw,async move{${hint}`;
  const close = `},${shown}).await`;
  if (at === body.end - 1) return [{ at, text: open + close, side: "open", order: -1 }];
  return [
    { at, text: open, side: "open", order: -1 },
    { at: body.end - 1, text: close, side: "close", order: -1 },
  ];
}

/** A function's own name in its text, for its line. */
export function nameLine(one: RustFunction): number {
  return (childOf(one.node, "name") ?? one.node).startLine;
}
