import type { Commit, giteaApi, PullRequest, Repository, TimelineComment } from "gitea-js";
import { defineForgeHost, most, type RepositoryFacts, type RepositoryQuery } from "../contract.ts";
import { ifThere } from "../if-there.ts";

/** The maximum page size of a server in its usual configuration. */
const limit = 50;

/** The record of Gitea and Forgejo, which have the same API. */
export default defineForgeHost({
  name: "gitea",
  title: "Gitea or Forgejo",
  tokenVariable: "GITEA_TOKEN",
  sharesNumbers: true,
  locate({ origin, pathname }) {
    // A server may be in a folder of its host.
    const [, folder, repository] = /^(.*)\/([^/]+\/[^/]+)$/.exec(pathname) ?? [];
    return repository === undefined ? undefined : { api: `${origin}${folder}`, repository };
  },
  async connect({ api, repository, token, fetch }) {
    const { giteaApi } = await import("gitea-js");
    const { repos } = giteaApi(api, { ...(token === undefined ? {} : { token }), customFetch: fetch });
    const [owner = "", name = ""] = repository.split("/");
    return {
      async *listMerged(since) {
        const pages = readPages((page) =>
          repos.repoListPullRequests(owner, name, { state: "closed", sort: "recentupdate", page, limit }),
        );
        for await (const page of pages) {
          yield page.flatMap((pull) => requestOf(pull) ?? []);
          const last = page.at(-1)?.updated_at;
          if (last === undefined || Date.parse(last) < Date.parse(since)) return;
        }
      },
      // The API names the request in the issue's timeline, and no issue in the request's. Texts name the issues.
      readLinks: async () => [],
      async readCommits(number) {
        const options = { limit, verification: false, files: false };
        const commits: Commit[] = await readAll((page) =>
          repos.repoGetPullRequestCommits(owner, name, number, { ...options, page }),
        );
        return commits.map(({ commit }) => ({
          subject: commit?.message?.split("\n")[0] ?? "",
          authored: commit?.author?.date ?? "",
        }));
      },
      async readIssue(number) {
        const issue = (await ifThere(repos.issueGetIssue(owner, name, number)))?.data;
        if (issue === undefined || (issue.pull_request ?? null) !== null) return undefined;
        const events: TimelineComment[] = await readAll((page) =>
          repos.issueGetCommentsAndTimeline(owner, name, number, { page, limit }),
        );
        return {
          ...{ number, title: issue.title ?? "", body: issue.body ?? "", opened: issue.created_at ?? "" },
          edited: undefined,
          renamed: events.flatMap(({ type, created_at: at = "", old_title: from = "" }) =>
            type === "change_title" ? { at, from } : [],
          ),
          comments: events.flatMap(({ type, created_at: at = "", body: text = "" }) =>
            type === "comment" ? { at, text } : [],
          ),
        };
      },
      describe: () => describe({ repos }, owner, name),
      search: (query) => search({ repos }, query),
    };
  },
});

function requestOf(pull: PullRequest) {
  const { number, title = "", body = "", labels, created_at, merged_at, updated_at, merge_commit_sha } = pull;
  if (pull.merged !== true || number === undefined || !merge_commit_sha) return undefined;
  if (!created_at || !merged_at || !updated_at) return undefined;
  return {
    ...{ number, title, body, opened: created_at, merged: merged_at, updated: updated_at },
    labels: (labels ?? []).flatMap((label) => label.name ?? []),
    ...{ base: pull.merge_base, head: pull.head?.sha ?? "", landed: merge_commit_sha },
  };
}

type Client = Pick<ReturnType<typeof giteaApi>, "repos">;

async function describe({ repos }: Client, owner: string, name: string): Promise<RepositoryFacts> {
  const { data: facts } = await repos.repoGet(owner, name);
  const files: string[] = [];
  let count = 0;
  for (let page = 1; ; page += 1) {
    const tree = await ifThere(
      repos.getTree(owner, name, facts.default_branch ?? "HEAD", { recursive: true, page }),
    );
    const { tree: entries, truncated } = tree?.data ?? {};
    for (const { type, path = "" } of entries ?? []) if (type === "blob") files.push(path);
    count += entries?.length ?? 0;
    if (truncated !== true || !entries?.length || count >= most.files) break;
  }
  const { data: issues } = await repos.issueListIssues(owner, name, {
    ...{ state: "closed", type: "issues", limit },
  });
  return {
    ...{ stars: facts.stars_count ?? 0, isArchived: facts.archived === true },
    ...{ isFork: facts.fork === true, active: facts.updated_at ?? "", language: facts.language ?? "" },
    files,
    comments: issues.map(({ comments }) => comments ?? 0),
  };
}

async function* search(
  { repos }: Client,
  { language, leastStars, activeSince }: RepositoryQuery,
): AsyncIterable<string[]> {
  const fits = ({ stars_count = 0, updated_at = "", language: own = "" }: Repository): boolean =>
    stars_count >= leastStars &&
    (language === "" || own.toLowerCase() === language.toLowerCase()) &&
    (activeSince === "" || Date.parse(updated_at) >= Date.parse(activeSince));
  for (let page = 1; page <= most.foundRepositories / limit; page += 1) {
    const { data } = await repos.repoSearch({
      ...{ mode: "source", archived: false, sort: "stars", order: "desc", page, limit },
    });
    const found = data.data ?? [];
    yield found.filter(fits).flatMap(({ html_url }) => html_url ?? []);
    if (found.length === 0 || (found.at(-1)?.stars_count ?? 0) < leastStars) return;
  }
}

interface Answer<T> {
  /** Null if a page is empty. */
  readonly data: T[] | null;
  readonly headers: Headers;
}

/**
 * Reads all pages, because the client reads only one. Ends at an empty page, because servers choose the size of pages,
 * and report a timeline's page size as its total.
 */
async function* readPages<T>(read: (page: number) => Promise<Answer<T>>): AsyncIterable<T[]> {
  for (let page = 1; ; page += 1) {
    const { data, headers } = await read(page);
    const isEmpty = data === null || data.length === 0;
    if (!isEmpty) yield data;
    const link = headers.get("link");
    if (isEmpty || (link !== null && !link.includes('rel="next"'))) return;
  }
}

async function readAll<T>(read: (page: number) => Promise<Answer<T>>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of readPages(read)) all.push(...page);
  return all;
}
