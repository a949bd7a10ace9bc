/** The time of heartbeats alone that Millwright allows, as a multiple of the allowed silence. */
const patience = 3;

/**
 * A comment of the stream, a ping, or an empty event. Gateways send these while the server behind them works, and also
 * after it has died.
 */
const heartbeat = /^(?:\s|:[^\n]*\n|event: *ping *\n|data: *\{"type": *"ping"\} *\n)*$/;

/** Passes a response on. If only heartbeats arrive for too long, ends the stream with the error of a silent stream. */
export function endHeartbeats(response: Response, quietMs: number): Response {
  const isStream = response.headers.get("content-type")?.includes("event-stream") === true;
  if (!isStream || response.body === null) return response;
  let lastWords = performance.now();
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (!heartbeat.test(Buffer.from(chunk).toString("latin1"))) lastWords = performance.now();
      else if (performance.now() - lastWords > quietMs * patience)
        throw Object.assign(new Error("body timeout: only heartbeats"), { code: "UND_ERR_BODY_TIMEOUT" });
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(watched), { status, statusText, headers });
}
