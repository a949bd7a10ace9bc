/** A repository host that replays recorded exchanges, with faults on request. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { z } from "zod";

const exchangeSchema = z.object({
  method: z.string().default("GET"),
  /** With the query. */
  path: z.string(),
  /** A part of the request's body. */
  contains: z.string().default(""),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.unknown(),
});

const recordingSchema = z.object({
  /** The path of the repository's page. */
  page: z.string(),
  /** True if the host gives ETags. */
  etags: z.boolean(),
  /** Numbers that tests ask for. */
  asked: z.object({ links: z.int(), commits: z.int(), issue: z.int(), missing: z.array(z.int()) }),
  exchanges: z.array(exchangeSchema),
  expected: z.object({
    merged: z.array(z.unknown()),
    links: z.unknown(),
    commits: z.unknown(),
    issue: z.unknown(),
    facts: z.unknown(),
    /** Paths of pages. */
    found: z.array(z.string()),
  }),
});
export type Recording = z.infer<typeof recordingSchema>;

export function readRecording(host: string): Recording {
  const path = join(import.meta.dirname, "fixtures", "forges", `${host}.json`);
  return recordingSchema.parse(JSON.parse(readFileSync(path, "utf8")));
}

/** Answers a request in place of the recording. `cut`: the connection breaks in the middle of the answer. */
export type Fault =
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: string }
  | "cut";

export interface ForgeServer {
  readonly origin: string;
  /** The repository's page. */
  readonly page: string;
  /** `GET /path 200`, in order. */
  readonly log: string[];
  /** Headers of all requests. */
  readonly headers: IncomingMessage["headers"][];
  /** Applies to the next requests, in order; undefined: the recording answers. */
  readonly faults: (Fault | undefined)[];
  close(): Promise<void>;
}

export async function startForgeServer({
  page,
  etags,
  exchanges,
}: Pick<Recording, "page" | "etags" | "exchanges">): Promise<ForgeServer> {
  const log: string[] = [];
  const headers: ForgeServer["headers"] = [];
  const faults: ForgeServer["faults"] = [];
  let origin = "";
  const answer = (request: IncomingMessage, sent: string, response: ServerResponse): number => {
    const fault = faults.shift();
    if (fault === "cut") {
      response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
      response.write("[{", () => response.destroy());
      return 0;
    }
    if (fault !== undefined) {
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers });
      response.end(fault.body ?? "{}");
      return fault.status;
    }
    const { url = "", method = "" } = request;
    const found = exchanges.find(
      (each) => each.method === method && each.path === url && sent.includes(each.contains),
    );
    const text = JSON.stringify(found === undefined ? { message: "Not Found" } : found.body).replaceAll(
      "{{origin}}",
      origin,
    );
    const etag = `"${createHash("sha256").update(text).digest("hex").slice(0, 16)}"`;
    const given = Object.entries(found?.headers ?? {}).map(([name, value]) => [
      name,
      value.replaceAll("{{origin}}", origin),
    ]);
    const isKnown = etags && method === "GET" && request.headers["if-none-match"] === etag;
    const status = found === undefined ? 404 : isKnown ? 304 : 200;
    response.writeHead(status, {
      "content-type": "application/json; charset=utf-8",
      ...Object.fromEntries(given),
      ...(etags ? { etag } : {}),
    });
    response.end(isKnown ? undefined : text);
    return status;
  };
  const server = createServer((request, response) => {
    let sent = "";
    request.on("data", (chunk: Buffer) => {
      sent += chunk.toString("utf8");
    });
    request.on("end", () => {
      headers.push(request.headers);
      log.push(`${request.method} ${request.url} ${answer(request, sent, response)}`);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  return {
    ...{ origin, page: `${origin}${page}`, log, headers, faults },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
