/** A dataset hub of the tests' own: its list of files, and files by ranges behind a redirect. It can break in several ways. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

export interface HubFaults {
  /** Cut the next answers with files after so many bytes. */
  cuts: number[];
  /** Answer the next requests with these statuses. */
  statuses: number[];
  /** Send whole files, whatever range is asked for. */
  ignoresRanges: boolean;
  /** Send other bytes than the list of files says. */
  replaced: Map<string, Buffer>;
  /** Claim another size in the list of files. */
  claimedSizes: Map<string, number>;
  /** Send so many bytes of a file, and then nothing more. */
  stallsAfter: number | undefined;
}

export interface RunningHub {
  readonly endpoint: string;
  readonly faults: HubFaults;
  /** `PATH` or `PATH FROM-`, in order: what was asked of files. */
  readonly asked: string[];
  /** What came with the last request in `authorization`. */
  readonly tokens: (string | undefined)[];
  /** Makes a commit of these files; `.parquet` files are in the large file storage. */
  commit(files: Readonly<Record<string, string | Buffer>>): string;
  /** Cuts all open connections. */
  cut(): void;
  close(): Promise<void>;
}

const hash = (kind: "sha1" | "sha256", ...parts: readonly (string | Buffer)[]): string =>
  parts.reduce((digest, part) => digest.update(part), createHash(kind)).digest("hex");

export async function startHub(dataset: string): Promise<RunningHub> {
  const commits = new Map<string, ReadonlyMap<string, Buffer>>();
  let newest = "";
  const faults: HubFaults = {
    ...{ cuts: [], statuses: [], ignoresRanges: false, replaced: new Map(), claimedSizes: new Map() },
    stallsAfter: undefined,
  };
  const asked: string[] = [];
  const tokens: (string | undefined)[] = [];

  function list(commit: string, response: ServerResponse): void {
    const siblings = [...(commits.get(commit) ?? [])].map(([rfilename, content]) => {
      const size = faults.claimedSizes.get(rfilename) ?? content.length;
      const blobId = hash("sha1", `blob ${content.length}\0`, content);
      const lfs = rfilename.endsWith(".parquet") ? { sha256: hash("sha256", content), size } : undefined;
      return { rfilename, size, blobId, lfs };
    });
    response.end(JSON.stringify({ id: dataset, sha: commit, siblings }));
  }

  function send(path: string, content: Buffer, request: IncomingMessage, response: ServerResponse): void {
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1] ?? 0);
    asked.push(from > 0 ? `${path} ${from}-` : path);
    const isPart = from > 0 && !faults.ignoresRanges;
    if (isPart && from >= content.length) {
      response.writeHead(416).end();
      return;
    }
    const body = isPart ? content.subarray(from) : content;
    response.writeHead(isPart ? 206 : 200, {
      "content-length": body.length,
      ...(isPart ? { "content-range": `bytes ${from}-${content.length - 1}/${content.length}` } : {}),
    });
    const cut = faults.cuts.shift();
    if (cut !== undefined) response.write(body.subarray(0, cut), () => response.destroy());
    else if (faults.stallsAfter !== undefined) response.write(body.subarray(0, faults.stallsAfter));
    else response.end(body);
  }

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://hub");
    tokens.push(request.headers.authorization);
    const status = faults.statuses.shift();
    if (status !== undefined) {
      response.writeHead(status).end("no");
      return;
    }
    const revision = /^\/api\/datasets\/([^/]+\/[^/]+)\/revision\/(.+)$/.exec(pathname);
    const resolved = /^\/(datasets|store)\/([^/]+\/[^/]+)\/resolve\/([0-9a-f]{40})\/(.+)$/.exec(pathname);
    const commit = revision?.[2] === "main" ? newest : (revision?.[2] ?? "");
    const path = decodeURIComponent(resolved?.[4] ?? "");
    const content = faults.replaced.get(path) ?? commits.get(resolved?.[3] ?? "")?.get(path);
    if (revision?.[1] === dataset && commits.has(commit)) list(commit, response);
    else if (resolved?.[1] === "datasets" && content !== undefined)
      response.writeHead(302, { location: pathname.replace("/datasets/", "/store/") }).end();
    else if (content !== undefined) send(path, content, request, response);
    else response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  return {
    ...{ endpoint: `http://127.0.0.1:${port}`, faults, asked, tokens },
    commit(files) {
      newest = hash("sha1", JSON.stringify(files));
      commits.set(newest, new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])));
      return newest;
    },
    cut: () => server.closeAllConnections(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
