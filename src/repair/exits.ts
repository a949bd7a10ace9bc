import { functionAbove } from "../syntax/statements.ts";
import { jumpsIn, lineHead } from "./sites.ts";
import type { Site } from "./template.ts";
import { typedReturns } from "./written-types.ts";

/**
 * Returns statements that leave the code at the site: `continue` or `break` in a loop, or a `return` with no value, an
 * empty value or `false`. If the language requires a typed result, the returns of `typedReturns` instead.
 */
export function exits(site: Site): string[] {
  const { spelling } = site.source.dialect;
  const node = site.statement.node;
  const leaves = jumpsIn(site.source, node).map((jump) => jump + spelling.statementEnd);
  const typed = typedReturns(site);
  if (typed !== undefined) leaves.push(...typed);
  else if (functionAbove(site.source, node) !== undefined && lineHead(site.source, node.start) !== "") {
    const values = ["", ...spelling.empties.slice(1, 3), spelling.false];
    leaves.push(...values.map((value) => `return${value === "" ? "" : ` ${value}`}${spelling.statementEnd}`));
  }
  return leaves;
}
