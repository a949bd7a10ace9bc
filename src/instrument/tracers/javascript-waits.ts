/** Marks the places where an asynchronous function or a generator suspends and resumes. */
import { childOf, type SyntaxNode } from "../../syntax/node.ts";
import { endOf } from "../javascript-statements.ts";
import type { Insertion } from "../text-insertions.ts";
import { orderOf } from "./javascript-functions.ts";

export function canWait(node: SyntaxNode): boolean {
  return (
    node.kind.startsWith("generator_") || node.children.some(({ kind }) => kind === "async" || kind === "*")
  );
}

/**
 * Marks the places where the body suspends and resumes, such as `await`. `own` lists the nodes of the body, without
 * those of inner functions.
 */
export function placeWaits(own: readonly SyntaxNode[], typescript: boolean): Insertion[] {
  return own.flatMap((node) => {
    const order = orderOf(node);
    switch (node.kind) {
      case "await_expression":
        return placeAround(node, order, "mw_c.k(", ")");
      case "yield_expression":
        return isUnused(node) && typescript
          ? placeAround(node, order, "mw_c.k(void(", "))")
          : placeAround(node, order, "mw_c.k(", ")");
      case "for_in_statement":
        return node.children.some(({ kind }) => kind === "await") ? placeLoop(node, order) : [];
      case "catch_clause":
      case "finally_clause":
        return placeWake(childOf(node, "body"), order);
      default:
        return [];
    }
  });
}

/**
 * True if nothing uses the value of a `yield`. Type checkers require a type for a used value, so the inserted text must
 * not use it either.
 */
function isUnused(node: SyntaxNode): boolean {
  return node.parent?.kind === "expression_statement";
}

/** True for `yield*`: another generator runs in the function's place. */
function isHandingOver(node: SyntaxNode): boolean {
  return node.children.some(({ kind }) => kind === "*");
}

function placeAround(node: SyntaxNode, order: number, open: string, close: string): Insertion[] {
  const end = endOf(node);
  const value = node.children.findLast((child) => child.named && child.kind !== "comment");
  const inner: Insertion[] =
    value === undefined
      ? [{ at: end, text: " mw_c.w()", side: "close", order: order + 0.5 }]
      : [
          {
            at: value.start,
            text: isHandingOver(node) ? "mw_c.y(" : "mw_c.w(",
            side: "open",
            order: order + 0.5,
          },
          { at: endOf(value), text: ")", side: "close", order: order + 0.5 },
        ];
  return [
    { at: node.start, text: open, side: "open", order },
    ...inner,
    { at: end, text: close, side: "close", order },
  ];
}

/** Marks the waits of `for await`, which waits before each iteration. */
function placeLoop(loop: SyntaxNode, order: number): Insertion[] {
  const values = childOf(loop, "right");
  const body = childOf(loop, "body");
  if (values === undefined || body === undefined) return [];
  const isBlock = body.kind === "statement_block";
  return [
    { at: values.start, text: "mw_c.l(", side: "open", order },
    { at: endOf(values), text: ")", side: "close", order },
    { at: body.start, text: isBlock ? "{mw_c.k();try" : "{mw_c.k();try{", side: "open", order: order + 0.5 },
    {
      at: endOf(body),
      text: isBlock ? "finally{mw_c.l()}}" : "}finally{mw_c.l()}}",
      side: "close",
      order: order + 0.5,
    },
    ...(isInList(loop)
      ? [{ at: endOf(loop), text: ";mw_c.k();", side: "close", order: order - 0.5 } as const]
      : []),
  ];
}

function isInList(statement: SyntaxNode): boolean {
  const { parent } = statement;
  if (parent?.kind === "labeled_statement") return isInList(parent);
  return (
    parent?.kind === "statement_block" || parent?.kind === "switch_case" || parent?.kind === "switch_default"
  );
}

function placeWake(block: SyntaxNode | undefined, order: number): Insertion[] {
  return block === undefined ? [] : [{ at: block.start + 1, text: "mw_c.k();", side: "open", order }];
}
