/** The language servers of a temporary copy of a repository, for a command that asks them and ends. */
import { parseConfiguredServers } from "../lsp/configured-servers.ts";
import type { LanguageServer } from "../lsp/language-server.ts";
import { createLanguageServers, type LanguageServers } from "../lsp/language-servers.ts";
import { languageServers } from "../lsp/servers/index.generated.ts";
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

export async function withLanguageServers<T>(
  options: TemporaryWorkspaceOptions,
  work: (opened: { readonly servers: LanguageServers; readonly sandbox: string }) => Promise<T>,
): Promise<T> {
  const records = serversOf(options.repository);
  return withTemporaryWorkspace(options, async ({ workspace, sandbox }) => {
    const servers = createLanguageServers(await workspace.openCheckout(), records);
    try {
      return await work({ servers, sandbox });
    } finally {
      await servers.close();
    }
  });
}
