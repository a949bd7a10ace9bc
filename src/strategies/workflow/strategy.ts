/**
 * Fixed sequences of actions, one for each kind of task, over the same actions and the same state: USEagent's ablation
 * "dynamic choice disabled" (ICSE 2026). No model chooses actions, and no step returns to an older candidate: each edit
 * continues from the newest one. The limit is 20 rounds, as in the paper. Departures: after each judgement that does
 * not refute the candidate, `finish` checks the gate. The work ends if the gate holds. At the limit the matrix, not a
 * model, chooses the candidate.
 */
import { actions } from "../../actions/index.generated.ts";
import type { ActionEnd } from "../../agent/action.ts";
import { offeredActions } from "../../agent/control/action-tools.ts";
import { runStages } from "../../agent/control/stages.ts";
import { defineStrategy } from "../../agent/strategy.ts";
import { runAsPublished } from "./as-published.ts";
import { isOver, type Line, newestOf, openLine, perform } from "./line.ts";
import { sequences } from "./sequences.ts";

export default defineStrategy({
  name: "workflow",
  description: "performs a fixed sequence of actions for each kind of task",
  kinds: ["repair", "partial-fix", "regression-test", "code-generation", "test-generation", "feature"],
  needsModel: true,
  run: (context) =>
    context.switches.asPublished
      ? runAsPublished(context)
      : runStages(context, "perform the fixed sequence", async (run) => {
          await goThrough(openLine(run, offeredActions(actions, run.context)));
          return undefined;
        }),
});

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

async function askGate(line: Line): Promise<ActionEnd | undefined> {
  const end = await perform(line, "finish", []);
  line.made -= 1;
  return end;
}

/** True if a review refuted the newest candidate by a measurement. */
function isRefuted(line: Line): boolean {
  const id = newestOf(line)?.id;
  const review = line.run.work.state.reviews.findLast(({ candidate }) => candidate === id);
  return review?.findings.some(({ weight }) => weight === "refuted") === true;
}
