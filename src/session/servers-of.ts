/** Finds the known language servers for a repository. */

import type { Environment } from "../llm/model-name.ts";
import { parseConfiguredServers } from "../lsp/configured-servers.ts";
import type { LanguageServer } from "../lsp/language-server.ts";
import { languageServers } from "../lsp/servers/index.generated.ts";
import { configuredServersOf } from "./settings.ts";

/**
 * Returns the language servers of the project's settings, then of the user's settings, then Millwright's own. For each
 * file extension, the first server counts.
 */
export function serversOf(environment: Environment, repository: string): LanguageServer[] {
  const configured = configuredServersOf({ repository, environment });
  return [
    ...configured.flatMap(({ source, value }) => parseConfiguredServers(value, source)),
    ...languageServers,
  ];
}
