/** `bench report`: what batches came to, as Markdown or as a document. */
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { readBatch } from "../bench/batch-document.ts";
import { renderBatches, reportArms } from "../bench/batch-tables.ts";

export function reportBatches(paths: readonly string[], json: boolean): void {
  const batches = paths.map((path) => ({ path, batch: readBatch(path) }));
  if (!json) {
    process.stdout.write(sanitizeForTerminal(renderBatches(batches)));
    return;
  }
  const arms = reportArms(batches).map(({ tries: _, ...arm }) => arm);
  const document = {
    schema: "millwright.bench-report/1",
    batches: batches.map(({ path, batch: { version, tasks, rules, sandbox } }) => ({
      ...{ report: path, version, tasks, rules, sandbox },
    })),
    arms,
  };
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
