/**
 * The contract of repository hosts (forges). A host's record reads merged changes and issues with the host's own
 * client.
 */

/** The address of a repository on a host. */
export interface ForgeAddress {
  /** A host record's `name`. */
  readonly host: string;
  /** The page of the repository, without a slash at its end: `https://git.example.com/acme/ledger`. */
  readonly url: string;
}

/**
 * A merged request: a pull request of GitHub or Gitea, or a merge request of GitLab. `opened`, `merged` and `updated`
 * are times in ISO 8601.
 */
export interface MergedRequest {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly labels: readonly string[];
  readonly opened: string;
  readonly merged: string;
  readonly updated: string;
  /** The commit of the target branch with which the host compares the request, if known. */
  readonly base: string | undefined;
  /** The newest commit of the request's own branch. */
  readonly head: string;
  /**
   * The last commit that the request added to the target branch: the merge, the squash, or the last rebased commit.
   */
  readonly landed: string;
}

/** A commit of a request's own branch, as subject and author's date. A rebase changes neither of them. */
export interface RequestCommit {
  readonly subject: string;
  readonly authored: string;
}

export interface ForgeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly opened: string;
  /** The time of the last change of `body`; undefined if there was none, or if the host does not report it. */
  readonly edited: string | undefined;
  /** Changes of the title, each with the earlier title. */
  readonly renamed: readonly { readonly at: string; readonly from: string }[];
  readonly comments: readonly { readonly at: string; readonly text: string }[];
}

/** A repository's figures that its host gives without a clone. */
export interface RepositoryFacts {
  readonly stars: number;
  readonly isArchived: boolean;
  readonly isFork: boolean;
  /** Time of the last activity, in ISO 8601. */
  readonly active: string;
  /** Main language, as the host writes it; "" if unknown. */
  readonly language: string;
  /**
   * Files of the main branch. Incomplete if the host does not list all files, or if there are more than `most.files`.
   */
  readonly files: readonly string[];
  /** The number of comments on each closed issue, for the most recently changed issues; at most one page. */
  readonly comments: readonly number[];
}

export interface RepositoryQuery {
  /** The main language; "" for all. */
  readonly language: string;
  readonly leastStars: number;
  /** Earliest date of the last activity, such as `2024-01-31`; "" for all. */
  readonly activeSince: string;
}

/**
 * Limits of a reading, because a host may return very long or endless lists. GitHub's search sets `foundRepositories`.
 */
export const most = { foundRepositories: 1000, files: 20_000 } as const;

/** Reads requests and issues of one repository. Each method throws MillwrightError if the host refuses or fails. */
export interface Forge {
  /**
   * Returns pages of merged requests, the most recently updated first. Ends at requests whose last update was before
   * `since` (ISO 8601).
   */
  listMerged(since: string): AsyncIterable<readonly MergedRequest[]>;
  /** Returns the issues that a request closes according to the host; empty if its API does not report them. */
  readLinks(request: number): Promise<readonly number[]>;
  /** Returns the request's commits, in any order. */
  readCommits(request: number): Promise<readonly RequestCommit[]>;
  /** Reads an issue. Undefined if there is no such issue, or if the number belongs to a request. */
  readIssue(number: number): Promise<ForgeIssue | undefined>;
  describe(): Promise<RepositoryFacts>;
  /**
   * Returns addresses of the host's repositories that may fit the query, page by page, most stars first. Reads the
   * first `most.foundRepositories`. The host cannot check each condition, so some results may not fit.
   */
  search(query: RepositoryQuery): AsyncIterable<readonly string[]>;
}

export interface ForgeConnection {
  /** The address of the API. */
  readonly api: string;
  /** The repository's path on the host: `acme/ledger`. */
  readonly repository: string;
  readonly token: string | undefined;
  /**
   * Sends all requests. Throws MissingError if the requested object does not exist, and MillwrightError for other
   * failures.
   */
  readonly fetch: typeof globalThis.fetch;
}

export interface ForgeHost {
  /** The host's word in `--forge`. */
  readonly name: string;
  /** The host's name for people. */
  readonly title: string;
  /** The environment variable of the user's token. */
  readonly tokenVariable: string;
  /** True if issues and requests share one sequence of numbers. */
  readonly sharesNumbers: boolean;
  /** Splits a repository's page into the API's address and the path. Undefined for any other page. */
  locate(url: URL): Pick<ForgeConnection, "api" | "repository"> | undefined;
  /** Loads the host's client. */
  connect(connection: ForgeConnection): Promise<Forge>;
}

/** Returns the record unchanged. The compiler thus checks each host's record in the host's own file. */
export function defineForgeHost(host: ForgeHost): ForgeHost {
  return host;
}

/** The error for an object that the host does not have or hides (status 404 or 410). */
export class MissingError extends Error {}
