/**
 * Settles the kind of a run's task. The user gives the kind, or a rule determines it, or Millwright asks a model once.
 * Returns the task in the form for that kind.
 */
import type { KindChoice, Task } from "../../domain/task.ts";
import type { ModelClient } from "../../llm/contract.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { askKind } from "../kinds/ask-kind.ts";
import { withKind } from "../kinds/with-kind.ts";
import type { Recorder } from "../record/recorder.ts";
import type { SamplingContext } from "../think/sampling.ts";
import type { RunDescription } from "./run-store.ts";

export interface KindContext extends Omit<SamplingContext, "models"> {
  /** The models. Absent in a run without a model: the rules' result then counts. */
  readonly models: ModelClient | undefined;
  readonly workspace: Workspace;
  readonly recorder: Pick<Recorder, "events" | "append">;
}

export interface Settled {
  readonly task: Task;
  /** The choice of the kind; absent if the user gave the kind. */
  readonly choice?: KindChoice;
}

/** Determines the kind and records it. A resumed run reads the record and does not ask again. */
export async function settleKind(
  context: KindContext,
  { task, kindByRule }: Pick<RunDescription, "task" | "kindByRule">,
): Promise<Settled> {
  if (kindByRule === undefined) return { task };
  const { recorder, models } = context;
  const recorded = recorder.events.find((event) => event.event === "kind-chosen");
  if (recorded?.event === "kind-chosen") return { task: withKind(task, recorded), choice: recorded };
  const { isSure, kinds: _, ...byRule } = kindByRule;
  const { trees, base } = context.workspace;
  const read = async (path: string) => (await trees.read(base, path))?.toString("utf8");
  const choice =
    isSure || models === undefined
      ? byRule
      : await askKind({ ...context, models }, { task, byRule: kindByRule, read });
  recorder.append({ event: "kind-chosen", ...choice });
  return { task: withKind(task, choice), choice };
}
