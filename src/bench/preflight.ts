/**
 * Checks before a batch that this machine reaches the registries that its tries need. A batch without them would end
 * each try as an infrastructure error.
 */
import { connect } from "node:net";
import { nameFirst } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import type { GradedTask } from "./graded-task.ts";
import type { GradingOptions } from "./open-task.ts";
import { findEnvironment, listImages } from "./rules.ts";
import { lacksEnvironment } from "./task-environment.ts";

/** Milliseconds to wait for a connection. */
const connectMs = 10_000;

interface Problem {
  readonly what: string;
  readonly remedy: string;
  /** The tasks that cannot run because of the problem. */
  readonly tasks: readonly GradedTask[];
}

/**
 * Returns the tasks that need a registry, proxy or mirror which does not answer, with the reason. `findTasks`: finds
 * the tasks with work left, because the others need neither images nor setups; called only if the batch may need such
 * an address. Throws MillwrightError("sandbox") with all problems if they stop all these tasks.
 */
export async function findUnreachable(
  findTasks: () => Promise<readonly GradedTask[]>,
  options: GradingOptions,
): Promise<ReadonlyMap<GradedTask, string>> {
  const { problems, tasks } = await findProblems(findTasks, options);
  const lacking = new Map(
    problems.flatMap(({ what, tasks: those }) => those.map((task) => [task, what] as const)),
  );
  if (lacking.size > 0 && lacking.size === tasks.length) throw refusal(problems);
  return lacking;
}

async function findProblems(
  findTasks: () => Promise<readonly GradedTask[]>,
  options: GradingOptions,
): Promise<{ problems: readonly Problem[]; tasks: readonly GradedTask[] }> {
  const mayNeed = options.rules.some(({ image }) => image !== undefined) || addressesOf(options).length > 0;
  const tasks = mayNeed ? await findTasks() : [];
  const problems = [
    ...(await findImageProblems(tasks, options)),
    ...(await findSetupProblems(tasks, options)),
  ];
  return { problems, tasks };
}

function refusal(problems: readonly Problem[]): MillwrightError {
  const [whats, remedies] = [problems.map(({ what }) => what), problems.map(({ remedy }) => remedy)];
  return new MillwrightError("sandbox", `The batch cannot start on this machine: ${whats.join("; ")}`, {
    hint: [...new Set(remedies)].join(" "),
  });
}

/** Asks each registry about some of the missing images. A registry that answers for one image counts as reached. */
async function findImageProblems(
  tasks: readonly GradedTask[],
  { sandbox, rules, signal }: GradingOptions,
): Promise<Problem[]> {
  const { images } = sandbox.provider;
  if (images === undefined) return [];
  const problems: Problem[] = [];
  for (const [registry, names] of Map.groupBy(listImages(tasks, rules, images), registryOf)) {
    let lack: string | undefined;
    for (const name of chooseImages(names)) {
      signal.throwIfAborted();
      lack = await images.findLack(name);
      if (lack === undefined) break;
    }
    if (lack === undefined) continue;
    const missing = new Set<string>();
    for (const name of names) if ((await images.find(name)) === undefined) missing.add(name);
    const place = registry === "" ? "the default registry" : `the registry ${registry}`;
    problems.push({
      what: `${place} does not answer for ${nameFirst([...missing], 2)}: ${lack}`,
      remedy:
        "Connect this machine to the registry, load the images by hand, or name a mirror in a rule of your environments.",
      tasks: tasks.filter((task) => listImages([task], rules, images).some((name) => missing.has(name))),
    });
  }
  return problems;
}

/** The first image, the last and one between: people load images by hand in the order of the tasks. */
function chooseImages(names: readonly string[]): string[] {
  const places = new Set([0, names.length >> 1, names.length - 1]);
  return names.filter((_, at) => places.has(at));
}

/** The registry's host in an image's name; "" for the daemon's default registry. */
function registryOf(name: string): string {
  const [first = "", ...rest] = name.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : "";
}

/**
 * If a setup must still run, connects to the setups' proxies, or without proxies to their mirrors. One answer is
 * enough, because a setup may not need the others.
 */
async function findSetupProblems(tasks: readonly GradedTask[], options: GradingOptions): Promise<Problem[]> {
  const addresses = addressesOf(options);
  const waiting = addresses.length === 0 ? [] : await findSetups(tasks, options);
  if (waiting.length === 0) return [];
  const problems: Problem[] = [];
  for (const { name, url } of addresses) {
    const error = await tryConnect(url);
    if (error === undefined || isUnjudged(error, options)) return [];
    problems.push({
      what: `setups need ${url.host} (${name}), which does not answer: ${error.message}`,
      remedy: `Start this service or correct the variable ${name}.`,
      tasks: waiting,
    });
  }
  return problems;
}

interface Address {
  /** The variable that names the address. */
  readonly name: string;
  readonly url: URL;
}

function addressesOf({ setupVariables, hostEnvironment }: GradingOptions): Address[] {
  const all = setupVariables.flatMap((name) => {
    const value = (hostEnvironment[name] ?? "").trim();
    // A list names its own alternatives: `https://proxy.example,direct`.
    const url = /^no_proxy$/i.test(name) || /[\s,|]/.test(value) ? null : URL.parse(value);
    return url !== null && /^https?:$/.test(url.protocol) ? [{ name, url }] : [];
  });
  const proxies = all.filter(({ name }) => /_proxy$/i.test(name));
  return proxies.length > 0 ? proxies : all;
}

/** Finds the tasks whose setup must still run. */
async function findSetups(tasks: readonly GradedTask[], options: GradingOptions): Promise<GradedTask[]> {
  if (options.frozen !== undefined) return [];
  const found: GradedTask[] = [];
  for (const task of tasks) {
    const place = findEnvironment(task, options.rules);
    if (place.setup !== undefined && (await lacksEnvironment(task.task, place, options))) found.push(task);
  }
  return found;
}

/** True if this machine cannot resolve the host's name. A container may be able to resolve it. */
function isUnjudged(error: Error, { sandbox }: GradingOptions): boolean {
  return (
    sandbox.provider.images?.holdsFolders === false &&
    "code" in error &&
    /^(?:ENOTFOUND|EAI_AGAIN)$/.test(String(error.code))
  );
}

/** Returns the error if no connection to the address opens. */
function tryConnect({ hostname, port, protocol }: URL): Promise<Error | undefined> {
  const { promise, resolve } = Promise.withResolvers<Error | undefined>();
  const usual = protocol === "https:" ? 443 : 80;
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const socket = connect({ host, port: port === "" ? usual : Number(port), timeout: connectMs });
  socket.once("connect", () => resolve(undefined));
  socket.once("timeout", () => resolve(new Error(`no answer in ${connectMs / 1000} s`)));
  socket.once("error", (error) => resolve(error));
  return promise.finally(() => socket.destroy());
}
