import { z } from "zod";
import { parseJson } from "../../base/parse-json.ts";

/** The fields of a complete answer that a stream needs. */
const answerSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        message: z.looseObject({ tool_calls: z.array(z.looseObject({})).nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
});

/**
 * Makes a `fetch` for servers that ignore a request for a stream. It turns their whole answer into a stream of one
 * piece.
 */
export function streamWholeAnswers(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (url, options) => {
    const response = await fetch(url, options);
    const isWhole = response.headers.get("content-type")?.includes("application/json") ?? false;
    if (!response.ok || !isWhole || !String(url).endsWith("/chat/completions")) return response;
    const text = await response.text();
    const headers = { "content-type": "text/event-stream" };
    return new Response(toStream(text), { status: response.status, headers });
  };
}

function toStream(text: string): string {
  const answer = answerSchema.safeParse(parseJson(text));
  if (!answer.success) return `data: ${text.replaceAll(/\s+/g, " ")}\n\n`;
  const choices = answer.data.choices.map(({ message, finish_reason }, index) => ({
    index,
    delta: { ...message, tool_calls: message.tool_calls?.map((call, at) => ({ index: at, ...call })) },
    finish_reason: finish_reason ?? "stop",
  }));
  return `data: ${JSON.stringify({ ...answer.data, choices })}\n\ndata: [DONE]\n\n`;
}
