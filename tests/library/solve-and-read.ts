import { MillwrightError, readRun, solve } from "millwright";

const { env: environment } = process;
const stop = new AbortController();
process.once("SIGINT", () => stop.abort());

try {
  const report = await solve({
    repository: process.argv[2] ?? ".",
    settings: { maxTime: "10m" }, // and model: "PROVIDER/ID", else rules and tests alone
    environment,
    signal: stop.signal,
    onEvent(event) {
      if (event.event === "phase-started") console.error(event.title);
    },
  });
  const { findings } = await readRun({ run: report.runDirectory, environment });
  console.log(report.outcome, findings?.faults[0]?.location.file);
  console.log(report.patch);
} catch (error) {
  if (!(error instanceof MillwrightError)) throw error;
  console.error(error.code, error.message, error.hint ?? "");
}
