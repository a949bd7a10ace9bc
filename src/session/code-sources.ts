/**
 * Finds the sources that a run on this machine uses in addition to the repository's files: language servers, and the
 * user's own index.
 */
import { existsSync } from "node:fs";
import type { RunDescription } from "../agent/run/run-store.ts";
import type { CodeSources } from "../agent/strategy.ts";
import { indexFolderOf } from "../graph/index-folder.ts";
import { createLanguageServers } from "../lsp/language-servers.ts";
import type { Host } from "./host.ts";
import { serversOf } from "./servers-of.ts";
import { placeOf } from "./surroundings.ts";

export function codeSourcesOf({ environment }: Host, description: RunDescription): CodeSources {
  const repository = placeOf(description);
  const index = indexFolderOf({ repository, environment });
  return {
    ...(existsSync(index) ? { knownIndex: index } : {}),
    ...(description.codeServers === "off"
      ? {}
      : { openServers: (checkout) => createLanguageServers(checkout, serversOf(environment, repository)) }),
  };
}
