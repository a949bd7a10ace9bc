import type { Octokit } from "@octokit/rest";
import { z } from "zod";
import { defineForgeHost, most, type RepositoryFacts, type RepositoryQuery } from "../contract.ts";
import { ifThere } from "../if-there.ts";

/** The maximum page size of the API. */
const perPage = 100;

const renameSchema = z.object({
  event: z.literal("renamed"),
  created_at: z.string(),
  rename: z.object({ from: z.string() }),
});
const commentSchema = z.object({
  event: z.literal("commented"),
  created_at: z.string(),
  body: z.string().nullish(),
});

/**
 * Asks which issues a request closes, and when someone edited a text. REST does not tell this. GraphQL does, but only
 * with a token.
 */
const linksQuery = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      closingIssuesReferences(first: 20) { nodes { number repository { nameWithOwner } } }
    }
  }
}`;
const linksSchema = z.object({
  repository: z.object({
    pullRequest: z.object({
      closingIssuesReferences: z.object({
        nodes: z.array(z.object({ number: z.int(), repository: z.object({ nameWithOwner: z.string() }) })),
      }),
    }),
  }),
});
const editQuery = `query ($owner: String!, $repo: String!, $number: Int!) {
  repository(owner: $owner, name: $repo) { issue(number: $number) { lastEditedAt } }
}`;
const editSchema = z.object({
  repository: z.object({ issue: z.object({ lastEditedAt: z.string().nullable() }) }),
});

export default defineForgeHost({
  name: "github",
  title: "GitHub",
  tokenVariable: "GITHUB_TOKEN",
  sharesNumbers: true,
  locate({ origin, hostname, pathname }) {
    const repository = /^\/([^/]+\/[^/]+)$/.exec(pathname)?.[1];
    if (repository === undefined) return undefined;
    // Any other host is a GitHub Enterprise Server.
    return {
      api: /^(?:www\.)?github\.com$/.test(hostname) ? "https://api.github.com" : `${origin}/api/v3`,
      repository,
    };
  },
  async connect({ api, repository, token, fetch }) {
    const { Octokit } = await import("@octokit/rest");
    // Our `fetch` explains failures; the client would print each of them.
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const octokit = new Octokit({ baseUrl: api, auth: token, request: { fetch }, log });
    const [owner = "", repo = ""] = repository.split("/");
    return {
      async *listMerged(since) {
        const pages = octokit.paginate.iterator(octokit.rest.pulls.list, {
          ...{ owner, repo, state: "closed", sort: "updated", direction: "desc", per_page: perPage },
        });
        for await (const { data } of pages) {
          yield data.flatMap((pull) =>
            pull.merged_at === null || pull.merge_commit_sha === null
              ? []
              : {
                  ...{ number: pull.number, title: pull.title, body: pull.body ?? "" },
                  labels: pull.labels.map(({ name }) => name),
                  ...{ opened: pull.created_at, merged: pull.merged_at, updated: pull.updated_at },
                  ...{ base: pull.base.sha, head: pull.head.sha, landed: pull.merge_commit_sha },
                },
          );
          const last = data.at(-1);
          if (last === undefined || Date.parse(last.updated_at) < Date.parse(since)) return;
        }
      },
      async readLinks(number) {
        if (token === undefined) return [];
        const answer = linksSchema.parse(await octokit.graphql(linksQuery, { owner, repo, number }));
        return answer.repository.pullRequest.closingIssuesReferences.nodes
          .filter((issue) => issue.repository.nameWithOwner.toLowerCase() === repository.toLowerCase())
          .map((issue) => issue.number);
      },
      async readCommits(number) {
        const commits = await octokit.paginate(octokit.rest.pulls.listCommits, {
          ...{ owner, repo, pull_number: number, per_page: perPage },
        });
        return commits.map(({ commit }) => ({
          subject: commit.message.split("\n")[0] ?? "",
          authored: commit.author?.date ?? "",
        }));
      },
      async readIssue(number) {
        const place = { owner, repo, issue_number: number };
        const issue = (await ifThere(octokit.rest.issues.get(place)))?.data;
        if (issue === undefined || issue.pull_request !== undefined) return undefined;
        const events: unknown[] = await octokit.paginate(octokit.rest.issues.listEventsForTimeline, {
          ...{ ...place, per_page: perPage },
        });
        const renames = events.flatMap((event) => renameSchema.safeParse(event).data ?? []);
        const comments = events.flatMap((event) => commentSchema.safeParse(event).data ?? []);
        return {
          ...{ number, title: issue.title, body: issue.body ?? "", opened: issue.created_at },
          edited: token === undefined ? undefined : await readEdit(number),
          renamed: renames.map(({ created_at: at, rename: { from } }) => ({ at, from })),
          comments: comments.map(({ created_at: at, body }) => ({ at, text: body ?? "" })),
        };
      },
      describe: () => describe(octokit, { owner, repo }),
      search: (query) => search(octokit, query),
    };

    async function readEdit(number: number): Promise<string | undefined> {
      const answer = await octokit.graphql(editQuery, { owner, repo, number });
      return editSchema.parse(answer).repository.issue.lastEditedAt ?? undefined;
    }
  },
});

interface Place {
  readonly owner: string;
  readonly repo: string;
}

async function describe(octokit: Octokit, { owner, repo }: Place): Promise<RepositoryFacts> {
  const { data: facts } = await octokit.rest.repos.get({ owner, repo });
  const place = { owner, repo, tree_sha: facts.default_branch, recursive: "1" };
  const tree = (await ifThere(octokit.rest.git.getTree(place)))?.data.tree ?? [];
  const { data: issues } = await octokit.rest.issues.listForRepo({
    ...{ owner, repo, state: "closed", sort: "updated", per_page: perPage },
  });
  return {
    ...{ stars: facts.stargazers_count, isArchived: facts.archived, isFork: facts.fork },
    ...{ active: facts.pushed_at, language: facts.language ?? "" },
    files: tree.flatMap(({ type, path }) => (type === "blob" && path !== undefined ? path : [])),
    comments: issues.flatMap((issue) => (issue.pull_request === undefined ? issue.comments : [])),
  };
}

async function* search(
  octokit: Octokit,
  { language, leastStars, activeSince }: RepositoryQuery,
): AsyncIterable<string[]> {
  const q = [
    ...[`stars:>=${leastStars}`, "archived:false", "fork:false"],
    ...(language === "" ? [] : [`language:"${language}"`]),
    ...(activeSince === "" ? [] : [`pushed:>=${activeSince}`]),
  ];
  for (let page = 1; page <= most.foundRepositories / perPage; page += 1) {
    const { data } = await octokit.rest.search.repos({
      ...{ q: q.join(" "), sort: "stars", order: "desc", per_page: perPage, page },
    });
    yield data.items.map((each) => each.html_url);
    if (data.items.length < perPage) return;
  }
}
