/** The searcher over an indexed repository: what `find` answers from, and what an agent keeps open between its questions. */
import { dirname } from "node:path";
import { readSource } from "../build/read-source.ts";
import type { OpenGraph } from "../open-graph.ts";
import { createSearcher, type Searcher } from "./find.ts";
import { readForms } from "./stored-forms.ts";

export interface OpenSearcher extends Searcher {
  /** Files that the answers do not know yet. */
  readonly missing: number;
  linesOf(path: string): readonly string[] | undefined;
}

export interface SearcherOptions {
  readonly graph: OpenGraph;
  readonly repository: string;
  /** Milliseconds for reading what has changed. */
  readonly limitMs?: number;
}

export function openSearcher({ graph, repository, limitMs }: SearcherOptions): OpenSearcher {
  const { store } = graph;
  const directory = dirname(store.database.location() ?? "");
  const limit = limitMs === undefined ? {} : { limitMs };
  const { forms, missing } = readForms({ store, repository, directory, ...limit });
  return {
    ...createSearcher(forms),
    missing,
    linesOf: (path) => {
      const source = readSource(`${repository}/${path}`, path);
      return source?.kind === "text" ? source.text.split("\n") : undefined;
    },
  };
}

/** For a process that asks often: the searcher is opened again only when the index has changed since. */
export function keepSearcher(options: SearcherOptions): () => OpenSearcher {
  const { database } = options.graph.store;
  const state = (): string => {
    const others = database.prepare("PRAGMA data_version").get();
    const own = database.prepare("SELECT total_changes() AS changes").get();
    return JSON.stringify([others, own]);
  };
  let kept: { readonly searcher: OpenSearcher; readonly state: string } | undefined;
  return () => {
    if (kept === undefined || kept.searcher.missing > 0 || kept.state !== state()) {
      const searcher = openSearcher(options);
      kept = { searcher, state: state() };
    }
    return kept.searcher;
  };
}
