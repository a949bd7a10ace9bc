/** Each record of a repository host, over exchanges of its API: contents, pages, limits, faults. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Forge, MergedRequest } from "../../src/forge-hosts/contract.ts";
import { forgeHosts } from "../../src/forge-hosts/hosts/index.generated.ts";
import { withForge } from "../../src/forge-hosts/open-forge.ts";
import { type ForgeServer, readRecording, startForgeServer } from "../forge-server.ts";

const since = "2024-01-01T00:00:00.000Z";
const token = "t0ken-of-the-user";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "forge-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function serve(host: string): Promise<ForgeServer> {
  const server = await startForgeServer(readRecording(host));
  onTestFinished(() => server.close());
  return server;
}

interface Use {
  readonly host: string;
  readonly url: string;
  readonly folder: string;
  readonly environment?: Record<string, string>;
  readonly longestWaitMs?: number;
  readonly said?: string[];
}

function read<T>(
  { host, url, folder, environment = {}, longestWaitMs = 3000, said = [] }: Use,
  work: (forge: Forge) => Promise<T>,
): Promise<T> {
  return withForge(
    {
      ...{ address: { host, url }, folder, environment, signal: new AbortController().signal },
      patience: { pauseMs: 10, longestWaitMs },
      onProgress: (text) => said.push(text),
    },
    work,
  );
}

async function listAll(forge: Forge): Promise<MergedRequest[]> {
  const all: MergedRequest[] = [];
  for await (const page of forge.listMerged(since)) all.push(...page);
  return all;
}

describe.each(forgeHosts.map((record) => [record.name, record] as const))("%s", (host, record) => {
  const { asked, expected: whole, etags } = readRecording(host);
  const { facts, found, ...expected } = whole;
  const environment = { [record.tokenVariable]: token };

  async function readEverything(forge: Forge) {
    return {
      merged: await listAll(forge),
      links: await forge.readLinks(asked.links),
      commits: await forge.readCommits(asked.commits),
      issue: await forge.readIssue(asked.issue),
      missing: await Promise.all(asked.missing.map((number) => forge.readIssue(number))),
    };
  }

  test("reads merged requests of all pages, links, commits and an issue with its history", async () => {
    const { page: url } = await serve(host);
    const all = await read({ host, url, folder: makeFolder(), environment }, readEverything);
    expect(all).toEqual({ ...expected, missing: asked.missing.map(() => undefined) });
  });

  test("describes a repository, and searches the whole host", async () => {
    const { page: url, origin } = await serve(host);
    const folder = makeFolder();
    expect(await read({ host, url, folder, environment }, (forge) => forge.describe())).toEqual(facts);
    const urls: string[] = [];
    await read({ host, url: origin, folder, environment }, async (forge) => {
      const query = { language: "Python", leastStars: 50, activeSince: "2024-01-01" };
      for await (const page of forge.search(query)) urls.push(...page);
    });
    expect(urls).toEqual(found.map((path) => origin + path));
  });

  test("sends the token in a header only, and stores it nowhere", async () => {
    const server = await serve(host);
    const folder = makeFolder();
    await read({ host, url: server.page, folder, environment }, readEverything);
    expect(server.headers.every((each) => JSON.stringify(each).includes(token))).toBe(true);
    expect(server.log.join()).not.toContain(token);
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), "utf8")).not.toContain(token);
    const open = await serve(host);
    await read({ host, url: open.page, folder: makeFolder() }, listAll);
    expect(open.headers.some((each) => "authorization" in each || "private-token" in each)).toBe(false);
  });

  test("a second reading gets the same, and no page again that did not change", async () => {
    const { page: url, log } = await serve(host);
    const folder = makeFolder();
    const first = await read({ host, url, folder, environment }, readEverything);
    const count = log.length;
    expect(await read({ host, url, folder, environment }, readEverything)).toEqual(first);
    const second = log.slice(count).filter((line) => line.startsWith("GET") && !line.endsWith(" 404"));
    expect(second.length).toBeGreaterThan(3);
    expect(second.filter((line) => line.endsWith(etags ? " 304" : " 200"))).toEqual(second);
  });

  test("continues an interrupted reading without asking for known pages", async () => {
    const { page: url, log } = await serve(host);
    const folder = makeFolder();
    const broken = read({ host, url, folder, environment }, async (forge) => {
      await listAll(forge);
      throw new Error("killed");
    });
    await expect(broken).rejects.toThrow("killed");
    const known = [...log];
    await read({ host, url, folder, environment }, readEverything);
    expect(log.filter((line) => known.includes(line))).toEqual(known);
  });

  test("repeats requests after a broken connection and a fault of the server", async () => {
    const { page: url, faults, log } = await serve(host);
    const said: string[] = [];
    faults.push("cut", { status: 502 }, undefined);
    const merged = await read({ host, url, folder: makeFolder(), said }, listAll);
    expect(merged).toEqual(expected.merged);
    expect(log.slice(0, 2).map((line) => line.split(" ").at(-1))).toEqual(["0", "502"]);
    expect(said).toHaveLength(2);
    expect(said[1]).toContain("status 502; waiting");
  });

  test("gives up on a host that stays broken, and says what to do", async () => {
    const { page: url, faults, log } = await serve(host);
    faults.push("cut", "cut", "cut", "cut", "cut", "cut");
    const failed = read({ host, url, folder: makeFolder() }, listAll);
    await expect(failed).rejects.toMatchObject({
      code: "repository",
      hint: expect.stringContaining("continues"),
    });
    expect(log).toHaveLength(5);
  });

  test.each([
    ["429 with Retry-After", { status: 429, headers: { "retry-after": "1" } }],
    [
      "403 with a reset",
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "0" } },
    ],
    ["429 with a reset", { status: 429, headers: { "ratelimit-remaining": "0", "ratelimit-reset": "0" } }],
  ])("waits for the rate limit: %s", async (_, fault) => {
    const { page: url, faults } = await serve(host);
    const said: string[] = [];
    faults.push(fault);
    expect(await read({ host, url, folder: makeFolder(), said }, listAll)).toEqual(expected.merged);
    expect(said.join()).toContain("too many requests");
  });

  test("waits before the request that would exceed the limit", async () => {
    const { page: url, faults, log } = await serve(host);
    const said: string[] = [];
    const reset = Math.floor(Date.now() / 1000);
    const first = readRecording(host).exchanges[0];
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": String(reset + 1) };
    faults.push({ status: 200, headers, body: JSON.stringify(first?.body) });
    await read({ host, url, folder: makeFolder(), said }, async (forge) => {
      await listAll(forge);
      await forge.readIssue(asked.issue);
    });
    expect(said[0]).toContain("the rate limit is used up; waiting");
    expect(log.some((line) => line.endsWith(" 429"))).toBe(false);
  });

  test("does not wait longer than allowed, and names the variable for a token", async () => {
    const { page: url, faults } = await serve(host);
    const hour = String(Math.floor(Date.now() / 1000) + 3600);
    faults.push({ status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": hour } });
    const failed = read({ host, url, folder: makeFolder() }, listAll);
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(/allows no more requests for \d+ min/),
      hint: expect.stringContaining(record.tokenVariable),
    });
  });

  test("follows a redirect within the host, and none to another", async () => {
    const { page: url, faults, origin, headers } = await serve(host);
    const other = await serve(host);
    const [first] = readRecording(host).exchanges;
    faults.push({ status: 301, headers: { location: `${origin}${first?.path}` } });
    expect(await read({ host, url, folder: makeFolder(), environment }, listAll)).toEqual(expected.merged);
    faults.push({ status: 302, headers: { location: `${other.origin}${first?.path}` } });
    const refused = read({ host, url, folder: makeFolder(), environment }, listAll);
    await expect(refused).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("does not follow this redirect"),
    });
    expect(other.log).toEqual([]);
    expect(JSON.stringify(headers)).toContain(token);
  });

  test("explains refusals and unknown repositories", async () => {
    const { page: url, faults, origin } = await serve(host);
    faults.push({ status: 401 });
    await expect(read({ host, url, folder: makeFolder() }, listAll)).rejects.toMatchObject({
      code: "usage",
      hint: `Set ${record.tokenVariable} to a token that may read the repository.`,
    });
    const unknown = read({ host, url: `${origin}/acme/nothing`, folder: makeFolder() }, listAll);
    await expect(unknown).rejects.toMatchObject({
      message: expect.stringContaining("The repository acme/nothing cannot be read"),
    });
  });
});
