/** Answers with the uses of a definition: from the graph, checked by a language server on request. */

import { z } from "zod";
import { countOf } from "../base/count.ts";
import { fail, succeed } from "../base/result.ts";
import type { CodeGraph, EdgeKind, Entity } from "../graph/contract.ts";
import { entityDocument, entityLine } from "../graph/describe-entity.ts";
import { formatEntityId } from "../graph/entity-id.ts";
import { type Handmade, withoutGenerated } from "../graph/generated-files.ts";
import type { CodeContext, ToolAnswer, ToolFailure, ToolResult } from "./contract.ts";
import { type EntityInput, entityInput, findEntities, type MeantEntities } from "./meant-entity.ts";
import { usesOfOutsideName } from "./outside-uses.ts";
import { renderUses } from "./render-uses.ts";
import { certain, type Settled, settle, type Use, usesOf } from "./uses.ts";

export const relationInput = {
  ...entityInput,
  limit: z.int().min(1).max(1000).default(50),
  minConfidence: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe("leave out uses with a lower confidence, from 0 to 1"),
  server: z
    .enum(["when-unsure", "always", "never"])
    .default("when-unsure")
    .describe(
      "also ask the language server, which takes seconds to start. when-unsure: ask it only if the graph finds no use, or an uncertain one",
    ),
};

export interface RelationQuestion extends EntityInput {
  readonly limit: number;
  readonly minConfidence: number;
  readonly server: "when-unsure" | "always" | "never";
}

interface UsesOfOne {
  readonly entity: Entity;
  readonly uses: readonly Use[];
  readonly note: string | undefined;
}

/** Maximum number of uses to read for one definition. */
const mostRead = 1000;
/** Maximum number of definitions of one name to check. With more, the name is too vague, and Millwright checks none. */
const mostSettled = 3;

/**
 * Finds the code that refers to the definitions, by edges of these kinds. `none`: returns the text for a name without
 * such edges.
 */
export async function answerRelations(
  context: CodeContext,
  question: RelationQuestion,
  kinds: readonly EdgeKind[],
  none: (name: string) => string,
): Promise<ToolResult> {
  const graph = await context.graph();
  const meant = findEntities(context.repository, graph, question);
  if (!meant.ok) return outsideOr(context, question, kinds, meant);
  const all: UsesOfOne[] = [];
  const { minConfidence } = question;
  const { entities, made } = withoutGenerated(graph, meant.value.entities);
  const known = joinDeclarations(
    entities.map((entity) => ({
      entity,
      uses: usesOf(graph, entity, kinds, { limit: mostRead, minConfidence }),
    })),
  );
  const nobodyUsesAny = known.every(({ uses }) => uses.length === 0);
  for (const { entity, uses } of known) {
    const isUnsure = nobodyUsesAny || uses.some(({ confidence }) => confidence < certain);
    const isAsked = question.server === "always" || (question.server === "when-unsure" && isUnsure);
    if (!isAsked || isPlace(entity)) all.push({ entity, uses, note: undefined });
    else if (known.length > mostSettled) all.push({ entity, uses, note: tooMany(known.length) });
    else all.push({ entity, ...(await settleOne(context, graph, entity, uses, kinds)) });
  }
  const notes = [...new Set(all.flatMap(({ note }) => note ?? []))];
  const isUnused = all.every(({ uses }) => uses.length === 0);
  const blind = isUnused ? ", which does not see calls through values or computed names" : "";
  const source = `(code graph${blind}${notes.map((note) => `; ${note}`).join("")})`;
  const answer = await describe(context, { ...meant.value, made }, all, question.limit, source);
  if (all.some(({ uses }) => uses.length > 0)) return succeed(answer);
  const [first] = meant.value.entities;
  return { ...fail("not-found", `${none(first?.qualified ?? "")} ${source}`), data: answer.data };
}

