/** MCP over streamable HTTP, on this machine's own address only. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from "@modelcontextprotocol/node";
import { createMcpHandler, type McpServer } from "@modelcontextprotocol/server";
import { MillwrightError } from "../base/errors.ts";

/** A request that reached a server has both. */
type ServerRequest = IncomingMessage & { readonly method: string; readonly url: string };

export interface HttpService {
  readonly url: string;
  close(): Promise<void>;
}

/** `port` 0 takes a free one. Requests with another host or origin than this machine's are refused: a web page is no client. */
export async function serveHttp(create: () => McpServer, port: number): Promise<HttpService> {
  const isOurHost = localhostHostValidation();
  const isOurOrigin = localhostOriginValidation();
  const handle = toNodeHandler(createMcpHandler(create));
  const server = createServer((request, response) => {
    if (!isOurHost(request, response) || !isOurOrigin(request, response)) return;
    if (new URL(request.url ?? "/", "http://localhost").pathname !== "/mcp") {
      response.writeHead(404).end("MCP is served at /mcp\n");
      return;
    }
    void handle(request as ServerRequest, response);
  });
  await listen(server, port);
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(
        new MillwrightError("usage", `Port ${port} cannot be used: ${error.message}`, {
          hint: "Give another one with --http, or 0 for any that is free.",
          cause: error,
        }),
      ),
    );
    server.listen(port, "127.0.0.1", () => resolve());
  });
}
