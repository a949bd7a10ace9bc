/**
 * The sequence of actions for each kind of task: USEagent's ablation "dynamic choice disabled" (ICSE 2026, section 5).
 * The paper has none for `feature`; that sequence is ours.
 */
import type { TaskKind } from "../../domain/task.ts";

export interface Sequence {
  /** Names of actions that run once, in this order. */
  readonly first: readonly string[];
  /**
   * Two actions that alternate afterwards. One judges the newest candidate, and the other continues from this
   * candidate.
   */
  readonly inTurn: readonly [judge: string, edit: string];
}

const repair: Sequence = {
  first: ["reproduction", "code-retrieval", "edit-code"],
  inTurn: ["review-patch", "edit-code"],
};

export const sequences: Readonly<Record<TaskKind, Sequence>> = {
  repair,
  "partial-fix": repair,
  "regression-test": {
    first: ["test-retrieval", "code-retrieval", "edit-code"],
    inTurn: ["execute-tests", "edit-code"],
  },
  "code-generation": {
    first: ["edit-code", "test-retrieval", "edit-code"],
    inTurn: ["execute-tests", "edit-code"],
  },
  "test-generation": {
    first: ["test-retrieval", "edit-code"],
    inTurn: ["execute-tests", "edit-code"],
  },
  feature: {
    first: ["test-retrieval", "code-retrieval", "edit-code"],
    inTurn: ["execute-tests", "edit-code"],
  },
};
