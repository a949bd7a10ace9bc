/** Opens a model client from settings. Opens each model only once, even if several roles use it. */
import { MillwrightError } from "../base/errors.ts";
import { createRedactor, type Redactor } from "../base/redact.ts";
import type { AskContext, Route } from "./ask.ts";
import { openBatchLedger } from "./batch-ledger.ts";
import { createBudget } from "./budget.ts";
import { accountOf, openServedPauses } from "./call-pauses.ts";
import { createClient } from "./client.ts";
import { type Clock, realClock } from "./clock.ts";
import {
  type BudgetLimits,
  type Decoding,
  type ModelClient,
  type ModelFailure,
  type ModelRole,
  modelRoles,
} from "./contract.ts";
import { type Environment, findAccess, parseModelName } from "./model-name.ts";
import type { ListedModel, Price } from "./price.ts";
import type { Transport } from "./provider.ts";
import { openRecording } from "./recording/store.ts";
import { createFetch } from "./sdk/connect.ts";
import { createLedger } from "./spending.ts";
import { createThrottle, type SharedPause, type Throttle } from "./throttle.ts";
import { type Patience, usualPatience } from "./try-again.ts";

export interface ModelOptions {
  /** The model of each role that has no model of its own. */
  readonly model: string;
  readonly roles?: Readonly<Partial<Record<ModelRole, string>>>;
  readonly decoding?: Readonly<Partial<Record<ModelRole, Decoding>>>;
  /** A seed for the answers. Servers that do not accept a seed are asked again without it. */
  readonly seed?: number;
  readonly embeddingModel?: string;
  /** The address for providers without a default (`openai-compatible`). */
  readonly address?: string;
  /** Prices of models by name; they override the listed ones. */
  readonly prices?: Readonly<Record<string, Price & Partial<ListedModel>>>;
  /** The environment variables with keys and addresses; see `withKeysOf` for `.env`. */
  readonly environment: Environment;
  readonly limits?: BudgetLimits;
  /** The socket of the process that keeps the batch's pauses; see call-pauses.ts. */
  readonly callPauses?: string;
  /** A file of limits shared by all processes that name it; see batch-ledger.ts. */
  readonly batchBudget?: string;
  /** The share of each limit reserved for the final selection; default a tenth. */
  readonly keepBack?: number;
  /** The folder in which calls are recorded and from which recorded answers are read. */
  readonly recording?: string;
  readonly redactor?: Redactor;
  /** Milliseconds without a byte after which Millwright ends a connection; default five minutes. */
  readonly quietMs?: number;
  /** Maximum number of simultaneous calls to one provider; default 8. */
  readonly parallel?: number;
  readonly patience?: Patience;
  readonly clock?: Clock;
  /** Receives each failure for which the agent is not responsible (`providerFailures`). */
  readonly onOutage?: ((failure: ModelFailure) => void) | undefined;
}

const usualQuietMs = 300_000;
const usualParallel = 8;
const usualKeepBack = 0.1;

/**
 * Opens the models of all roles as one client. Throws MillwrightError("usage") for an unknown name, a missing key or
 * address, or an `embeddingModel` that offers no embeddings.
 */
export async function openModels(options: ModelOptions): Promise<ModelClient> {
  const {
    model,
    roles = {},
    decoding = {},
    embeddingModel,
    limits = {},
    keepBack = usualKeepBack,
    clock = realClock,
  } = options;
  const redactor = options.redactor ?? createRedactor();
  const open = createOpener(options, redactor, clock);
  const byRole = {} as Record<ModelRole, Route>;
  for (const role of modelRoles) byRole[role] = await open(roles[role] ?? model);
  const embedding = embeddingModel === undefined ? undefined : await open(embeddingModel);
  if (embedding !== undefined && embedding.transport.embed === undefined)
    throw new MillwrightError("usage", `"${embedding.name}" has no embeddings.`, {
      hint: "Name an embedding model of another provider, such as openai/text-embedding-3-small.",
    });
  const context: AskContext = {
    recording: options.recording === undefined ? undefined : openRecording(options.recording, redactor),
    redactor,
    patience: options.patience ?? usualPatience,
    clock,
    pending: new Map(),
    counted: new Set(),
  };
  const batch = options.batchBudget === undefined ? undefined : openBatchLedger(options.batchBudget);
  const budget = createBudget(limits, { keepBack, now: clock.now, batch });
  const routes = { byRole, embedding, decoding };
  return createClient({ routes, context, budget, ledger: createLedger(), onOutage: options.onOutage });
}

/**
 * Names the accounts at which the models call their providers; see `accountOf`. Throws MillwrightError("usage") for an
 * unknown name.
 */
export function accountsOf(options: Omit<ModelOptions, "limits">): string[] {
  const { model, roles = {}, embeddingModel, environment, address } = options;
  const names = [model, ...Object.values(roles), ...(embeddingModel === undefined ? [] : [embeddingModel])];
  const accounts = names.map((name) => {
    const { provider } = parseModelName(name);
    const access = findAccess(provider, environment, address);
    return accountOf(provider.name, access.address ?? "", access.key);
  });
  return [...new Set(accounts)];
}

/**
 * Sends a seed with each call to a server. Samples of one request get different seeds. A recorded request
 * does not contain the seed, so a recording also answers an attempt with another seed.
 */
export function withSeed(transport: Transport, seed: number): Transport {
  if (!transport.remote) return transport;
  return {
    ...transport,
    generate(call) {
      const { settings } = call.request;
      const seeded = { seed: seed + (settings.sample ?? 0), ...settings };
      return transport.generate({ ...call, request: { ...call.request, settings: seeded } });
    },
  };
}

type Opener = (name: string) => Promise<Route>;

/** Opens a model at its first use; models of one provider share its limit of simultaneous calls. */
function createOpener(options: ModelOptions, redactor: Redactor, clock: Clock): Opener {
  const { environment, prices = {}, parallel = usualParallel, quietMs = usualQuietMs } = options;
  const fetch = createFetch(quietMs);
  const throttles = new Map<string, Throttle>();
  const pauses = options.callPauses === undefined ? undefined : openServedPauses(options.callPauses);
  const sharedFor = (account: string): SharedPause | undefined =>
    pauses && {
      remaining: () => pauses.remaining(account),
      pause: (ms) => pauses.pause(account, ms),
      pauseLong: () => pauses.pauseLong(account),
    };
  const open = async (name: string): Promise<Route> => {
    const { provider, id } = parseModelName(name);
    const { key, address = "", missing } = findAccess(provider, environment, options.address);
    if (missing !== undefined)
      throw new MillwrightError("usage", `"${name}" cannot be used: ${missing.what}.`, {
        hint: missing.remedy,
      });
    const shared = sharedFor(accountOf(provider.name, address, key));
    const throttle = throttles.get(provider.name) ?? createThrottle(parallel, clock, shared);
    throttles.set(provider.name, throttle);
    const listed = Object.hasOwn(prices, name) ? prices[name] : provider.listed(id);
    const opened = await provider.open({ id, key, address, fetch, redactor });
    const transport = options.seed === undefined ? opened : withSeed(opened, options.seed);
    return { name, transport, price: listed, contextTokens: listed?.context, throttle };
  };
  const opened = new Map<string, Promise<Route>>();
  return (name) => {
    const route = opened.get(name) ?? open(name);
    opened.set(name, route);
    return route;
  };
}
