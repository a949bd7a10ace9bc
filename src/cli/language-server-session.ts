/** The language servers of a temporary copy of a repository, for a command that asks them and ends. */
import { parseConfiguredServers } from "../lsp/configured-servers.ts";
import type { LanguageServer } from "../lsp/language-server.ts";
import { createLanguageServers, type LanguageServers } from "../lsp/language-servers.ts";
import type { ServerHost } from "../lsp/server-host.ts";
import { languageServers } from "../lsp/servers/index.generated.ts";
import type { Checkout } from "../workspace/contract.ts";
import { configuredServersOf } from "./settings.ts";
import { type TemporaryWorkspaceOptions, withTemporaryWorkspace } from "./temporary-workspace.ts";

/** Those of the project's and the user's files, and then ours: the first that knows a file's extension is taken. */
export function serversOf(repository: string): LanguageServer[] {
  const configured = configuredServersOf({ repository, environment: process.env });
  return [
    ...configured.flatMap(({ source, value }) => parseConfiguredServers(value, source)),
    ...languageServers,
  ];
}

/** A checkout as a place for servers. */
export function hostOf(checkout: Checkout): ServerHost {
  return {
    root: checkout.root,
    scratch: checkout.scratch.inside,
    environment: checkout.environment,
    exists: (path) => checkout.exists(path),
    execute: (command) => checkout.execute(command),
    attach: (command) => checkout.attach(command),
  };
}

export async function withLanguageServers<T>(
  options: TemporaryWorkspaceOptions,
  work: (opened: { readonly servers: LanguageServers; readonly sandbox: string }) => Promise<T>,
): Promise<T> {
  const records = serversOf(options.repository);
  return withTemporaryWorkspace(options, async ({ workspace, sandbox }) => {
    const servers = createLanguageServers(hostOf(await workspace.openCheckout()), records);
    try {
      return await work({ servers, sandbox });
    } finally {
      await servers.close();
    }
  });
}
