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
import type { BaseSuite, Suite, TestExecutor } from "./suite.ts";
import type { TraceDesk, TreeView } from "./views.ts";

export interface ActionContext extends StrategyContext {
  readonly models: ModelClient;
  readonly executor: TestExecutor;
  /** The test results on the base: of all tests, or of the tests run so far. */
  readonly suite: Suite;
  /** Runs more of the base's tests on demand. */
  readonly baseSuite: BaseSuite;
  /** The test code of the repository. */
  readonly regions: TestRegions;
  /** The failure that the statement describes, recorded before any test ran. */
  readonly signature: Signature;
  /** The checkout for code tools. Each user checks out the tree that it needs. */
  readonly view: TreeView;
  /** Calls and values of real runs. */
  readonly traces: TraceDesk;
  /**
   * Likely places, ranked by rules, for the first messages to models. Absent in strategies that must search themselves.
   */
  readonly likely?: LikelyPlaces;
  /** True if Millwright measures each new candidate at once, without a request. */
  readonly measuresEdits?: boolean;
  /**
   * False in a strategy that follows a published one faithfully. Millwright then only observes thinking loops, without
   * advice or an early end.
   */
  readonly advise?: boolean;
}

/** The fields of `ActionContext` that are necessary to run tests on a tree. */
export type RunContext = Pick<
  ActionContext,
  "workspace" | "frameworks" | "recorder" | "limits" | "signal" | "executor" | "suite"
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
   * The result, or the reason for its absence, as text for the model or person that chose the action. Each action
   * renders its own result; `state/render-state.ts` renders the state.
   */
  readonly text: string;
  readonly isError?: boolean;
  /** True if the action ends the work, verified or not. */
  readonly isEnd?: boolean;
  /** The unmet predicates of a refused `finish`. */
  readonly unmet?: readonly string[];
}

/** An action's effects besides requests to models. No action changes the user's own folder. */
export type Effect =
  | "decides" // changes only what is known
  | "reads" // looks at the repository
  | "runs" // executes its tests or commands, in a sandbox
  | "writes"; // creates candidates, and runs tests on them

/** An action for callers that know the input's schema, but not its type. */
export interface Action {
  /** The action's name, in kebab-case. */
  readonly name: string;
  /** The description for models: the action's effect, when to choose it, and its prerequisites. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** A filled-in input, as an example for models. Absent if the input needs no example. */
  readonly example?: object;
  /** Returns false if the action has no use in this state. Millwright then does not offer it to models. */
  readonly isUseful?: (state: TaskState) => boolean;
  /** The fields of `input` that models get for a kind of task; absent: all fields. */
  readonly inputFor?: (kind: TaskKind) => z.ZodObject;
  readonly kinds: readonly TaskKind[];
  /**
   * The kinds for which the action only runs tests; `true`: all kinds. If no test can run, Millwright omits the action
   * for these kinds.
   */
  readonly needsTests?: true | readonly TaskKind[];
  readonly effect: Effect;
  /** Names of parts that users can disable separately (`without`). */
  readonly parts?: readonly string[];
  /** The parts of the state that the action reads, and the parts that it changes. */
  readonly reads: readonly (keyof TaskState)[];
  readonly writes: readonly (keyof TaskState)[];
  /**
   * Performs the action. In a resumed run, equal states and inputs give equal results. Throws only if the
   * infrastructure fails, or if `input` does not match the schema.
   */
  readonly run: (context: ActionContext, state: TaskState, input: unknown) => Promise<ActionEnd>;
}

/** An action's definition in its file. `run` gets the parsed input. */
export interface ActionRecord<Input extends z.ZodObject> extends Omit<Action, "input" | "example" | "run"> {
  readonly input: Input;
  readonly example?: z.input<Input>;
  readonly run: (context: ActionContext, state: TaskState, input: z.infer<Input>) => Promise<ActionEnd>;
}

/** Returns the description with the example. */
export function describeAction({ description, example }: Pick<Action, "description" | "example">): string {
  return example === undefined ? description : `${description} Example: ${JSON.stringify(example)}`;
}

export function defineAction<Input extends z.ZodObject>(action: ActionRecord<Input>): Action {
  return { ...action, run: (context, state, input) => action.run(context, state, action.input.parse(input)) };
}
