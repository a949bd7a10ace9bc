/**
 * Opens the searcher over an indexed repository. The command `find` uses one, and an agent keeps one open between
 * questions.
 */
import { readSource } from "../build/read-source.ts";
import type { OpenGraph } from "../open-graph.ts";
import { createSearcher, type Searcher } from "./find.ts";
import { readGraphEdges } from "./graph-edges.ts";
import { readForms } from "./stored-forms.ts";

export interface OpenSearcher extends Searcher {
  linesOf(path: string): readonly string[] | undefined;
}

export interface SearcherOptions {
  readonly graph: OpenGraph;
  readonly repository: string;
}

export function openSearcher({ graph, repository }: SearcherOptions): OpenSearcher {
  const searcher = createSearcher(readForms(graph.store));
  return {
    ...searcher,
    edges: readGraphEdges(graph.store, searcher.index),
    linesOf: (path) => {
      const source = readSource(`${repository}/${path}`, path);
      return source?.kind === "text" ? source.text.split("\n") : undefined;
    },
  };
}

/**
 * Returns a function that gives an open searcher. The function keeps the searcher open, and reopens it only after a
 * change of the index.
 */
export function keepSearcher(options: SearcherOptions): () => OpenSearcher {
  const { database } = options.graph.store;
  const state = (): string => {
    const others = database.prepare("PRAGMA data_version").get();
    const own = database.prepare("SELECT total_changes() AS changes").get();
    return JSON.stringify([others, own]);
  };
  let kept: { readonly searcher: OpenSearcher; readonly state: string } | undefined;
  return () => {
    if (kept === undefined || kept.state !== state()) {
      const searcher = openSearcher(options);
      kept = { searcher, state: state() };
    }
    return kept.searcher;
  };
}
