/**
 * Defines the predicates that every gate has if tests can run. This includes all kinds, and repair without a model. If
 * a predicate must also hold when no test can run, also call it in `judgeStatically`. Add objections to
 * `judgeObjections`. Both functions are in `src/agent/verdict/`.
 */
import type { Predicate } from "../../domain/gate.ts";
import { type IntactRequest, testsIntact } from "./tests-intact.ts";

export async function judgeShared(request: IntactRequest): Promise<Predicate[]> {
  return [await testsIntact(request)];
}
