/**
 * Opens models according to the settings. The only place that reads keys: from the environment and from files `.env`.
 */
import { join } from "node:path";
import { parseEnv } from "node:util";
import { MillwrightError } from "../base/errors.ts";
import { createRedactor, type Redactor, secretsOf } from "../base/redact.ts";
import { readTextIfRegular } from "../base/regular-file.ts";
import { pausesVariable } from "../llm/call-pauses.ts";
import { type BudgetLimits, type ModelClient, type ModelFailure, modelRoles } from "../llm/contract.ts";
import { type Environment, findAccess, withKeysOf } from "../llm/model-name.ts";
import { decodingOf } from "../llm/model-settings.ts";
import { accountsOf, openModels } from "../llm/open-models.ts";
import { modelProviders } from "../llm/providers/index.generated.ts";
import type { Host } from "./host.ts";
import { type ModelSettings, userFolder } from "./settings.ts";

export interface ModelSession {
  readonly client: ModelClient;
  /** A redactor that knows all of the user's keys, for the other texts that the session writes. */
  readonly redactor: Redactor;
}

export interface ModelSessionOptions extends Pick<Host, "environment" | "folder"> {
  readonly limits?: BudgetLimits;
  /** The folder that stores the calls. */
  readonly recording?: string;
  /** Replaces the redactor that knows this environment's keys. */
  readonly redactor?: Redactor;
  /** Receives each failure for which the agent is not responsible (`providerFailures`). */
  readonly onOutage?: ((failure: ModelFailure) => void) | undefined;
}

/** Opens the session's models. Throws MillwrightError("usage") if a model, key or address is missing. */
export async function openModelSession(
  settings: ModelSettings,
  options: ModelSessionOptions,
): Promise<ModelSession> {
  const { limits, recording, onOutage } = options;
  const { modelPrices, batchBudget, seed } = settings;
  const environment = modelEnvironment(options);
  const callPauses = environment[pausesVariable];
  const redactor = options.redactor ?? createRedactor(secretsOf(environment));
  const client = await openModels({
    ...namedModels(settings),
    decoding: decodingOf(settings),
    ...(modelPrices === undefined ? {} : { prices: modelPrices }),
    ...(seed === undefined ? {} : { seed }),
    ...(limits === undefined ? {} : { limits }),
    ...(batchBudget === undefined ? {} : { batchBudget }),
    ...(recording === undefined ? {} : { recording }),
    ...(callPauses === undefined ? {} : { callPauses }),
    environment,
    redactor,
    onOutage,
    quietMs: settings.modelTimeout,
    parallel: settings.modelParallel,
  });
  return { client, redactor };
}

function namedModels({ model, modelRoles, embeddingModel, modelUrl }: ModelSettings) {
  return {
    model,
    ...(modelRoles === undefined ? {} : { roles: modelRoles }),
    ...(embeddingModel === undefined ? {} : { embeddingModel }),
    ...(modelUrl === undefined ? {} : { address: modelUrl }),
  };
}

/** Returns the names of the accounts that a session with these settings calls; see `accountOf`. */
export function accountsOfSession(
  settings: ModelSettings,
  host: Pick<Host, "environment" | "folder">,
): string[] {
  return accountsOf({ ...namedModels(settings), environment: modelEnvironment(host) });
}

/**
 * Throws MillwrightError("usage") if the settings limit the cost, and the price of a used model is unknown. Such a
 * limit would block every call of this model.
 */
export function refuseUnpriced({ client }: Pick<ModelSession, "client">, maxCost: number | undefined): void {
  if (maxCost === undefined) return;
  const unpriced = modelRoles.map((role) => client.modelOf(role)).find(({ priced }) => !priced);
  if (unpriced === undefined) return;
  throw new MillwrightError(
    "usage",
    `Millwright cannot enforce the cost limit: the price of ${unpriced.name} is unknown`,
    {
      hint: 'Give the price in "modelPrices" of the settings, or limit the run by "maxTokens".',
    },
  );
}

/**
 * Returns the environment variables for models. The host's environment has priority, then the keys in the folder's
 * `.env`, then the `.env` of the user's settings folder.
 */
export function modelEnvironment({ environment, folder }: Pick<Host, "environment" | "folder">): Environment {
  const own = readDotenv(join(userFolder(environment), ".env"));
  const near = folder === undefined ? {} : readDotenv(join(folder, ".env"));
  return { ...own, ...withKeysOf(near, environment) };
}

/**
 * Returns a redactor that knows all keys of the environment, and of the files `.env` and `.env.local`. It reads these
 * files in the host's folder, the repository and the user's settings folder.
 */
export function redactorOver({ environment, folder }: Host, repository: string): Redactor {
  const folders = [userFolder(environment), ...(folder === undefined ? [] : [folder]), repository];
  const files = folders.flatMap((folder) => [join(folder, ".env"), join(folder, ".env.local")]);
  return createRedactor([environment, ...files.map(readDotenv)].flatMap(secretsOf));
}

/**
 * Reads a `.env` file. An unreadable file counts as empty, because Millwright reports a missing key where it needs the
 * key.
 */
function readDotenv(path: string): Environment {
  return parseEnv(readTextIfRegular(path) ?? "");
}

export interface ProviderState {
  readonly name: string;
  /** The missing setting; undefined if the user can call the provider. */
  readonly missing: { readonly what: string; readonly remedy: string } | undefined;
  readonly detail: string;
}

/**
 * Describes the user's access to each provider with model ids of the form `PROVIDER/ID`: key and address, or the
 * missing setting. Calls no provider.
 */
export function describeProviders(host: Pick<Host, "environment" | "folder">): ProviderState[] {
  const all = modelEnvironment(host);
  return modelProviders
    .filter((provider) => provider.form === "id")
    .map((provider) => {
      const { key, address, missing } = findAccess(provider, all, all["MILLWRIGHT_MODEL_URL"]);
      const access = provider.needsKey || key !== undefined ? "key found" : "no key needed";
      return { name: provider.name, missing, detail: `${access}, ${address}; not contacted` };
    });
}
