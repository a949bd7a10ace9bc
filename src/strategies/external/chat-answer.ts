/**
 * Converts our answers to the format of OpenAI's chat completions: as one document, or as a stream. The stream's only
 * content event has the whole answer.
 */
import type { Answer, FinishReason, ModelFailureKind, ToolCall } from "../../llm/contract.ts";

export interface ChatCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

const finishes: Readonly<Record<FinishReason, string>> = {
  stop: "stop",
  calls: "tool_calls",
  length: "length",
  other: "stop",
};

export function callsToChat(calls: readonly ToolCall[]): ChatCall[] {
  return calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: typeof input === "string" ? input : JSON.stringify(input ?? {}) },
  }));
}

/** Converts an answer to a chat completion in OpenAI's format. `asked`: the agent's name for the model. */
export function answerToChat(answer: Answer, asked: string) {
  const { text, reasoning, finish } = answer;
  const calls = callsToChat(answer.calls);
  return {
    ...headOf(answer, asked, "chat.completion"),
    choices: [
      {
        index: 0,
        message: {
          role: "assistant" as const,
          content: text === "" && calls.length > 0 ? null : text,
          ...(calls.length === 0 ? {} : { tool_calls: calls }),
          ...(reasoning === "" ? {} : { reasoning_content: reasoning }),
        },
        finish_reason: finishes[finish],
      },
    ],
    usage: usageToChat(answer),
  };
}

/**
 * Converts an answer to a stream of server-sent events. `asked`: the agent's name for the model. `withUsage`: adds the
 * token counts.
 */
export function answerToStream(answer: Answer, asked: string, withUsage: boolean): string {
  const whole = answerToChat(answer, asked);
  const [choice] = whole.choices;
  const { tool_calls: calls, ...said } = choice?.message ?? {};
  const delta = {
    ...said,
    ...(calls === undefined ? {} : { tool_calls: calls.map((call, index) => ({ index, ...call })) }),
  };
  const head = headOf(answer, asked, "chat.completion.chunk");
  const chunks = [
    { ...head, choices: [{ index: 0, delta, finish_reason: null }] },
    { ...head, choices: [{ index: 0, delta: {}, finish_reason: choice?.finish_reason }] },
    ...(withUsage ? [{ ...head, choices: [], usage: whole.usage }] : []),
  ];
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`;
}

function headOf({ handle }: Answer, asked: string, object: string) {
  return { id: `chatcmpl-${handle}`, object, created: Math.floor(Date.now() / 1000), model: asked };
}

function usageToChat({ usage: { inputTokens, cachedTokens, outputTokens } }: Answer) {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** HTTP statuses that clients understand. Clients retry statuses of 500 and above; 403 is final. */
const statuses: Readonly<Record<ModelFailureKind, number>> = {
  "rate-limit": 429,
  "quota-spent": 403,
  auth: 401,
  "context-too-long": 400,
  refused: 400,
  "bad-request": 400,
  "bad-answer": 500,
  network: 503,
  unavailable: 503,
  "not-recorded": 403,
  "not-scripted": 403,
  budget: 403,
  cancelled: 503,
};

export function failureToChat(kind: ModelFailureKind, message: string) {
  const code = kind === "context-too-long" ? "context_length_exceeded" : kind;
  return { status: statuses[kind], body: { error: { message, type: "millwright", param: null, code } } };
}
