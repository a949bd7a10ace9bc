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
}

/**
 * Throws MillwrightError("sandbox") with all problems of this machine. `findTasks` finds the tasks with work left,
 * because the others need neither images nor setups. Calls it only if the batch may need a registry.
 */
export async function checkRegistries(
  findTasks: () => Promise<readonly GradedTask[]>,
  options: GradingOptions,
): Promise<void> {
  const mayNeed = options.rules.some(({ image }) => image !== undefined) || addressesOf(options).length > 0;
  const tasks = mayNeed ? await findTasks() : [];
  const problems = [
    ...(await findImageProblems(tasks, options)),
    ...(await findSetupProblems(tasks, options)),
  ];
  if (problems.length === 0) return;
  const [whats, remedies] = [problems.map(({ what }) => what), problems.map(({ remedy }) => remedy)];
  throw new MillwrightError("sandbox", `The batch cannot start on this machine: ${whats.join("; ")}`, {
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
  const named = listImages(tasks, rules, images);
  const problems: Problem[] = [];
  for (const [registry, names] of Map.groupBy(named, registryOf)) {
    let lack: string | undefined;
    for (const name of chooseImages(names)) {
      signal.throwIfAborted();
      lack = await images.findLack(name);
      if (lack === undefined) break;
    }
    if (lack === undefined) continue;
    const place = registry === "" ? "the default registry" : `the registry ${registry}`;
    problems.push({
      what: `${place} does not answer for ${nameFirst(names, 2)}: ${lack}`,
      remedy:
        "Connect this machine to the registry, load the images by hand, or name a mirror in a rule of your environments.",
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
  if (addresses.length === 0 || !(await needsSetup(tasks, options))) return [];
  const problems: Problem[] = [];
  for (const { name, url } of addresses) {
    const error = await tryConnect(url);
    if (error === undefined || isUnjudged(error, options)) return [];
    problems.push({
      what: `setups need ${url.host} (${name}), which does not answer: ${error.message}`,
      remedy: `Start this service or correct the variable ${name}.`,
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

async function needsSetup(tasks: readonly GradedTask[], options: GradingOptions): Promise<boolean> {
  if (options.frozen !== undefined) return false;
  for (const task of tasks) {
    const place = findEnvironment(task, options.rules);
    if (place.setup !== undefined && (await lacksEnvironment(task.task, place, options))) return true;
  }
  return false;
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
