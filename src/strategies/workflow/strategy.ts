/**
 * Fixed sequences of actions, one for each kind of task, over the same actions and the same state: USEagent's ablation
 * "dynamic choice disabled" (ICSE 2026). No model chooses actions, and no step returns to an older candidate: each edit
 * continues from the newest one. The limit is 20 rounds, as in the paper. Departures: after each judgement that does
 * not refute the candidate, `finish` checks the gate. The work ends if the gate holds. At the limit the matrix, not a
 * model, chooses the candidate.
 */
import { actions } from "../../actions/index.generated.ts";
import type { Action, ActionEnd } from "../../agent/action.ts";
import { offeredActions } from "../../agent/control/action-tools.ts";
import { noteSkipped } from "../../agent/control/perform-action.ts";
import { performNamed, runStages, type StagedRun } from "../../agent/control/stages.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { defineStrategy } from "../../agent/strategy.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { inputOf } from "./intents.prompt.ts";
import { sequences } from "./sequences.ts";

const rounds = 20;

export default defineStrategy({
  name: "workflow",
  description: "performs a fixed sequence of actions for each kind of task",
  kinds: ["repair", "partial-fix", "regression-test", "code-generation", "test-generation", "feature"],
  needsModel: true,
  run: (context) =>
    runStages(context, "perform the fixed sequence", async (run) => {
      await goThrough(openLine(run));
      return undefined;
    }),
});

interface Line {
  readonly run: StagedRun;
  readonly offered: readonly Action[];
  /** Candidates that exist at the start. The strategy measures them, but does not continue from them. */
  readonly given: ReadonlySet<string>;
  /** Number of actions of the sequence so far, including disabled ones. Does not count requests to the gate. */
  made: number;
}

function openLine(run: StagedRun): Line {
  const { context, work } = run;
  const offered = offeredActions(actions, context);
  return { run, offered, given: new Set(work.state.candidates.map(({ id }) => id)), made: 0 };
}

async function goThrough(line: Line): Promise<void> {
  const { first, inTurn } = sequences[line.run.context.task.kind];
  const [judge, edit] = inTurn;
  for (const name of first) await perform(line, name, []);
  while (!isOver(line)) {
    const judged = await perform(line, judge, []);
    const answer = isRefuted(line) ? undefined : await askGate(line);
    if (answer?.isEnd === true) return;
    const said = [judged, answer].flatMap((end) => (end === undefined ? [] : [end.text]));
    if (!isOver(line)) await perform(line, edit, said);
  }
}

/**
 * Performs an action of the sequence. Undefined if the action is not offered, or if nothing exists yet for it to work
 * on.
 */
async function perform(line: Line, name: string, said: readonly string[]): Promise<ActionEnd | undefined> {
  const { context, work } = line.run;
  line.made += 1;
  const action = line.offered.find((each) => each.name === name);
  const situation = { kind: context.task.kind, state: work.state, newest: newestOf(line), said };
  const input = inputOf(name, situation);
  if (action === undefined) return undefined;
  if (input === undefined) {
    noteSkipped(context, work, name, "no earlier step produced a candidate for this step");
    return undefined;
  }
  return performNamed(line.run, action, action.input.parse(input));
}

async function askGate(line: Line): Promise<ActionEnd | undefined> {
  const end = await perform(line, "finish", []);
  line.made -= 1;
  return end;
}

function newestOf({ run: { context, work }, given }: Line): Candidate | undefined {
  const { delivers } = rulesOf(context.task.kind);
  return work.state.candidates.findLast(({ id, kind }) => kind === delivers && !given.has(id));
}

/** True if a review refuted the newest candidate by a measurement. */
function isRefuted(line: Line): boolean {
  const id = newestOf(line)?.id;
  const review = line.run.work.state.reviews.findLast(({ candidate }) => candidate === id);
  return review?.findings.some(({ weight }) => weight === "refuted") === true;
}

function isOver({ run, made }: Line): boolean {
  if (made >= rounds) run.stop ??= { because: "steps", message: `the limit of ${rounds} rounds was reached` };
  return run.stop !== undefined;
}
