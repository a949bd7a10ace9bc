/**
 * Limits of a resumable run. Even if the time is used up, a resumed run reads the earlier results from its record. It
 * then reaches the limit at the same point, with the same results before it.
 */
import type { ModelClient } from "../../llm/contract.ts";
import type { Limits } from "./limits.ts";
import type { Recorder } from "./recorder.ts";

/**
 * Wraps limits so that a resumed run reaches them at the same point as before. `models`: their calls count as progress,
 * like the record's steps.
 */
export function metAgain(
  limits: Limits,
  recorder: Pick<Recorder, "events" | "arm" | "append" | "progress" | "usedMs">,
  models: Pick<ModelClient, "spent"> | undefined,
): Limits {
  const met = recorder.events.find(
    (event) => event.event === "limit-reached" && (event.arm ?? "") === recorder.arm,
  );
  const position = (): number => recorder.progress().steps + (models?.spent().calls ?? 0);
  const again = (): string | undefined => {
    if (met?.event === "limit-reached") return position() >= met.position ? met.text : undefined;
    // Steps are counted again from zero. The time limit counts as reached at the first new work.
    return limits.remainingSteps() === 0 ? limits.exhausted() : undefined;
  };
  let isNoted = met !== undefined;
  return {
    ...limits,
    exhausted() {
      if (recorder.usedMs > 0 && !recorder.progress().isNew) return again();
      const text = limits.exhausted();
      if (text === undefined || isNoted) return text;
      isNoted = true;
      recorder.append({ event: "limit-reached", position: position(), text });
      return text;
    },
  };
}
