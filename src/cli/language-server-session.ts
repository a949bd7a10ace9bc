/** The language servers of a temporary copy of a repository, for a command that asks them. */
import { parseConfiguredServers } from "../lsp/configured-servers.ts";
import type { LanguageServer } from "../lsp/language-server.ts";
import { createLanguageServers, type LanguageServers } from "../lsp/language-servers.ts";
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

export interface LanguageServerSession {
  readonly servers: LanguageServers;
  readonly sandbox: string;
  /** The copy that the servers see. */
  readonly checkout: Checkout;
}

export async function withLanguageServers<T>(
  options: TemporaryWorkspaceOptions,
  work: (opened: LanguageServerSession) => Promise<T>,
): Promise<T> {
  const records = serversOf(options.repository);
  return withTemporaryWorkspace(options, async ({ workspace, sandbox }) => {
    const checkout = await workspace.openCheckout();
    const servers = createLanguageServers(checkout, records);
    try {
      return await work({ servers, sandbox, checkout });
    } finally {
      await servers.close();
    }
  });
}