/** Lists a declaration and its definition once, because they share their uses. Keeps the one with more lines. */
function joinDeclarations(known: readonly Omit<UsesOfOne, "note">[]): readonly Omit<UsesOfOne, "note">[] {
  const keyOf = ({ entity, uses }: Omit<UsesOfOne, "note">): string =>
    JSON.stringify([entity.qualified, uses.map(({ path, line, column }) => [path, line, column])]);
  const lengthOf = ({ entity }: Omit<UsesOfOne, "note">): number => entity.endLine - entity.startLine;
  const longest = new Map<string, Omit<UsesOfOne, "note">>();
  for (const one of known) {
    const other = longest.get(keyOf(one));
    if (other === undefined || lengthOf(one) > lengthOf(other)) longest.set(keyOf(one), one);
  }
  return known.filter((one) => one.uses.length === 0 || longest.get(keyOf(one)) === one);
}

/** Finds uses by text if the repository does not know the name: it may belong to a dependency. */
async function outsideOr(
  context: CodeContext,
  { name, path, limit }: RelationQuestion,
  kinds: readonly EdgeKind[],
  failure: ToolFailure,
): Promise<ToolResult> {
  if (name === undefined || path !== undefined || failure.kind !== "not-found") return failure;
  const named = failure.data?.["suggestions"];
  const suggestions: readonly unknown[] = Array.isArray(named) ? named : [];
  const near = suggestions.length === 0 ? "" : `near: ${suggestions.slice(0, 3).join(", ")}`;
  const answer = await usesOfOutsideName(context, name, { calls: isCalls(kinds), limit, near });
  return answer === undefined ? failure : succeed(answer);
}

function isCalls(kinds: readonly EdgeKind[]): boolean {
  return kinds.length === 1 && kinds[0] === "calls";
}

function isPlace({ kind }: Entity): boolean {
  return kind === "file" || kind === "folder" || kind === "repository";
}

function tooMany(count: number): string {
  return `${count} definitions have this name, so no language server was asked: give path and line`;
}

async function settleOne(
  context: CodeContext,
  graph: CodeGraph,
  entity: Entity,
  uses: readonly Use[],
  kinds: readonly EdgeKind[],
): Promise<Settled> {
  const kind = isCalls(kinds) ? "calls" : "references";
  const servers = await context.servers();
  return settle({ graph, servers, entity, uses, kind, signal: context.signal });
}

async function describe(
  context: CodeContext,
  { found, made }: Pick<MeantEntities, "found"> & Pick<Handmade, "made">,
  all: readonly UsesOfOne[],
  limit: number,
  source: string,
): Promise<ToolAnswer> {
  let left = limit;
  const lines: string[] = [];
  const documents = [];
  for (const { entity, uses } of all) {
    const shown = uses.toSorted((a, b) => b.confidence - a.confidence).slice(0, left);
    left -= shown.length;
    const rendered = await renderUses(context.files, shown);
    if (shown.length > 0 && (all.length > 1 || found !== undefined)) lines.push(`of ${entityLine(entity)}`);
    lines.push(...rendered);
    documents.push({ ...entityDocument(entity), references: shown.map(useDocument), total: uses.length });
  }
  const silent = all.filter(({ uses }) => uses.length === 0).length;
  if (silent > 0) lines.push(`(${countOf(silent, "more definition")} with this name, without known uses)`);
  const hidden = all.reduce((sum, { uses }) => sum + uses.length, 0) - (limit - left);
  if (hidden > 0)
    lines.push(
      `(${countOf(hidden, "more use")} beyond the limit: raise \`limit\`, or give path and line to choose a definition)`,
    );
  if (made > 0)
    lines.push(
      `(${countOf(made, "more definition of this name is", "more definitions of this name are")} in generated or built files)`,
    );
  if (found === "near") lines.push("(the name was found near that line, not on it)");
  if (found === "file") lines.push("(the name was found elsewhere in the file)");
  lines.push(source);
  const place = found === undefined ? {} : { found };
  return { data: { entities: documents, source, ...place }, text: lines.join("\n") };
}

function useDocument({ from, ...use }: Use) {
  return { ...use, from: from === undefined ? null : formatEntityId(from) };
}
