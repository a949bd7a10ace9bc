/** Opens the user's stored code graph of a repository. */
import { noteUse } from "../graph/index-folder.ts";
import { type OpenGraph, openGraph } from "../graph/open-graph.ts";
import type { Host } from "./host.ts";

/** Opens the code graph of a user's repository. `directory`: the folder of the index. */
export function openUserGraph(
  { environment, onNotice }: Host,
  repository: string,
  directory: string,
): OpenGraph {
  const graph = openGraph({ repository, directory, home: environment.HOME });
  noteUse(directory, repository);
  if (graph.rebuilt !== undefined)
    onNotice({ level: "note", text: `Millwright rebuilds the index in ${directory}: ${graph.rebuilt}` });
  return graph;
}
