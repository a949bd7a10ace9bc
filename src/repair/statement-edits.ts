/** Makes edits of whole lines: statements before, after or around another statement. */

import { roleOf } from "../syntax/reading.ts";
import { ownNodes } from "../syntax/statements.ts";
import { canInsertBefore, endsItsLine, leaving, lineHead } from "./sites.ts";
import type { Edit, Site } from "./template.ts";

/** Inserts a line before the statement, with the statement's indentation. Check `canInsertBefore` first. */
export function insertBefore(site: Site, line: string, weight = 1): Edit {
  const { start } = site.statement.node;
  const indent = lineHead(site.source, start);
  return {
    start,
    end: start,
    replacement: `${indented(site, line, indent)}${site.context.lineEnd}${indent}`,
    weight,
    description: `\`${line.replace(/\s+/g, " ")}\` before line ${site.statement.startLine}`,
  };
}

/**
 * Inserts a line after the statement. Undefined if other code precedes or follows the statement on its lines, or if the
 * line would never run.
 */
export function insertAfter(site: Site, line: string, weight = 1): Edit | undefined {
  if (leaving.has(site.statement.role) || !canInsertBefore(site) || !endsItsLine(site)) return undefined;
  const { text } = site.source.tree;
  const { node } = site.statement;
  const rest = /^[^\r\n]*/.exec(text.slice(node.end))?.[0].length ?? 0;
  const indent = lineHead(site.source, node.start);
  return {
    start: node.end + rest,
    end: node.end + rest,
    replacement: `${site.context.lineEnd}${indent}${indented(site, line, indent)}`,
    weight,
    description: `\`${line.replace(/\s+/g, " ")}\` after line ${node.endLine}`,
  };
}

function indented(site: Site, lines: string, indent: string): string {
  return lines.replaceAll("\n", site.context.lineEnd + indent);
}

/**
 * Puts the statement under an `if`, one level deeper. Undefined for declarations, and for statements that share a line
 * with other code. Also undefined if a string spans several lines, because indentation would change it.
 */
export function wrapInIf(site: Site, condition: string, weight = 1): Edit | undefined {
  const { node, role } = site.statement;
  if (!canInsertBefore(site) || !endsItsLine(site) || role === "declaration" || hasLongText(site))
    return undefined;
  const { indentUnit, lineEnd } = site.context;
  const indent = lineHead(site.source, node.start);
  const { head, tail } = site.source.dialect.spelling.ifAround(condition);
  const body = site.source.tree.text
    .slice(node.start, node.end)
    .split(/\r?\n/)
    .map((line, index) =>
      index === 0 ? indent + indentUnit + line : line === "" ? line : indentUnit + line,
    );
  const lines = [head, ...body, ...(tail === undefined ? [] : [indent + tail])];
  return {
    start: node.start,
    end: node.end,
    replacement: lines.join(lineEnd),
    weight,
    description: `line ${site.statement.startLine} only \`${head.replace(/[:{]\s*$/, "").trim()}\``,
  };
}

/** True if the statement contains a string over several lines, which indentation would change. */
function hasLongText(site: Site): boolean {
  for (const node of ownNodes(site.source, site.statement.node)) {
    if (roleOf(site.source, node) === "string" && node.startLine !== node.endLine) return true;
  }
  return false;
}
