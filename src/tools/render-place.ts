import type { PlaceAnswer } from "../graph/retrieval/answer.ts";

/**
 * Renders a place as `path:first-last  kind  signature`. If the answer contains the place's code, adds the code with
 * line numbers.
 */
export function renderPlace({
  path,
  startLine,
  endLine,
  kind,
  qualified,
  signature,
  shown,
}: PlaceAnswer): string {
  const head = `${path}:${startLine}-${endLine}  ${kind}  ${signature === "" ? qualified : signature}`;
  if (shown === undefined) return head;
  const lines = shown.text.split("\n").map((line, at) => `${shown.startLine + at}  ${line}`);
  return [head, ...lines].join("\n");
}
