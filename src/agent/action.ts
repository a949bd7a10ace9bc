/** What an action is: a unit of work with an intent, over the task state; strategies choose among them. */

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
  /** Tests on the base: all, or those that are known so far. */
  readonly suite: Suite;
  /** To know more of them. */
  readonly baseSuite: BaseSuite;
  /** Test code of the repository. */
  readonly regions: TestRegions;
  /** What the failure must look like, written down before any test ran. */
  readonly signature: Signature;
  /** The code as tools see it; whoever takes it lays the tree that it needs. */
  readonly view: TreeView;
  /** Calls and values of real runs. */
  readonly traces: TraceDesk;
  /** Where the rules' retrieval sees the task, for openings; absent in a strategy whose own search is to find it. */
  readonly likely?: LikelyPlaces;
  /** True where a candidate is measured as soon as it is written, so that nobody has to ask for it. */
  readonly measuresEdits?: boolean;
  /** False in a faithful strategy: loops of thinking are watched, and neither advised nor ended early. */
  readonly advise?: boolean;
}

/** Of it, what runs tests on a tree. */
export type RunContext = Pick<
  ActionContext,
  "workspace" | "frameworks" | "recorder" | "limits" | "signal" | "bench" | "suite"
>;

/** … and what judges a candidate by them. */
export type JudgeContext = RunContext &
  Pick<ActionContext, "task" | "baseSuite" | "regions" | "signature" | "view">;

/** … and says the last word on it: the base is settled before, and the tests are run once more after. */
export type VerdictContext = JudgeContext &
  Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs" | "confirms">;

export interface ActionEnd {
  readonly state: TaskState;
  /**
   * For the one who chose the action, a model or a person: what was found or done, or why not. It is the action's rendering, made where
   * what it speaks of is known; the state beside it is rendered in one place (`state/render-state.ts`).
   */
  readonly text: string;
  readonly isError?: boolean;
  /** True where nothing is left to do: the gate holds. */
  readonly isEnd?: boolean;
  /** Of a finish that was refused: the predicates that do not hold. */
  readonly unmet?: readonly string[];
}

/** What it does beside asking models; never to the user's own folder. */
export type Effect =
  | "decides" // changes what is known, and nothing else
  | "reads" // looks at the repository
  | "runs" // executes its tests or commands, in a sandbox
  | "writes"; // makes candidates, and runs what tells of them

/** An action as whoever performs it has it: of its input nothing is known but the schema. */
export interface Action {
  /** kebab-case. */
  readonly name: string;
  /** For a model: what it does, when to take it, what it needs before. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** False where it could do nothing in that state: a model that chooses actions is not offered it then. */
  readonly isUseful?: (state: TaskState) => boolean;
  /** What a model is offered of `input` for a kind of task, where that is less. */
  readonly inputFor?: (kind: TaskKind) => z.ZodObject;
  readonly kinds: readonly TaskKind[];
  /** It only runs tests: left out where none can be run. */
  readonly needsTests?: true;
  readonly effect: Effect;
  /** Names of parts of it that `--without` turns off alone. */
  readonly parts?: readonly string[];
  /** The parts of the state that it looks at, and those that it changes. */
  readonly reads: readonly (keyof TaskState)[];
  readonly writes: readonly (keyof TaskState)[];
  /**
   * Throws only where the infrastructure fails, or `input` does not fit the schema. The same again for the same state and input in a
   * resumed run.
   */
  readonly run: (context: ActionContext, state: TaskState, input: unknown) => Promise<ActionEnd>;
}

/** An action as its file writes it: `run` gets what the schema made of the input. */
export interface ActionRecord<Input extends z.ZodObject> extends Omit<Action, "input" | "run"> {
  readonly input: Input;
  readonly run: (context: ActionContext, state: TaskState, input: z.infer<Input>) => Promise<ActionEnd>;
}

export function defineAction<Input extends z.ZodObject>(action: ActionRecord<Input>): Action {
  return { ...action, run: (context, state, input) => action.run(context, state, action.input.parse(input)) };
}
