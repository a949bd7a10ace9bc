/** The known language servers for a repository. */

import type { Environment } from "../llm/model-name.ts";
import { parseConfiguredServers } from "../lsp/configured-servers.ts";
import type { LanguageServer } from "../lsp/language-server.ts";
import { languageServers } from "../lsp/servers/index.generated.ts";
import { configuredServersOf } from "./settings.ts";

/** Servers from the project's and the user's files, then ours: the first one for a file's extension is taken. */
export function serversOf(environment: Environment, repository: string): LanguageServer[] {
  const configured = configuredServersOf({ repository, environment });
  return [
    ...configured.flatMap(({ source, value }) => parseConfiguredServers(value, source)),
    ...languageServers,
  ];
}
