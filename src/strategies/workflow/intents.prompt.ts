/** The request to each action of a fixed sequence, composed from the state by rules, because nobody chooses. Pure. */

import { shorten } from "../../agent/record/shorten.ts";
import type { Place, TaskState } from "../../agent/state/task-state.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";

export interface Situation {
  readonly kind: TaskKind;
  readonly state: TaskState;
  /** The newest candidate that the task can deliver; undefined if there is none yet. */
  readonly newest: Candidate | undefined;
  /** Judgements of the newest candidate: by a review or by test runs, and by the gate. */
  readonly said: readonly string[];
}

/** Maximum characters of the judgements of a candidate in a request. */
const longestSaid = 6_000;
const mostPlaces = 5;

/** Returns the input for an action; undefined if the action needs a candidate and there is none. */
export function inputOf(action: string, situation: Situation): Record<string, string> | undefined {
  const { newest } = situation;
  // The statement says what to show.
  if (action === "reproduction") return {};
  if (action === "edit-code") return { intent: editIntent(situation), from: newest?.id ?? "base" };
  const intent = intents[action];
  if (intent !== undefined) return { intent: intent[situation.kind] ?? intent.usual };
  return newest === undefined ? undefined : { candidate: newest.id };
}

type Intent = { readonly usual: string } & Partial<Readonly<Record<TaskKind, string>>>;

const intents: Readonly<Record<string, Intent>> = {
  "code-retrieval": {
    usual:
      "Find the code that determines the behaviour in the statement: the code to change, and the code that depends on it.",
    "regression-test": "Find the code with the reported fault, and a way to reach it from a test.",
    feature: "Find the place for the requested code, and existing code that it can use.",
  },
  "test-retrieval": {
    usual: "Find the tests of the code that the statement describes. Describe the style of these tests.",
  },
};

function editIntent({ kind, state, newest, said }: Situation): string {
  if (newest === undefined || said.length === 0) return [firstIntent(kind), ...placesOf(state)].join("\n");
  const text = shorten(said.join("\n\n"), longestSaid);
  return `Continue from ${newest.id}, which is not correct yet. Fix the problems listed here:\n\n${text}`;
}

function firstIntent(kind: TaskKind): string {
  if (kind === "regression-test") return "Write tests that fail because of the reported problem.";
  if (kind === "test-generation") return "Write tests that execute every line of the target.";
  return "Do what the statement asks for.";
}

function placesOf({ codePlaces, testPlaces }: TaskState): string[] {
  const list = (title: string, places: readonly Place[]): string[] => {
    const lines = places
      .slice(0, mostPlaces)
      .map(({ file, startLine, why }) => `- ${file}:${startLine}: ${why}`);
    return lines.length === 0 ? [] : [title, ...lines];
  };
  return [...list("Places found:", codePlaces), ...list("Tests found:", testPlaces)];
}
