/** Opens the language servers of a temporary copy of a repository, for a command that asks them. */
import { createLanguageServers, type LanguageServers } from "../lsp/language-servers.ts";
import type { Checkout } from "../workspace/contract.ts";
import { serversOf } from "./servers-of.ts";
import { type TemporaryWorkspaceOptions, withTemporaryWorkspace } from "./temporary-workspace.ts";

export interface LanguageServerSession {
  readonly servers: LanguageServers;
  readonly sandbox: string;
  /** The repository's copy that the servers read. */
  readonly checkout: Checkout;
}

export async function withLanguageServers<T>(
  options: TemporaryWorkspaceOptions,
  work: (opened: LanguageServerSession) => Promise<T>,
): Promise<T> {
  const records = serversOf(options.host.environment, options.repository);
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
