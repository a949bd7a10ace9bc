/**
 * Samples several answers to one request, with a temperature. If requested, decodes the first answer like a single
 * answer: with the user's temperature, or else 0.
 */
import type { Answer, ModelRequest } from "../../llm/contract.ts";
import type { Limits } from "../record/limits.ts";
import type { StopReason, ThinkContext } from "./think.ts";

/** The context of sampling. The caller counts the steps; a single step may send any number of requests. */
export interface SamplingContext extends Pick<ThinkContext, "models" | "signal" | "decoding"> {
  readonly limits: Pick<Limits, "remainingMs" | "exhausted">;
}

export interface SamplePlan {
  readonly count: number;
  /** The temperature of all samples; with `greedyFirst`, of all samples after the first. */
  readonly temperature: number;
  /** True to give the first sample the user's temperature, or else 0. */
  readonly greedyFirst: boolean;
  /** The number of the first sample; default 0. Distinguishes equal requests that need separate answers. */
  readonly from?: number;
}

export interface Samples<T> {
  /** The answers in the order of the samples, without failed samples. */
  readonly answers: readonly Answer<T>[];
  /** The reason why some answers are missing. Only a limit prevents further samples. */
  readonly stopped?: { readonly because: StopReason; readonly message: string };
}

/** Maximum simultaneous requests. With more, a cost limit could refuse calls for which it still has money. */
const atOnce = 4;

/**
 * Samples a model. Each sample is a separate request with its own number (`sample`). A resumed run therefore reads the
 * recorded answer instead of asking again.
 */
export async function sampleModel<T = undefined>(
  context: SamplingContext,
  request: Omit<ModelRequest<T>, "signal">,
  { count, temperature, greedyFirst, from = 0 }: SamplePlan,
): Promise<Samples<T>> {
  const answers: Answer<T>[] = [];
  let stopped: Samples<T>["stopped"];
  for (let begin = 0; begin < count && stopped?.because !== "limit"; begin += atOnce) {
    const samples = Array.from({ length: Math.min(atOnce, count - begin) }, (_, index) => begin + index);
    const asked = await Promise.all(
      samples.map((sample) => {
        // Without a temperature, the user's setting applies.
        const warmed = greedyFirst && sample === 0 ? {} : { temperature };
        const decoded = { ...warmed, sample: from + sample };
        return askModel<T>(context, { ...request, settings: { ...request.settings, ...decoded } });
      }),
    );
    for (const each of asked) {
      if (each.answer !== undefined) answers.push(each.answer);
      else if (stopped === undefined || each.stopped.because === "limit") stopped = each.stopped;
    }
  }
  return stopped === undefined ? { answers } : { answers, stopped };
}

export type Asked<T> =
  | { readonly answer: Answer<T>; readonly stopped?: undefined }
  | {
      readonly answer?: undefined;
      readonly stopped: { readonly because: StopReason; readonly message: string };
    };

/**
 * Sends one request with the strategy's decoding settings. Returns the reason instead of an answer if no time or money
 * is left, or if the model fails.
 */
export async function askModel<T = undefined>(
  { models, limits, signal, decoding }: SamplingContext,
  request: Omit<ModelRequest<T>, "signal">,
): Promise<Asked<T>> {
  const limit = limits.remainingMs() === 0 ? limits.exhausted() : undefined;
  if (limit !== undefined) return { stopped: { because: "limit", message: limit } };
  const answer = await models.generate<T>({
    ...request,
    settings: { ...decoding, ...request.settings },
    signal,
  });
  signal.throwIfAborted();
  if (answer.ok) return { answer: answer.value };
  return { stopped: { because: answer.kind === "budget" ? "limit" : "model", message: answer.message } };
}
