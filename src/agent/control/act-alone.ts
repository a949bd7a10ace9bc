/**
 * Performs actions without a strategy. An outside caller requests one action at a time, and the state persists between
 * them.
 */
import { MillwrightError } from "../../base/errors.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Usage } from "../../domain/solve-report.ts";
import type { Action, ActionContext } from "../action.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { usageOf } from "../record/costs.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import type { TaskState } from "../state/task-state.ts";
import type { StrategyContext } from "../strategy.ts";
import { openSession, type Session, type TestsWanted } from "./open-session.ts";
import { beginWork, performAction, type Work } from "./perform-action.ts";

export interface ActedAlone {
  readonly text: string;
  readonly isError: boolean;
  readonly state: TaskState;
  /** All candidates of the state, with their changes against the base. */
  readonly candidates: readonly (Omit<Candidate, "tree"> & { readonly patch: string })[];
  /** Usage of all actions so far. */
  readonly usage: Usage;
}

export interface Desk {
  /**
   * Performs an action. `patches`: unified diffs, which become further candidates. Throws MillwrightError("usage") if a
   * diff does not apply.
   */
  act(
    action: Action,
    input: unknown,
    patches: readonly string[],
    /** Replaces the context's `ask` for this action. */
    ask?: StrategyContext["ask"],
  ): Promise<ActedAlone>;
  close(): Promise<void>;
}

/**
 * Opens a `Desk`, which performs single actions. Runs the tests on the base before the first action that needs their
 * results.
 */
export function actAlone(given: StrategyContext): Desk {
  const context = { ...given, models: given.models?.watchedBy(given.recorder.calls.watch) };
  let session: (Session & { readonly tests: TestsWanted }) | undefined;
  let work: Work | undefined;

  async function open(tests: TestsWanted): Promise<readonly [ActionContext, Work]> {
    if (session === undefined || rank[tests] > rank[session.tests]) {
      await session?.close();
      session = undefined;
      const opened = await openSession(context, tests);
      if (!opened.ok) throw new MillwrightError("usage", opened.message);
      session = { ...opened.value, tests };
      const { state } = opened.value;
      work = work === undefined ? beginWork(state) : { ...work, state: withFaultOf(state, work.state) };
    }
    work ??= beginWork(session.state);
    return [session.actionContext, work];
  }

  return {
    async act(action, input, patches, ask) {
      const [actionContext, current] = await open(testsFor(action));
      for (const patch of patches) current.state = await takePatch(actionContext, current.state, patch);
      const asking = ask === undefined ? actionContext : { ...actionContext, ask };
      const { text, isError = false } = await performAction(asking, current, action, input);
      const { state } = current;
      const candidates = await Promise.all(state.candidates.map((each) => withPatch(actionContext, each)));
      return { text, isError, state, candidates, usage: usageOf(context.recorder.events) };
    },
    close: async () => await session?.close(),
  };
}

/** Adds the fault of the base's tests, unless an action has shown the fault. */
export function withFaultOf({ fault }: TaskState, reached: TaskState): TaskState {
  return { ...reached, fault: reached.fault ?? fault };
}

const ofTests: readonly (keyof TaskState)[] = ["fault", "rows"];

const rank: Readonly<Record<TestsWanted, number>> = { none: 0, unrun: 1, tried: 2, required: 3 };

/** Returns an action's need for test results. Actions that only read the results also work without them. */
function testsFor({ needsTests, reads, writes }: Action): TestsWanted {
  if (needsTests === true) return "required";
  return [...reads, ...writes].some((part) => ofTests.includes(part)) ? "tried" : "none";
}

async function takePatch(
  context: Pick<ActionContext, "task" | "workspace" | "recorder">,
  state: TaskState,
  patch: string,
): Promise<TaskState> {
  const { workspace, task } = context;
  const applied = await workspace.trees.apply(workspace.base, patch);
  if (!applied.ok)
    throw new MillwrightError("usage", `A candidate does not apply to the repository: ${applied.message}`);
  const isKnown = state.candidates.some(({ tree }) => tree === applied.value);
  if (isKnown) return state;
  const made = { tree: applied.value, kind: rulesOf(task.kind).delivers, origin: "given" };
  return keepCandidate(context, state, made).state;
}

async function withPatch({ workspace }: Pick<ActionContext, "workspace">, { tree, ...rest }: Candidate) {
  return { ...rest, patch: await workspace.trees.diff(workspace.base, tree) };
}
