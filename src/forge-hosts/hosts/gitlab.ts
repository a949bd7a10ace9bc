import type { Gitlab } from "@gitbeaker/rest";
import { z } from "zod";
import { defineForgeHost, most, type RepositoryFacts, type RepositoryQuery } from "../contract.ts";
import { ifThere } from "../if-there.ts";

/** The maximum page size of the API. */
const perPage = 100;

const objectSchema = z.record(z.string(), z.unknown());
const bodySchema = z.union([objectSchema, z.array(objectSchema)]);
const headersSchema = z.record(z.string(), z.string());

export default defineForgeHost({
  name: "gitlab",
  title: "GitLab",
  tokenVariable: "GITLAB_TOKEN",
  sharesNumbers: false,
  locate({ origin, pathname }) {
    // Groups may have groups.
    const repository = /^\/([^/]+(?:\/[^/]+)+)$/.exec(pathname)?.[1];
    return repository === undefined ? undefined : { api: origin, repository };
  },
  async connect({ api, repository, token, fetch }) {
    const { Gitlab } = await import("@gitbeaker/rest");
    const { createRequesterFn } = await import("@gitbeaker/requester-utils");
    const requesterFn = createRequesterFn(
      async (_, options) => options,
      async (endpoint, { prefixUrl, searchParams, headers } = {}) => {
        const url = new URL(`${String(prefixUrl).replace(/\/+$/, "")}/${endpoint}`);
        url.search = typeof searchParams === "string" ? searchParams : "";
        const given = Object.entries(headersSchema.parse(headers)).filter(([, value]) => value !== "");
        const answer = await fetch(url, { headers: Object.fromEntries(given) });
        return {
          body: bodySchema.parse(await answer.json()),
          headers: Object.fromEntries(answer.headers),
          status: answer.status,
        };
      },
    );
    const client = new Gitlab({ host: api, requesterFn, token: token ?? "" });
    return {
      async *listMerged(since) {
        for (let page = 1; ; page += 1) {
          const merged = await client.MergeRequests.all({
            ...{ projectId: repository, state: "merged", orderBy: "updated_at", sort: "desc" },
            ...{ updatedAfter: since, perPage, page },
            withLabelsDetails: false,
          });
          yield merged.flatMap((request) => {
            const landed = request.merge_commit_sha ?? request.squash_commit_sha ?? request.sha;
            if (request.merged_at === null) return [];
            return {
              ...{ number: request.iid, title: request.title, body: request.description ?? "" },
              labels: request.labels,
              ...{ opened: request.created_at, merged: request.merged_at, updated: request.updated_at },
              ...{ base: undefined, head: request.sha, landed },
            };
          });
          if (merged.length < perPage) return;
        }
      },
      async readLinks(number) {
        const issues = await client.MergeRequests.allIssuesClosed(repository, number);
        // Issues of other projects have numbers of their own.
        return issues
          .filter((issue) => issue.references.full === `${repository}#${issue.iid}`)
          .map(({ iid }) => iid);
      },
      async readCommits(number) {
        const commits = await client.MergeRequests.allCommits(repository, number, { perPage });
        return commits.map(({ message, authored_date }) => ({
          subject: message.split("\n")[0] ?? "",
          authored: authored_date ?? "",
        }));
      },
      async readIssue(number) {
        const issue = await ifThere(client.Issues.show(number, { projectId: repository }));
        if (issue === undefined) return undefined;
        const notes = await client.IssueNotes.all(repository, number, {
          ...{ sort: "asc", orderBy: "created_at", perPage },
        });
        const events = notes.filter(({ system }) => system);
        const edits = events.filter(({ body }) => /^changed the description/.test(body));
        return {
          ...{ number, title: issue.title, body: issue.description, opened: issue.created_at },
          edited: edits.at(-1)?.created_at,
          renamed: events.flatMap(({ body, created_at: at }) => {
            const from = titleBefore(body);
            return from === undefined ? [] : { at, from };
          }),
          comments: notes
            .filter(({ system }) => !system)
            .map(({ body, created_at: at }) => ({ at, text: body })),
        };
      },
      describe: () => describe(client, repository),
      search: (query) => search(client, query),
    };
  },
});

/**
 * Returns the old title in `changed title from **Wrong {-sum-}** to **Wrong {+total+}**`. The marks show differences.
 */
function titleBefore(note: string): string | undefined {
  const before = /^changed title from \*\*(.*)\*\* to \*\*/s.exec(note)?.[1];
  return before?.replaceAll(/\{[-+](.*?)[-+]\}/gs, "$1");
}

type Client = InstanceType<typeof Gitlab<false>>;

async function describe(client: Client, repository: string): Promise<RepositoryFacts> {
  const facts = await client.Projects.show(repository);
  const shares = await client.Projects.showLanguages(repository);
  const [language = ""] = Object.keys(shares).sort((a, b) => (shares[b] ?? 0) - (shares[a] ?? 0));
  const tree = await ifThere(
    client.Repositories.allRepositoryTrees(repository, {
      ...{ recursive: true, perPage, maxPages: most.files / perPage },
    }),
  );
  const issues = await client.Issues.all({
    ...{ projectId: repository, state: "closed", orderBy: "updated_at", perPage, page: 1 },
  });
  return {
    ...{ stars: facts.star_count, isArchived: facts.archived === true, language },
    isFork: "forked_from_project" in facts && facts.forked_from_project !== undefined,
    active: facts.last_activity_at,
    files: (tree ?? []).flatMap(({ type, path }) => (type === "blob" ? path : [])),
    comments: issues.map(({ user_notes_count }) => user_notes_count),
  };
}

async function* search(
  client: Client,
  { language, leastStars, activeSince }: RepositoryQuery,
): AsyncIterable<string[]> {
  // The API's documentation allows this order, the client's type does not.
  const filters: Readonly<Record<string, string>> = {
    orderBy: "star_count",
    ...(language === "" ? {} : { withProgrammingLanguage: language }),
    ...(activeSince === "" ? {} : { lastActivityAfter: `${activeSince}T00:00:00Z` }),
  };
  for (let page = 1; page <= most.foundRepositories / perPage; page += 1) {
    const paged = { archived: false, pagination: "offset" as const, perPage, page };
    const projects = await client.Projects.all({ ...filters, ...paged, sort: "desc" });
    const fitting = projects.filter(({ star_count }) => star_count >= leastStars);
    yield fitting.map(({ web_url }) => web_url);
    if (projects.length < perPage || fitting.length < projects.length) return;
  }
}
