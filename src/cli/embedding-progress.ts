/** How far the vectors of definitions are, on standard error: computed on this machine they take minutes. */
import { countOf } from "../base/count.ts";
import type { OnEmbedded } from "../graph/retrieval/similarity.ts";

/** Fewer are there before anybody has read of them. */
const fewest = 50;

/** On a terminal a line that is rewritten and goes away; elsewhere one line at the beginning. */
export function showEmbedding(): OnEmbedded {
  let said = false;
  return (done, total) => {
    if (total < fewest) return;
    if (process.stderr.isTTY)
      process.stderr.write(`\r\x1b[Kvectors: ${done} of ${total}${done === total ? "\r\x1b[K" : ""}`);
    else if (!said)
      process.stderr.write(
        `${countOf(total, "definition has", "definitions have")} no vectors yet: each is embedded once and kept\n`,
      );
    said = true;
  };
}
