/**
 * An action: a unit of work with a stated intent. It reads the task state and returns the new one. Strategies choose
 * among actions.
 */

import type { z } from "zod";
import type { TaskKind } from "../domain/task.ts";
import type { TestRegions } from "../judging/test-regions.ts";
import type { ModelClient } from "../llm/contract.ts";
import type { Signature } from "./state/statement-signature.ts";
import type { LikelyPlaces, TaskState } from "./state/task-state.ts";
import type { StrategyContext } from "./strategy.ts";
import type { BaseSuite, Suite, TestBench } from "./suite.ts";
import type { TraceDesk, TreeView } from "./views.ts";

export interface ActionContext extends StrategyContext {
  readonly models: ModelClient;
  readonly bench: TestBench;
  /** The tests on the base: all of them, or those known so far. */
  readonly suite: Suite;
  /** Runs more of the base's tests on demand. */
  readonly baseSuite: BaseSuite;
  /** The test code of the repository. */
  readonly regions: TestRegions;
  /** The required appearance of the failure, recorded before any test ran. */
  readonly signature: Signature;
  /** The code for tools; its user lays the tree that it needs. */
  readonly view: TreeView;
  /** Calls and values of real runs. */
  readonly traces: TraceDesk;
  /** Places ranked by rule for openings; absent in a strategy that must find them by its own search. */
  readonly likely?: LikelyPlaces;
  /** True if each candidate is measured as soon as it is written, so that nobody has to ask for it. */
  readonly measuresEdits?: boolean;
  /** False in a faithful strategy: thinking loops are observed, but neither advised nor ended early. */
  readonly advise?: boolean;
}

/** The fields of `ActionContext` that are necessary to run tests on a tree. */
export type RunContext = Pick<
  ActionContext,
  "workspace" | "frameworks" | "recorder" | "limits" | "signal" | "bench" | "suite"
>;

/** The fields of `ActionContext` that are necessary to run tests and to judge a candidate by them. */
export type JudgeContext = RunContext &
  Pick<ActionContext, "task" | "baseSuite" | "regions" | "signature" | "view">;

/** The fields of `ActionContext` that are necessary to judge a candidate and to give the final verdict. */
export type VerdictContext = JudgeContext &
  Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs" | "confirms">;

export interface ActionEnd {
  readonly state: TaskState;
  /**
   * The result, or the reason why there is none, for the model or person that chose the action. Each action renders its
   * own result; `state/render-state.ts` renders the state.
   */
  readonly text: string;
  readonly isError?: boolean;
  /** True if nothing is left to do: the gate holds. */
  readonly isEnd?: boolean;
  /** For a refused finish: the predicates that do not hold. */
  readonly unmet?: readonly string[];
}

/** An action's effects besides requests to models. No action changes the user's own folder. */
export type Effect =
  | "decides" // changes only what is known
  | "reads" // looks at the repository
  | "runs" // executes its tests or commands, in a sandbox
  | "writes"; // creates candidates, and runs tests on them

/** An action as the code that performs it sees it. That code knows the input's schema, but not its type. */
export interface Action {
  /** kebab-case. */
  readonly name: string;
  /** For a model: the action's effect, when to choose it, and its prerequisites. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** False if it has no use in that state: then models are not offered it. */
  readonly isUseful?: (state: TaskState) => boolean;
  /** The fields of `input` offered to a model for a kind of task, if not all. */
  readonly inputFor?: (kind: TaskKind) => z.ZodObject;
  readonly kinds: readonly TaskKind[];
  /** It only runs tests: left out if none can run. */
  readonly needsTests?: true;
  readonly effect: Effect;
  /** Names of parts that `--without` disables separately. */
  readonly parts?: readonly string[];
  /** The parts of the state that it reads, and those that it changes. */
  readonly reads: readonly (keyof TaskState)[];
  readonly writes: readonly (keyof TaskState)[];
  /**
   * Throws only if the infrastructure fails, or `input` does not fit the schema. Equal state and input give the same
   * result in a resumed run.
   */
  readonly run: (context: ActionContext, state: TaskState, input: unknown) => Promise<ActionEnd>;
}

/** An action as written in its file: `run` gets the parsed input. */
export interface ActionRecord<Input extends z.ZodObject> extends Omit<Action, "input" | "run"> {
  readonly input: Input;
  readonly run: (context: ActionContext, state: TaskState, input: z.infer<Input>) => Promise<ActionEnd>;
}

export function defineAction<Input extends z.ZodObject>(action: ActionRecord<Input>): Action {
  return { ...action, run: (context, state, input) => action.run(context, state, action.input.parse(input)) };
}
