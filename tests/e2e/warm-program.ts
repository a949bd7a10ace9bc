/**
 * A process that runs the program again and again, as its own process would each time: the same main module, arguments, variables,
 * folder, streams and exit code. What a start costs (modules, grammars, compiled code: half of a short run's processor time) is
 * spent once. Where MILLWRIGHT_TEST_WARM is 0, as in the bare stage of .ci/run, each run has a process of its own.
 */
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** What a parent sends for a run; `mark` is written to both streams where the run's output ends. */
export interface WarmStart {
  readonly program: string;
  readonly words: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly mark: string;
}

const ownEvents = ["uncaughtException", "unhandledRejection", "SIGINT", "SIGTERM"];
const streams = [process.stdout, process.stderr];
const writes = streams.map((stream) => stream.write);
let runs = 0;

process.on("disconnect", () => process.exit());
process.on("message", (start: WarmStart) => void run(start));

async function run({ program, words, env, cwd, mark }: WarmStart): Promise<void> {
  for (const name of Object.keys(process.env)) delete process.env[name];
  for (const [name, value] of Object.entries(env)) if (value !== undefined) process.env[name] = value;
  process.chdir(cwd);
  process.argv = [process.execPath, program, ...words];
  process.exitCode = undefined;
  const open = countOpen();
  // The main module is read anew for each run; all that it imports stays.
  await import(`${pathToFileURL(program).href}?run=${++runs}`);
  while (isMoreOpen(open)) await wait(5);
  for (const name of ownEvents) process.removeAllListeners(name);
  for (const [index, stream] of streams.entries()) {
    stream.removeAllListeners("error");
    if (writes[index] !== undefined) stream.write = writes[index];
    stream.write(mark);
  }
  process.send?.({ exitCode: process.exitCode ?? 0 });
}

/** What keeps a process alive, by kind. */
function countOpen(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

/** A process of the run's own would not have ended yet. */
function isMoreOpen(before: ReadonlyMap<string, number>): boolean {
  return [...countOpen()].some(([kind, count]) => count > (before.get(kind) ?? 0));
}
