/**
 * Opens a host for one reading. The host's client uses our `fetch`, which stores the host's answers (pages) on disk.
 */
import { asDiskError, MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { hostNamed, placeOnHost, repositoryOf } from "./address.ts";
import { type Forge, type ForgeAddress, MissingError } from "./contract.ts";
import { createForgeFetch, type ForgePatience, usualPatience } from "./forge-fetch.ts";
import { ownError } from "./if-there.ts";
import { openPages } from "./pages.ts";

export interface OpenForgeRequest {
  readonly address: ForgeAddress;
  /** The folder of pages. */
  readonly folder: string;
  /** The user's environment variables. One has the user's token, under the name in the host's record. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly patience?: ForgePatience;
  /** Receives a line for people. */
  onProgress(text: string): void;
}

/**
 * Runs `work`, which reads from a host. If `work` fails, the next call continues with the pages on disk. Throws
 * MillwrightError if the reading fails, and AbortError if interrupted.
 */
export async function withForge<T>(
  { address, folder, environment, signal, patience = usualPatience, onProgress }: OpenForgeRequest,
  work: (forge: Forge) => Promise<T>,
): Promise<T> {
  const host = hostNamed(address.host);
  const url = new URL(address.url);
  const place = host.locate(url) ?? placeOnHost(address.host, url);
  if (place === undefined)
    throw new MillwrightError("usage", `${address.url} is not the page of a repository`);
  const token = environment[host.tokenVariable]?.trim() || undefined;
  const pages = await openPages(folder);
  const fetch = createForgeFetch({
    ...{ api: place.api, pages, signal, patience, onProgress },
    ...{ tokenVariable: host.tokenVariable, hasToken: token !== undefined },
  });
  try {
    const result = await work(await host.connect({ ...place, token, fetch }));
    await pages.finish();
    return result;
  } catch (error) {
    signal.throwIfAborted();
    throw explain(error, address, host.tokenVariable);
  }
}

function explain(error: unknown, address: ForgeAddress, tokenVariable: string): unknown {
  const own = ownError(error);
  if (own instanceof MillwrightError) return own;
  if (own instanceof MissingError)
    return new MillwrightError(
      "usage",
      `The repository ${repositoryOf(address)} cannot be read: ${own.message}`,
      {
        hint: `Check the address of the repository. Hosts hide private repositories: these need ${tokenVariable}.`,
      },
    );
  if (asDiskError(error) !== error) return asDiskError(error);
  const reason = sanitizeForTerminal(error instanceof Error ? error.message : String(error));
  return new MillwrightError("repository", `The answer of ${address.url} cannot be read: ${reason}`, {
    cause: error,
    hint: "Check the address: the host may be of another kind, or too old.",
  });
}
