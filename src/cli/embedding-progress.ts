/** Shows the progress of embedding definitions on standard error, because a local model takes minutes. */
import { countOf } from "../base/count.ts";
import type { OnEmbedded } from "../graph/retrieval/similarity.ts";

/** Minimum number of definitions for a line of progress: a model embeds fewer before anybody could read the line. */
const fewest = 50;

/**
 * Returns a function that shows the progress. On a terminal, the function updates one line and clears it at the end. On
 * other outputs, it prints one line at the beginning. Shows nothing for fewer than `fewest` definitions.
 */
export function showEmbedding(): OnEmbedded {
  let said = false;
  return (done, total) => {
    if (total < fewest) return;
    if (process.stderr.isTTY)
      process.stderr.write(`\r\x1b[Kvectors: ${done} of ${total}${done === total ? "\r\x1b[K" : ""}`);
    else if (!said)
      process.stderr.write(
        `${countOf(total, "definition has", "definitions have")} no vectors yet; Millwright embeds each definition once\n`,
      );
    said = true;
  };
}
