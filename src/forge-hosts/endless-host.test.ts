import { expect, test } from "vitest";
import { hostNamed } from "./address.ts";
import { most } from "./contract.ts";

/** Answers for ever: each list has a further page. */
function answerOf(host: string, { pathname, searchParams }: URL): unknown {
  const size = Number(searchParams.get("per_page") ?? searchParams.get("limit") ?? 1000);
  const listOf = (item: unknown): unknown[] => Array.from({ length: size }, () => item);
  if (pathname.endsWith("/issues")) return [];
  if (/\/tree/.test(pathname)) {
    const entries = listOf({ type: "blob", path: "src/a.ts" });
    return host === "gitlab" ? entries : { tree: entries, truncated: true };
  }
  const found = { html_url: "https://example.com/a/b", stars_count: 9, star_count: 9, language: "Ruby" };
  if (/\/search/.test(pathname)) return { data: listOf(found), items: listOf(found), ok: true };
  if (pathname.endsWith("/projects")) return listOf(found);
  return { default_branch: "main", ...found };
}

test.each(["gitea", "github", "gitlab"])("a reading of %s ends even if its lists never end", async (host) => {
  const record = hostNamed(host);
  let asked = 0;
  const fetch: typeof globalThis.fetch = async (input) => {
    asked += 1;
    if (asked > 500) throw new Error("too many requests");
    const url = new URL(input instanceof Request ? input.url : String(input));
    const next = new URL(url);
    next.searchParams.set("page", String(Number(url.searchParams.get("page") ?? 1) + 1));
    const headers = {
      "content-type": "application/json",
      link: `<${next.href}>; rel="next"`,
      "x-next-page": next.searchParams.get("page") ?? "",
      "x-page": url.searchParams.get("page") ?? "1",
      "x-per-page": url.searchParams.get("per_page") ?? "20",
    };
    return new Response(JSON.stringify(answerOf(host, url)), { status: 200, headers });
  };
  const connection = { api: "https://example.com", repository: "a/b", token: undefined, fetch };
  const forge = await record.connect(connection);
  const { files } = await forge.describe();
  expect(files.length).toBeLessThanOrEqual(most.files + 1000);
  const query = { language: "Go", leastStars: 0, activeSince: "" };
  let found = 0;
  for await (const page of forge.search(query)) found += page.length;
  expect(found).toBeLessThanOrEqual(most.foundRepositories);
});
