/**
 * USEagent's ablation "dynamic choice disabled" as published (ICSE 2026, section 5): the fixed sequences over the
 * published actions, with 20 rounds. Millwright measures nothing by rule or in the background, and asks no gate between
 * rounds. Repair runs only its reproduction. For the other kinds, `execute-tests` runs the files that test retrieval
 * found, and the candidate's own test files. The work ends if the review approves the candidate, or if these tests pass.
 * For regression tests, one of them must fail. Millwright evaluates the gate after the end, and shows it to no model.
 *
 * Departures: those of `unified` as published. The paper does not say which tests run, and when a sequence ends early.
 */
import type { ActionContext } from "../../agent/action.ts";
import { offeredActions } from "../../agent/control/action-tools.ts";
import type { Work } from "../../agent/control/perform-action.ts";
import type { StagedRun } from "../../agent/control/stages.ts";
import { withinStep } from "../../agent/record/limits.ts";
import type { StrategyContext, StrategyEnd } from "../../agent/strategy.ts";
import { watchOutages } from "../../agent/think/outage.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import { type Led, runPublished } from "../unified/as-published.ts";
import { chooseSolution } from "../unified/choose-solution.ts";
import { publishedActions } from "../unified/published-actions.ts";
import { isOver, type Line, newestOf, openLine, perform } from "./line.ts";
import { sequences } from "./sequences.ts";

export function runAsPublished(given: StrategyContext): Promise<StrategyEnd> {
  return runPublished(given, "perform the fixed sequence, as published", follow);
}

async function follow(context: ActionContext, work: Work): Promise<Omit<Led, "state">> {
  const { models, outage } = watchOutages(context.models);
  const run: StagedRun = {
    context: { ...context, models, limits: withinStep(context.limits) },
    limits: context.limits,
    work,
    stop: undefined,
    outage,
  };
  const line = openLine(run, offeredActions(publishedActions, context));
  const isDone = await goThrough(line);
  const steps = line.made;
  if (isDone) return { ended: { kind: "ended", value: true, steps }, solution: newestOf(line) };
  const stop = run.stop ?? { because: "steps", message: "the sequence ended" };
  const candidates = work.state.candidates.filter(
    ({ id, kind }) => kind === newestOf(line)?.kind && !line.given.has(id),
  );
  const solution = await chooseSolution(context, work.state, candidates);
  return { ended: { kind: "stopped", steps, ...stop }, solution };
}

/** True if the sequence reached its end before a limit. */
async function goThrough(line: Line): Promise<boolean> {
  const { first, inTurn } = sequences[line.run.context.task.kind];
  const [judge, edit] = inTurn;
  for (const name of first) await perform(line, name, []);
  while (!isOver(line)) {
    const more = judge === "execute-tests" ? await testsToRun(line) : {};
    const known = line.run.work.state.rows.length;
    const judged = await perform(line, judge, [], more);
    if (newestOf(line) !== undefined && (judged === undefined || isAccepted(line, judge, known))) break;
    if (!isOver(line)) await perform(line, edit, judged === undefined ? [] : [judged.text]);
  }
  return line.run.stop === undefined;
}

/** The found test files that exist, and the newest candidate's own. */
async function testsToRun(line: Line): Promise<Record<string, string[]>> {
  const newest = newestOf(line);
  if (newest === undefined) return {};
  const { context, work } = line.run;
  const { trees, base } = context.workspace;
  const present = new Set((await trees.list(newest.tree)).map(({ path }) => path));
  const written = (await trees.stat(base, newest.tree)).map(({ path }) => path);
  const own = written.filter((path) => context.regions.isWhole(path));
  const found = work.state.testPlaces.map(({ file }) => file);
  const files = [...new Set([...own, ...found])].filter((file) => present.has(file));
  return { candidates: [newest.id], files };
}

/** True if the review approves the newest candidate, or if the tests show what the kind asks for. */
function isAccepted(line: Line, judge: string, known: number): boolean {
  const { context, work } = line.run;
  const id = newestOf(line)?.id;
  if (judge !== "execute-tests")
    return work.state.reviews.findLast(({ candidate }) => candidate === id)?.isApproved === true;
  const rows = work.state.rows.slice(known);
  const outcomes = rows.flatMap((row) => row.outcomes);
  if (outcomes.length === 0 || rows.some(({ invalid }) => invalid !== undefined)) return false;
  const isGreen = !outcomes.some(({ status }) => isFailing(status));
  return context.task.kind === "regression-test" ? !isGreen : isGreen;
}
