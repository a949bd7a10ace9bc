/**
 * Defines the predicates over test runs that every gate contains: the gate of each kind, and of repair without a model.
 * A predicate that also applies when no test can run belongs to `judgeObjections` in `src/agent/verdict/`.
 */
import type { Predicate } from "../../domain/gate.ts";
import { type IntactRequest, testsIntact } from "./tests-intact.ts";

export async function judgeShared(request: IntactRequest): Promise<Predicate[]> {
  return [await testsIntact(request)];
}
