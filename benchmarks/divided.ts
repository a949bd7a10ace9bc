/**
 * Compares all tests in several processes with all tests in one process. `npm run bench:divided -- FOLDER…`: each
 * folder is a repository whose tests can run. Each pair of runs takes turns. Prints the times, their ratio, and the
 * number of tests with different results.
 */
import { loadavg } from "node:os";
import { basename, resolve } from "node:path";
import { processes, timesOfFiles } from "../src/agent/measure/divide.ts";
import { openTestExecutor } from "../src/agent/measure/test-executor.ts";
import type { ExecutorRequest } from "../src/agent/suite.ts";
import { hostOf } from "../src/cli/host.ts";
import { formatTestKey } from "../src/domain/test-outcome.ts";
import { testFrameworks } from "../src/languages/index.generated.ts";
import { settingsSchema } from "../src/session/settings.ts";
import { withTemporaryWorkspace } from "../src/session/temporary-workspace.ts";
import { findTestCommand, listTestCommands } from "../src/workspace/test-command.ts";
import type { TestRun } from "../src/workspace/test-runner.ts";

const pairs = 2;

interface Timed {
  readonly run: TestRun;
  readonly seconds: number;
}

async function timed(work: () => Promise<TestRun>): Promise<Timed> {
  const began = performance.now();
  const run = await work();
  return { run, seconds: (performance.now() - began) / 1000 };
}

const statusesIn = ({ report }: TestRun): Map<string, string> =>
  new Map(report.outcomes.map(({ key, status }) => [formatTestKey(key), status]));

function listDifferences(one: TestRun, several: TestRun): string[] {
  const [first, second] = [statusesIn(one), statusesIn(several)];
  return [...new Set([...first.keys(), ...second.keys()])].filter((id) => first.get(id) !== second.get(id));
}

async function measure(folder: string): Promise<void> {
  const settings = settingsSchema.parse({});
  const { signal } = new AbortController();
  await withTemporaryWorkspace(
    { host: hostOf(), repository: folder, settings, signal },
    async ({ workspace }) => {
      const executor = await openTestExecutor(workspace, testFrameworks, signal);
      const request: ExecutorRequest = {
        ...{
          tree: workspace.base,
          selection: { kind: "all" },
          testTimeoutMs: 60_000,
          timeoutMs: 60 * 60_000,
        },
      };
      const commands = listTestCommands(executor.project, testFrameworks, undefined);
      const look = { project: executor.project };
      const found = await findTestCommand(commands, (command) => executor.run(command, request), look);
      if (!found.ok) throw new Error(`${folder}: ${found.message}`);
      const { command, run } = found.value;
      const divided = { times: Object.fromEntries(timesOfFiles(run.report.outcomes)) };
      for (let pair = 0; pair < pairs; pair += 1) {
        const one = await timed(() => executor.run(command, request));
        const several = await timed(() => executor.run(command, { ...request, divided }));
        const different = listDifferences(one.run, several.run);
        const ran = one.run.report.outcomes.length;
        const alone = several.run.onlyTogether?.length ?? 0;
        console.log(
          `| ${basename(folder)} | ${ran} | ${one.seconds.toFixed(1)} s | ${several.seconds.toFixed(1)} s | ${(several.seconds / one.seconds).toFixed(2)} | ${several.run.isDivided} | ${alone} | ${different.length} |`,
        );
        for (const id of different.slice(0, 5))
          console.log(`  ${id}: ${statusesIn(one.run).get(id)} / ${statusesIn(several.run).get(id)}`);
      }
      await executor.close();
    },
  );
}

console.log(`${processes} processes, load ${loadavg()[0]?.toFixed(1)}`);
console.log(
  "| repository | tests | one process | several | ratio | divided | failed only beside others | different |",
);
console.log("|---|---|---|---|---|---|---|---|");
for (const folder of process.argv.slice(2)) await measure(resolve(folder));
