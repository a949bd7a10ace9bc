import type { SolveReport } from "../domain/solve-report.ts";
import type { RunOptions } from "../session/perform-run.ts";
import { userOf } from "./ask-user.ts";
import { hostOf } from "./host.ts";
import { withInterrupts } from "./interrupt.ts";
import { type OutputFormat, printEvent, printReport } from "./output.ts";
import { createProgress } from "./progress.ts";

/** The output of a command about a run, and a switch for its progress. */
interface Shown {
  readonly output: OutputFormat;
  readonly quiet?: boolean | undefined;
}

/** Performs the run in `directory`, shows its progress, prints its report and returns the exit code. */
export async function conductRun(
  directory: string,
  shown: Shown,
  perform: (options: RunOptions) => Promise<SolveReport>,
): Promise<number> {
  const report = await followRun(directory, shown, perform);
  printReport(shown.output, report);
  return report.exitCode;
}

/**
 * Shows the progress of the run in `directory` while `work` performs the run. Passes the run's questions to the user.
 */
export function followRun<T>(
  directory: string,
  { output, quiet }: Shown,
  work: (options: RunOptions) => Promise<T>,
): Promise<T> {
  return withInterrupts(async (signal) => {
    const progress = await createProgress(process.stderr);
    try {
      const { stdin: input, stderr } = process;
      const ask = userOf({ input, output: stderr, signal, hold: progress.hold }, output);
      return await work({
        host: hostOf(),
        directory,
        ...(ask === undefined ? {} : { ask }),
        onEvent(event) {
          if (quiet !== true) progress.show(event);
          printEvent(output, event);
        },
        signal,
      });
    } finally {
      progress.close();
    }
  });
}
