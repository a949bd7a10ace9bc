/** Wraps the arguments of calls that spawn a thread or a task. The trace then shows which call spawned the code. */
import { childOf, namedChildren, type SyntaxNode, type SyntaxTree, textOf, walk } from "../../syntax/node.ts";
import type { Insertion } from "../text-insertions.ts";

const threads = /(?:^|::|\.)(?:spawn|spawn_blocking|spawn_scoped|spawn_unchecked)$/;
const tasks = /(?:^|::|\.)(?:spawn|spawn_local|spawn_on|block_on)$/;

export function spawnInsertions(tree: SyntaxTree, body: SyntaxNode): Insertion[] {
  const found: Insertion[] = [];
  let order = 0.25;
  for (const node of walk(body, (inner) => inner === body || inner.kind !== "function_item")) {
    order += 1;
    const called = node.kind === "call_expression" ? childOf(node, "function") : undefined;
    const list = called === undefined ? undefined : childOf(node, "arguments");
    const [argument, second] = list === undefined ? [] : namedChildren(list);
    if (called === undefined || argument === undefined || second !== undefined) continue;
    const passing = passingOf(nameOf(tree, called), tree, argument);
    if (passing === undefined) continue;
    found.push({ at: argument.start, text: `millwright_trace::${passing}(`, side: "open", order });
    found.push({ at: argument.end, text: ")", side: "close", order });
  }
  return found;
}

function nameOf(tree: SyntaxTree, called: SyntaxNode): string {
  const plain = called.kind === "generic_function" ? (childOf(called, "function") ?? called) : called;
  if (plain.kind !== "field_expression") return textOf(tree, plain);
  const field = childOf(plain, "field");
  return field === undefined ? "" : `.${textOf(tree, field)}`;
}

function passingOf(name: string, tree: SyntaxTree, argument: SyntaxNode): string | undefined {
  if (argument.kind === "closure_expression") {
    const parameters = childOf(argument, "parameters");
    const isBare = parameters === undefined || namedChildren(parameters).length === 0;
    return threads.test(name) && isBare && !/^\s*async\b/.test(textOf(tree, argument))
      ? "inherit"
      : undefined;
  }
  if (!tasks.test(name) || /block_on$/.test(name)) return undefined;
  if (argument.kind === "async_block") return "inherit_task";
  // A future created by a call, only if the name says so and the future is not inspected, like that of `tokio_test`.
  const isFuture = /(?:tokio|task|async_std|smol|runtime)::(?:\w+::)*spawn(?:_local)?$/.test(name);
  const isMade = isFuture && argument.kind === "call_expression";
  return isMade && !/\btokio_test\b/.test(tree.text) ? "inherit_task" : undefined;
}
