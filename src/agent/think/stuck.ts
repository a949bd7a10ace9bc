/** Finds signs that a thinking loop is stuck, by rules over its calls and their replies. Pure. */

import { countOf } from "../../base/count.ts";

export interface SeenCall {
  readonly call: { readonly name: string; readonly input: unknown };
  /** The text of the reply. */
  readonly text: string;
  readonly isError?: boolean;
}

export interface StuckSign {
  /** The problem and the alternatives, as text for the model. */
  readonly advice: string;
  /** The problem as a clause, for people and for the caller. */
  readonly fact: string;
  /** True if advice has not helped: the loop should end. */
  readonly hopeless: boolean;
}

/** Number of occurrences of each sign before advice, and before the end. */
const signs = {
  /** The same call with the same reply, in a row or with others between. */
  sameCall: { advise: 3, end: 5 },
  /** Successive failing calls of any kind. */
  errors: { advise: 4, end: 8 },
  /** Successive answers without a call. */
  talk: { advise: 1, end: 3 },
} as const;

/**
 * Remembers calls. `see` takes all calls of one answer, and returns a sign if the loop is stuck; otherwise undefined.
 */
export function watchProgress(): { see(calls: readonly SeenCall[]): StuckSign | undefined } {
  const seen = new Map<string, number>();
  let errors = 0;
  let talk = 0;
  return {
    see(calls) {
      talk = calls.length === 0 ? talk + 1 : 0;
      if (talk > 0)
        return signOf(talk, signs.talk, {
          advice: "Nothing happens without a call: call one of the tools.",
          fact: `${countOf(talk, "answer")} in a row called no tool`,
        });
      let most = 0;
      for (const { call, text, isError } of calls) {
        const key = JSON.stringify([call.name, call.input, text]);
        const times = (seen.get(key) ?? 0) + 1;
        seen.set(key, times);
        most = Math.max(most, times);
        errors = isError === true ? errors + 1 : 0;
      }
      const repeated = {
        advice: `You have made the same call ${most} times, and its reply is the same each time. Use what you know to do something else.`,
        fact: `the same call was made ${most} times, with the same reply`,
      };
      const failing = {
        advice: `The last ${errors} calls failed. Read their replies, and do something else.`,
        fact: `the last ${errors} calls failed`,
      };
      return signOf(most, signs.sameCall, repeated) ?? signOf(errors, signs.errors, failing);
    },
  };
}

function signOf(
  times: number,
  limit: { readonly advise: number; readonly end: number },
  said: Pick<StuckSign, "advice" | "fact">,
): StuckSign | undefined {
  return times < limit.advise ? undefined : { ...said, hopeless: times >= limit.end };
}
