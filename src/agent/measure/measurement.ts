import type { Task } from "../../domain/task.ts";
import type { Limits } from "../record/limits.ts";
import type { Recorder } from "../record/recorder.ts";
import type { StrategyContext } from "../strategy.ts";

/**
 * The fields of a strategy's context that measurements use. Callers without a run pass a recorder that does not store
 * steps.
 */
export interface MeasurementContext
  extends Pick<
    StrategyContext,
    | "workspace"
    | "frameworks"
    | "testCommand"
    | "rememberedCommand"
    | "rememberedTimes"
    | "rememberedWhole"
    | "testTimeoutMs"
    | "signal"
  > {
  readonly task: Pick<Task, "statement" | "failingTests">;
  readonly recorder: Pick<Recorder, "step">;
  readonly limits: Pick<Limits, "remainingMs">;
}
