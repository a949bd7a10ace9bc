/** MCP over streamable HTTP, only on this machine's own address. */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { localhostHostValidation, toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { MillwrightError } from "../base/errors.ts";

/** Requests that reach a server have both fields. */
type ServerRequest = IncomingMessage & { readonly method: string; readonly url: string };

export interface HttpService {
  readonly url: string;
  close(): Promise<void>;
}

export interface HttpAccess {
  /** The port; 0 takes a free one. */
  readonly port: number;
  /**
   * The token, which clients send as `Authorization: Bearer TOKEN`. Undefined: every program on this machine may send
   * requests.
   */
  readonly token: string | undefined;
  /** Exact origins of web pages that may send requests, such as `http://localhost:5173`. Programs send no origin. */
  readonly origins: readonly string[];
}

/**
 * Serves MCP over HTTP. Every program and web page on this machine can reach the port. Therefore the server refuses
 * some requests:
 * - for another host (403)
 * - from an origin that is not allowed (403)
 * - without the token, if one is set (401)
 * - for another path than `/mcp` (404)
 */
export async function serveHttp(create: () => McpServer, access: HttpAccess): Promise<HttpService> {
  const isOurHost = localhostHostValidation();
  const handle = toNodeHandler(createMcpHandler(create));
  const server = createServer((request, response) => {
    if (!isOurHost(request, response)) return;
    const { origin, authorization } = request.headers;
    if (origin !== undefined && !access.origins.includes(origin)) {
      response.writeHead(403).end("This origin is not allowed: allow it with --origin\n");
      return;
    }
    if (access.token !== undefined && !isEqual(authorization ?? "", `Bearer ${access.token}`)) {
      response
        .writeHead(401, { "www-authenticate": "Bearer" })
        .end('The token is missing or wrong: send the server\'s token as "Authorization: Bearer TOKEN"\n');
      return;
    }
    if (request.url?.split("?", 1)[0] !== "/mcp") {
      response.writeHead(404).end("MCP is served at /mcp\n");
      return;
    }
    void handle(request as ServerRequest, response);
  });
  await listen(server, access.port);
  const address = server.address();
  const taken = address === null || typeof address === "string" ? access.port : address.port;
  return {
    url: `http://127.0.0.1:${taken}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Compares two texts in constant time, wherever they differ. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new MillwrightError("usage", `Port ${port} cannot be used: ${error.message}`, {
          hint: "Give another port with --http, or 0 for any free port.",
          cause: error,
        }),
      ),
    );
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
