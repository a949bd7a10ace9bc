/** Reads the address of a repository on a host from the flag `--forge` and a clone's remote. */
import { MillwrightError } from "../base/errors.ts";
import type { ForgeAddress, ForgeHost } from "./contract.ts";
import { forgeHosts } from "./hosts/index.generated.ts";

/**
 * Parses the value of `--forge`: `gitea=https://git.example.com/acme/ledger`, or only a host's name such as `github`. A
 * name alone takes the address from the clone's `remote`. Throws MillwrightError("usage") for an unknown host or an
 * unusable address.
 */
export function readForgeAddress(text: string, remote: string | undefined): ForgeAddress {
  const [, name = "", given] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? [];
  const host = hostNamed(name);
  const url = pageOf(given ?? remote ?? "");
  const wanted = `--forge ${host.name}=https://HOST/OWNER/NAME`;
  if (url === undefined) {
    const what =
      given === undefined ? "The clone has no remote on a host" : `--forge ${text} is not an address`;
    throw new MillwrightError("usage", what, { hint: `Give the repository's page: ${wanted}` });
  }
  if (host.locate(url) === undefined)
    throw new MillwrightError("usage", `${url.href} is not the page of a repository on ${host.title}`, {
      hint: `Give owner and name: ${wanted}`,
    });
  return { host: host.name, url: url.href };
}

/** The address of a repository, or of a whole host. */
export interface HostAddress extends ForgeAddress {
  readonly isWholeHost: boolean;
}

/**
 * Parses `gitea=https://git.example.com/acme/ledger` (a repository) or `gitea=https://git.example.com` (the whole
 * host). Throws MillwrightError("usage") for an unknown host or an unusable address.
 */
export function readHostAddress(text: string): HostAddress {
  const [, name = "", given = ""] = /^([^=]*)(?:=(.*))?$/.exec(text) ?? [];
  const url = pageOf(given);
  const isWholeHost =
    url !== undefined && !/\/[^/]+\/[^/]+$/.test(url.pathname) && placeOnHost(name, url) !== undefined;
  return isWholeHost
    ? { host: name, url: url.href.replace(/\/$/, ""), isWholeHost }
    : { ...readForgeAddress(text, undefined), isWholeHost };
}

/**
 * Returns the API of a whole host, with a placeholder for the repository; undefined if the address is not that of a
 * host.
 */
export function placeOnHost(name: string, url: URL): { api: string; repository: string } | undefined {
  const place = hostNamed(name).locate(new URL(`${url.href.replace(/\/$/, "")}/any/any`));
  return place?.repository === "any/any" ? place : undefined;
}

/**
 * Returns the address of a repository that the host `whole` names in an answer. Undefined if the page is not a
 * repository on this host: another host must get neither requests nor the token.
 */
export function addressOnHost(whole: ForgeAddress, page: string): ForgeAddress | undefined {
  const url = pageOf(page);
  const api = url === undefined ? undefined : hostNamed(whole.host).locate(url)?.api;
  if (url === undefined || api === undefined) return undefined;
  return api === placeOnHost(whole.host, new URL(whole.url))?.api
    ? { host: whole.host, url: url.href }
    : undefined;
}

/** Finds the host with this name. Throws MillwrightError("usage") if there is no such host. */
export function hostNamed(name: string): ForgeHost {
  const host = forgeHosts.find((each) => each.name === name);
  if (host !== undefined) return host;
  throw new MillwrightError("usage", `Unknown forge: ${name}`, {
    hint: `Choose one of ${forgeHosts.map((each) => each.name).join(", ")}.`,
  });
}

/** Returns the repository's name on the host, such as `owner/name`; "" if the address is not a repository's page. */
export function repositoryOf({ host, url }: ForgeAddress): string {
  return hostNamed(host).locate(new URL(url))?.repository ?? "";
}

/**
 * Returns the page of a repository from the address of its page or of a clone's remote
 * (`git@github.com:acme/ledger.git`). Drops user names, passwords and SSH's port.
 */
function pageOf(text: string): URL | undefined {
  const [, host, path] = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)(.+)$/.exec(text) ?? [];
  const address = host === undefined ? text : `ssh://${host}/${path}`;
  if (!/^(?:https?|ssh|git):\/\//.test(address) || !URL.canParse(address)) return undefined;
  const { protocol, hostname, host: whole, pathname } = new URL(address);
  const isWeb = protocol === "http:" || protocol === "https:";
  const own = pathname.replace(/\/+$/, "").replace(/\.git$/, "");
  return new URL(isWeb ? `${protocol}//${whole}${own}` : `https://${hostname}${own}`);
}
