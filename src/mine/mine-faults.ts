import { join } from "node:path";
import { makeFolders } from "../base/make-folders.ts";
import { verdictLine } from "./contract.ts";
import { openHistoryTrees } from "./history-trees.ts";
import { type LedgerLine, openLedger } from "./ledger.ts";
import { type Mined, readHead } from "./pipeline.ts";
import { publish } from "./publish/publish.ts";
import { seedTasks } from "./seed/seed-tasks.ts";
import type { MineRequest } from "./settings.ts";
import { reportStep } from "./step-report.ts";

export interface WantedFaults {
  /** Maximum number of tasks. */
  readonly count: number;
  /** Number of faults in each task. */
  readonly faults: number;
}

/**
 * Inserts faults into the newest commit, makes tasks from them, and publishes the tasks as a dataset.
 * Throws MillwrightError if no environment works or the disk fails, and AbortError if the signal stops it.
 */
export async function mineFaults(request: MineRequest, wanted: WantedFaults): Promise<Mined> {
  const { folder, settings, options } = request;
  await makeFolders(folder);
  const ledger = await openLedger(folder);
  const trees = await openHistoryTrees(join(options.directory, "history"), settings.gitDirectory);
  const lines: Omit<LedgerLine, "step" | "key">[] = [];
  try {
    const candidates = await seedTasks({
      ...{ ...request, trees, ...wanted },
      note(candidate, key, outcome, language) {
        const line = { candidate, commit: "", language, ...verdictLine(outcome) };
        lines.push(line);
        ledger.note({ step: "seed", key, ...line });
      },
    });
    const report = reportStep("seed", lines);
    request.onStep(report);
    const head = await readHead(settings.gitDirectory);
    const made = { candidates, unfinished: [], reports: [report] };
    const card = await publish({ settings, folder, trees, head, ...made });
    return { candidates, reports: [report], card };
  } finally {
    trees.close();
    ledger.close();
  }
}
