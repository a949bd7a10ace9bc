/**
 * The text that records one function's calls: a `try` around its body, code for each returned value, and marks at its
 * waits (`await`, `yield`). A program may move a function's text to a place without our runtime (`page.evaluate(f)`).
 * The text must run there too.
 */
import { childOf, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import { isSuperCall } from "../javascript-places.ts";
import { endOf, isDirective } from "../javascript-statements.ts";
import type { Insertion } from "../text-insertions.ts";
import type { TracedFunction } from "../tracer.ts";
import { argumentsText, isConstructor } from "./javascript-bindings.ts";
import { type FoundFunction, functionKinds, orderOf } from "./javascript-functions.ts";
import { handOn } from "./javascript-values.ts";
import { canWait, placeWaits } from "./javascript-waits.ts";

export interface BodyRequest {
  readonly tree: SyntaxTree;
  readonly found: FoundFunction;
  readonly id: number;
  readonly level: TracedFunction["level"];
  /** The file's helper. */
  readonly helper: string;
  readonly typescript: boolean;
}

export function placeRecording(request: BodyRequest): Insertion[] {
  const { found, typescript, level } = request;
  const own = ownNodes(found.body);
  const waits = canWait(found.node) ? placeWaits(own, typescript) : [];
  const values = level === "values" || level === "return" ? returnedValues(found.body, own) : [];
  const handed = values.flatMap(({ holder, value }) =>
    handOn(value, { tree: request.tree, typescript, order: orderOf(holder) + 0.1 }),
  );
  const needsCall = [...waits, ...handed].some(({ text }) => text.includes("mw_c."));
  return [...frame(request, needsCall), ...handed, ...waits];
}

/** The body's nodes in the order of the text, without inner functions and classes. */
function ownNodes(body: SyntaxNode): SyntaxNode[] {
  const isOther = (one: SyntaxNode): boolean => functionKinds.has(one.kind) || one.kind === "class_body";
  if (isOther(body)) return [body];
  return [...walk(body, (one) => !isOther(one))].filter((one) => !isOther(one));
}

function returnedValues(body: SyntaxNode, own: readonly SyntaxNode[]) {
  if (body.kind !== "statement_block") return [{ holder: body.parent ?? body, value: body }];
  return own.flatMap((holder) => {
    if (holder.kind !== "return_statement") return [];
    const value = holder.children.find((child) => child.named && child.kind !== "comment");
    return value === undefined ? [] : [{ holder, value }];
  });
}

function frame(request: BodyRequest, needsCall: boolean): Insertion[] {
  const { found, level, tree, typescript } = request;
  const { body, node } = found;
  const order = orderOf(node);
  const hasValue = level === "values" || level === "return";
  const begin = beginText(request, needsCall, hasValue);
  const end = `}catch(mw_e){throw mw_c?mw_c.t(mw_e):mw_e}finally{mw_c&&mw_c.o(${hasValue ? "mw_v" : ""})}`;
  if (body.kind !== "statement_block") {
    return [
      { at: body.start, text: `{${begin}return `, side: "open", order },
      { at: endOf(body), text: `${end}}`, side: "close", order },
    ];
  }
  const made = hasValue && isConstructor(tree, node) && !endsInReturn(body) ? ";mw_v=this;" : "";
  const at = beginningOf(tree, found, typescript);
  // With nothing between them, closings would come before openings.
  if (at === body.end - 1) return [{ at, text: `;${begin}${made}${end}`, side: "open", order }];
  return [
    { at, text: `;${begin}`, side: "open", order },
    { at: body.end - 1, text: `${made}${end}`, side: "close", order },
  ];
}

function beginText(request: BodyRequest, needsCall: boolean, hasValue: boolean): string {
  const { found, helper, id, level, tree, typescript } = request;
  const isGenerator =
    found.node.kind.startsWith("generator_") || found.node.children.some(({ kind }) => kind === "*");
  const generator = isGenerator ? `${level === "values" ? "" : ",void 0"},1` : "";
  const given = `${level === "values" ? `,${argumentsText(tree, found.node, found.body)}` : ""}${generator}`;
  const call = `typeof ${helper}=="function"?${helper}(${id}${given}):${needsCall ? noCall(typescript) : "0"}`;
  const any = typescript ? ":any" : "";
  const typed = typescript ? "" : "/** @type {any} */";
  return `var ${typed}mw_c${typescript ? `:${callType}` : ""}=${call}${hasValue ? `,${typed}mw_v${any}` : ""};try{`;
}

/** The type of a call for a type checker. */
const callType =
  "{r<T>(v:T):T;w<T>(v:T):T;y<T>(v:T):T;l<T>(v:T):T;l():void;w():void;k<T>(v:T):T;k():void;t(e:any):any;o(v?:any):any}";

/** A call without effect, for a function's text in a place without our runtime. */
function noCall(typescript: boolean): string {
  const same = typescript ? "function(v?:any){return v}" : "function(v){return v}";
  return `{r:${same},w:${same},y:${same},l:${same},k:${same},t:${same},o:${same}}`;
}

/**
 * The offset after the brace and the directives. In TypeScript, the offset after `super()`, because older compilers
 * allow nothing before it.
 */
function beginningOf(tree: SyntaxTree, { body, node }: FoundFunction, typescript: boolean): number {
  const directive = body.children.findLast(isDirective);
  const first = directive ? endOf(directive) : body.start + 1;
  const call = typescript && isConstructor(tree, node) ? body.children.find(isSuperCall) : undefined;
  return call === undefined ? first : endOf(call);
}

function endsInReturn(body: SyntaxNode): boolean {
  const last = body.children.findLast((child) => child.named && child.kind !== "comment");
  return last?.kind === "return_statement" || last?.kind === "throw_statement";
}

/** True if the body can be wrapped in a block, as recording does. A block may declare a function's name only once. */
export function isOneScope(tree: SyntaxTree, body: SyntaxNode): boolean {
  const functions = body.children.filter(({ kind }) => /^(?:generator_)?function_declaration$/.test(kind));
  const names = functions.map((one) => textOf(tree, childOf(one, "name") ?? one));
  if (names.length === 0) return true;
  const variables = ownNodes(body)
    .filter(({ kind, parent }) => kind === "variable_declarator" && parent?.kind === "variable_declaration")
    .map((one) => textOf(tree, childOf(one, "name") ?? one));
  return new Set(names).size === names.length && !names.some((name) => variables.includes(name));
}
