/** What this machine has for a run beside the repository's files: language servers, and the user's own index. */
import { existsSync } from "node:fs";
import type { RunDescription } from "../agent/run/run-store.ts";
import type { CodeSources } from "../agent/strategy.ts";
import { indexFolderOf } from "../graph/index-folder.ts";
import { createLanguageServers } from "../lsp/language-servers.ts";
import { serversOf } from "./servers-of.ts";

export function codeSourcesOf({ task, codeServers }: RunDescription): CodeSources {
  const { repository } = task;
  const index = indexFolderOf({ repository, environment: process.env });
  return {
    ...(existsSync(index) ? { knownIndex: index } : {}),
    ...(codeServers === "off"
      ? {}
      : { openServers: (checkout) => createLanguageServers(checkout, serversOf(repository)) }),
  };
}
