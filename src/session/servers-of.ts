/** The known language servers for a repository. */

import type { Environment } from "../llm/model-name.ts";
import { parseConfiguredServers } from "../lsp/configured-servers.ts";
import type { LanguageServer } from "../lsp/language-server.ts";
import { languageServers } from "../lsp/servers/index.generated.ts";
import { configuredServersOf } from "./settings.ts";

/**
 * The language servers from the project's settings, then from the user's settings, then Millwright's own. If several
 * serve a file extension, the first one counts.
 */
export function serversOf(environment: Environment, repository: string): LanguageServer[] {
  const configured = configuredServersOf({ repository, environment });
  return [
    ...configured.flatMap(({ source, value }) => parseConfiguredServers(value, source)),
    ...languageServers,
  ];
}
