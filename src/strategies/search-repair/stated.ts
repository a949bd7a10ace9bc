/** Which of the plausible patches stand apart from all that the statement names: nobody read it, but its names can be looked up. */
import { z } from "zod";
import { openTreeView } from "../../agent/code/tree-view.ts";
import { findStatedPlaces } from "../../agent/measure/stated-places.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { abortAfter } from "../../base/abort-after.ts";
import { hashText } from "../../base/hash.ts";
import type { Judged } from "./search.ts";

export interface Stated {
  /** What the statement names of the repository. */
  readonly names: readonly string[];
  /** Patches in none of it, nor in what it reaches. */
  readonly apart: ReadonlySet<Judged>;
}

const statedSchema = z.object({ names: z.array(z.string()), apart: z.array(z.int()) });

/** Of the time that is left: an index of a large repository takes its time, and the last verdict needs some. */
const shareOfTime = 0.2;

/** Undefined where the statement names nothing that is known, or there was no time to look. */
export async function findApart(
  context: StrategyContext,
  plausible: readonly Judged[],
): Promise<Stated | undefined> {
  const { task, workspace, recorder, limits } = context;
  const timeMs = shareOfTime * limits.remainingMs();
  if (plausible.length === 0 || task.statement.trim() === "" || timeMs <= 0) return undefined;
  const options = {
    key: `stated:${hashText([workspace.base, ...plausible.map(({ candidate }) => candidate.tree)].join(" "))}`,
    title: "what the statement names",
    schema: statedSchema,
  };
  const { names, apart } = await recorder.step(options, async () => {
    const late = abortAfter(timeMs);
    const signal = AbortSignal.any([context.signal, ...(late === undefined ? [] : [late])]);
    const view = await openTreeView({ ...context, signal });
    try {
      const graph = await view.context.graph();
      const stated = graph.completeness().complete ? findStatedPlaces(graph, task.statement) : undefined;
      if (stated === undefined) return { names: [], apart: [] };
      const isApart = ({ proposal }: Judged): boolean => !stated.reach(proposal.file, proposal.line);
      return { names: [...stated.names], apart: plausible.filter(isApart).map(({ rank }) => rank) };
    } finally {
      await view.close();
    }
  });
  if (names.length === 0) return undefined;
  return { names, apart: new Set(plausible.filter(({ rank }) => apart.includes(rank))) };
}
