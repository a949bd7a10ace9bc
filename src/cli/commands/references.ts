import { type Command, InvalidArgumentError, Option } from "commander";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import type { EdgeKind, Entity, Relation } from "../../graph/contract.ts";
import { entityDocument } from "../../graph/describe-entity.ts";
import { formatEntityId } from "../../graph/entity-id.ts";
import { findMeant } from "../../graph/find-meant.ts";
import {
  addGraphFlags,
  type GraphFlags,
  type GraphSession,
  printJson,
  relativePath,
  reportMissing,
  safeLine,
  withGraph,
} from "../graph-session.ts";

const schema = "millwright.references/1";
const kinds: readonly EdgeKind[] = [
  "calls",
  "references",
  "imports",
  "inherits",
  "overrides",
  "tests",
  "documents",
];
const byDefault: readonly EdgeKind[] = [
  "calls",
  "references",
  "imports",
  "inherits",
  "overrides",
  "documents",
];

interface ReferencesFlags extends GraphFlags {
  readonly kind?: readonly EdgeKind[];
  readonly minConfidence: number;
}

export function addReferencesCommand(program: Command): void {
  addGraphFlags(
    program
      .command("references")
      .description("list where something is used: by name, by an entity's id, or as FILE:LINE:NAME")
      .argument("<what>", "pick, Cart.pick, shop/cart.py:12:pick, or an entity's id")
      .addOption(new Option("--kind <kind...>", "only these; default: all but tests").choices(kinds))
      .option("--min-confidence <number>", "leave out what is less sure, 0 to 1", readConfidence, 0),
  ).action(async (what: string, flags: ReferencesFlags) => {
    await withGraph(flags, (session) => show(session, what, flags));
  });
}

function readConfidence(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1))
    throw new InvalidArgumentError("a number from 0 to 1");
  return value;
}

function show(session: GraphSession, what: string, flags: ReferencesFlags): number {
  const entities = findUsed(session, what);
  if (entities.length === 0) return reportMissing(session, what, schema, flags.json ?? false);
  const found = entities.map((entity) => ({
    entity,
    relations: session.graph.incoming(entity.id, flags.kind ?? byDefault, {
      minConfidence: flags.minConfidence,
    }),
  }));
  if (flags.json) {
    const documents = found.map(({ entity, relations }) => ({
      ...entityDocument(entity),
      references: relations.map(relationDocument),
    }));
    printJson({ schema, query: what, index: session.index, entities: documents });
    return 0;
  }
  for (const { entity, relations } of found) {
    process.stdout.write(`${safeLine(entity)}\n`);
    for (const relation of relations)
      process.stdout.write(`  ${sanitizeForTerminal(relationLine(relation))}\n`);
    if (relations.length === 0) process.stdout.write("  no reference to it is known\n");
  }
  return 0;
}

function findUsed(session: GraphSession, what: string): readonly Entity[] {
  const [, path, line, name] = /^(.+?):(\d+):([^:]+)$/.exec(what) ?? [];
  if (path === undefined || line === undefined || name === undefined) return findMeant(session.graph, what);
  const meant = session.graph.meantAt(relativePath(session, path), Number(line), name);
  if (meant === undefined) return [];
  if (meant.found !== "line")
    process.stderr.write(
      `${name} was found ${meant.found === "near" ? "near that line" : "elsewhere in the file"}\n`,
    );
  return meant.entities;
}

function relationDocument({ edge, from }: Relation): object {
  return {
    path: from.path,
    line: edge.at.line,
    column: edge.at.column,
    kind: edge.kind,
    confidence: edge.confidence,
    from: formatEntityId(from),
  };
}

/** `shop/order.py:31:9  calls  Order.total  0.95`. */
function relationLine({ edge, from }: Relation): string {
  const place = `${from.path}:${edge.at.line}:${edge.at.column + 1}`;
  return [place, edge.kind, from.qualified, edge.confidence.toFixed(2)]
    .filter((part) => part !== "")
    .join("  ");
}
