/** Finds the plausible patches outside the code that the statement names. Looks up the names without a model. */
import { z } from "zod";
import { openTreeView } from "../../agent/code/tree-view.ts";
import { findStatedPlaces } from "../../agent/measure/stated-places.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { abortAfter } from "../../base/abort-after.ts";
import { hashText } from "../../base/hash.ts";
import type { Judged } from "./search.ts";

export interface Stated {
  /** The repository's names in the statement. */
  readonly names: readonly string[];
  /** Patches that change neither the named code nor code that it reaches. */
  readonly apart: ReadonlySet<Judged>;
}

const statedSchema = z.object({ names: z.array(z.string()), apart: z.array(z.int()) });

/** The share of the remaining time. Indexing a large repository takes time, and the final verdict needs some. */
const shareOfTime = 0.2;

/**
 * Finds plausible patches that change neither code named in the statement nor code that the named code reaches. Returns
 * undefined if the statement names no code of the repository, if the index is incomplete, or if no time is left.
 */
export async function findApart(
  context: StrategyContext,
  plausible: readonly Judged[],
): Promise<Stated | undefined> {
  const { task, workspace, recorder, limits } = context;
  const timeMs = shareOfTime * limits.remainingMs();
  if (plausible.length === 0 || task.statement.trim() === "" || timeMs <= 0) return undefined;
  const options = {
    key: `stated:${hashText([workspace.base, ...plausible.map(({ candidate }) => candidate.tree)].join(" "))}`,
    title: "find the code that the statement names",
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
