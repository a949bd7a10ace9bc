/** Finds tests that reach a place through its callers, by the resolved references. */
import type { CodeGraph, Entity, EntityNumber } from "../contract.ts";
import { mirrorScore } from "./mirrored-tests.ts";

export interface CallingTest {
  readonly test: Entity;
  /** The function that the test calls and that leads to the place. */
  readonly through: string;
  /** 0..1, from the confidence of the least certain call on the way and the similarity of the test's path. */
  readonly score: number;
}

interface Reached {
  readonly entity: Entity;
  readonly confidence: number;
}

const mostSteps = 6;
/** Maximum number of functions whose callers each step follows, the most certain first. */
const mostFollowed = 60;
/**
 * Minimum confidence of calls, first and second attempt. The second attempt follows only if the first finds no test.
 */
const confidences = [0.35, 0.2];

/**
 * Finds at most `limit` tests that call a place directly or through other functions, best score first. Follows callers
 * for up to six steps, and stops after the first step that reaches a test. Follows uncertain calls only if certain ones
 * reach no test.
 */
export function findTestsThroughCallers(
  graph: CodeGraph,
  { path, line }: { readonly path: string; readonly line?: number | undefined },
  limit: number,
): CallingTest[] {
  const at = line === undefined ? undefined : graph.entityAt(path, line);
  const start = at === undefined || at.kind === "file" ? graph.outline(path) : [at];
  for (const minConfidence of confidences) {
    const tests = walk(graph, { path, start, minConfidence });
    if (tests.length > 0) return tests.sort((a, b) => b.score - a.score).slice(0, limit);
  }
  return [];
}

interface Walk {
  readonly path: string;
  readonly start: readonly Entity[];
  readonly minConfidence: number;
}

function walk(graph: CodeGraph, { path, start, minConfidence }: Walk): CallingTest[] {
  const seen = new Set<EntityNumber>(start.map(({ id }) => id));
  let level: readonly Reached[] = start.map((entity) => ({ entity, confidence: 1 }));
  for (let step = 0; step < mostSteps && level.length > 0; step++) {
    const tests: CallingTest[] = [];
    const next: Reached[] = [];
    for (const reached of level.slice(0, mostFollowed))
      for (const caller of callersOf(graph, reached, minConfidence)) {
        if (seen.has(caller.entity.id)) continue;
        seen.add(caller.entity.id);
        if (caller.entity.inTests) tests.push(callingTest(caller, reached.entity, path));
        else next.push(caller);
      }
    const real = tests.filter(({ test }) => test.isTest);
    if (tests.length > 0) return real.length > 0 ? real : tests;
    level = next.sort((a, b) => b.confidence - a.confidence);
  }
  return [];
}

/** The callers of a function. Includes callers of the methods that it overrides, because such a call may reach it. */
function callersOf(graph: CodeGraph, { entity, confidence }: Reached, minConfidence: number): Reached[] {
  const bases = graph.outgoing(entity.id, ["overrides"]).map(({ to }) => to.id);
  const uses = [entity.id, ...bases].flatMap((id) =>
    graph.incoming(id, ["calls", "references"], { minConfidence }),
  );
  return uses
    .filter(({ from }) => from.kind !== "section")
    .map(({ from, edge }) => ({ entity: from, confidence: Math.min(confidence, edge.confidence) }));
}

function callingTest({ entity, confidence }: Reached, called: Entity, path: string): CallingTest {
  const lies = Math.max(mirrorScore(path, entity.path), mirrorScore(called.path, entity.path));
  return { test: entity, through: called.name, score: (confidence * (1 + lies)) / (2 + lies) };
}
